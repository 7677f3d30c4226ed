import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { roleNames } from '../src/access/staff/roles.ts'
import { updateEmail } from '../src/changes/contacts/update-contact.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { newId } from '../src/contract/new-id.ts'
import { catalogue, consoleOperations, endpoints } from '../src/endpoints.ts'
import { createUser } from '../src/people/users/create-user.ts'
import { fetchContact } from '../src/people/users/fetch-contact.ts'
import { updateOwner } from '../src/people/users/update-owner.ts'
import { updatePool } from '../src/people/users/update-pool.ts'
import { fingerprint } from './conformance/school.ts'
import { type Stage, setStage } from './conformance/stage.ts'
import { validInput } from './conformance/valid-inputs.ts'
import { hireStaff, type TestColleague } from './harness/staff.ts'

const stage = {} as Stage
const staff = {} as Record<(typeof roleNames)[number], TestColleague>
beforeAll(async () => {
  Object.assign(stage, await setStage())
  const { corp_id, user_id } = stage.school
  for (const role of roleNames) staff[role] = await hireStaff(stage.server, corp_id, role)
  const owner = { corp_id, user_id, owner_id: staff.counsellor.staff_id, event_type: 'add' }
  await stage.server.call(updateOwner, owner)
})
afterAll(() => stage.server?.close())

const isOfOrganization = ({ scope }: Endpoint) => scope === 'organization'
const everyOperation = catalogue.filter(isOfOrganization)

test('no account may call operations of the console', async () => {
  for (const endpoint of consoleOperations.filter(isOfOrganization)) {
    const { status } = await stage.server.call(endpoint, exampleInput(endpoint))
    expect([endpoint.id, [401, 403].includes(status)]).toEqual([endpoint.id, true])
  }
})

describe('contacts', () => {
  /** An operation shows contacts if its response to an account has some. */
  test('are masked for all staff in every response except that of a reveal, and never for accounts', async () => {
    const { server, school } = stage
    const { rows } = await server.database.superuser.query<{ contact: string }>(
      `select unnest(array[mobile, backup_mobile, email]) as contact from users where corp_id = $1
       union select user_copy->>'mobile' from orders where corp_id = $1
       union select user_copy->>'email' from orders where corp_id = $1`,
      [school.corp_id],
    )
    const contacts = rows.map(({ contact }) => contact).filter((contact) => contact?.length > 5)
    const shownIn = (data: unknown) => {
      const text = JSON.stringify(data)
      return contacts.some((contact) => text.includes(`"${contact}"`))
    }
    const user_id = await changedUser(contacts)
    const showing: string[] = []
    for (const endpoint of everyOperation.filter(({ method }) => method === 'GET')) {
      // These disclose contacts on request, and are audited.
      if (['fetchContact', 'fetchPayerContact', 'exportUser'].includes(endpoint.id)) continue
      const isNamed = (endpoint.input.required as string[]).includes('user_id')
      const input: Record<string, unknown> = { ...exampleInput(endpoint), ...(isNamed && { user_id }) }
      const { utm_source: _, start_date: __, pool: ___, owner_id: ____, state: _____, ...asked } = input
      // Staff find a number by its last four digits.
      if (endpoint.id === 'searchUsers')
        asked.q = contacts.find((each) => /^1[0-9]{10}$/.test(each))!.slice(-4)
      if (endpoint.group !== 'Console') {
        const { data } = await server.call(endpoint, asked)
        if (shownIn(data)) showing.push(endpoint.id)
      }
      for (const role of roleNames) {
        const { data } = await staff[role].call(endpoint, asked)
        expect([endpoint.id, role, shownIn(data)]).toEqual([endpoint.id, role, false])
      }
    }
    // There is something to mask.
    expect(showing).toEqual(
      expect.arrayContaining([
        'fetchProfile',
        'listUsers',
        'searchUsers',
        'listUserHistory',
        'listLeads',
        'listFinancialRows',
      ]),
    )
  })

  /** A user with addresses in the history. */
  async function changedUser(contacts: string[]): Promise<string> {
    const { corp_id } = stage.school
    const call = async (endpoint: Endpoint, input: object) =>
      (await stage.server.call(endpoint, { corp_id, ...input })).data
    const { user_id } = await call(createUser, { area_code: '86', mobile: '13811112222' })
    const emails = [newId(), newId()].map((name) => `${name}@example.com`)
    for (const email of emails) await call(updateEmail, { user_id, email })
    contacts.push('13811112222', ...emails)
    return user_id
  }

  test('are revealed to a counsellor for own people, and to finance and admin for all', async () => {
    const { server, school } = stage
    const { corp_id } = school
    const { user_id } = (await server.call(createUser, { corp_id, area_code: '86', mobile: '13811113333' }))
      .data
    const reveal = async (role: keyof typeof staff) => {
      const { code, data } = await staff[role].call(fetchContact, { user_id, contact_type: 'mobile' })
      return code === 0 ? data.value[1] : code
    }
    const all = async () => [
      await reveal('counsellor'),
      await reveal('finance'),
      await reveal('admin'),
      await reveal('viewer'),
    ]
    const mobile = '13811113333'
    expect(await all()).toEqual([40303, mobile, mobile, 40303])
    await server.call(updatePool, { corp_id, user_id, pool: 'alive' })
    expect(await all()).toEqual([40303, mobile, mobile, 40303])
    const owner = { corp_id, user_id, owner_id: staff.counsellor.staff_id, event_type: 'add' }
    await server.call(updateOwner, owner)
    expect(await all()).toEqual([mobile, mobile, mobile, 40303])
  })
})

describe('a counsellor', () => {
  /** Otherwise counsellors would not need claims, and limits would have no effect. */
  test('becomes an owner of people in the public pool by claims only', async () => {
    const { server, school } = stage
    const { corp_id } = school
    const own = staff.counsellor.staff_id
    const contact = { area_code: '86', mobile: '13811116666' }
    const { user_id } = (await server.call(createUser, { corp_id, ...contact })).data
    const before = await fingerprint(server)
    const operation = (id: string) => endpoints.find((endpoint) => endpoint.id === id)!
    const ways: [string, object][] = [
      ['updateOwner', { user_id, owner_id: own, event_type: 'add' }],
      ['updateOwner', { user_id, owner_id: 'somebody-else', event_type: 'add' }],
      ['bulkUpdateUsers', { user_ids: [user_id], add_owner_ids: [own] }],
      ['importLead', { user_id, owner_ids: [own] }],
      ['importLead', { ...contact, oid: own }],
    ]
    for (const [id, input] of ways) {
      const { code } = await staff.counsellor.call(operation(id), input as Record<string, unknown>)
      expect([id, code]).toEqual([id, 40303])
    }
    const batch = { leads: [{ ...contact, owner_ids: [own] }] }
    const { data } = await staff.counsellor.call(operation('importLeads'), batch)
    expect(data.list).toMatchObject([{ code: 40303, lead_id: null }])
    expect(await fingerprint(server)).toEqual(before)
    const claim = await staff.counsellor.call(operation('claimUser'), { user_id, owner_id: own })
    expect(claim.code).toBe(0)
    const shared = { user_id, owner_id: 'somebody-else', event_type: 'add' }
    expect((await staff.counsellor.call(operation('updateOwner'), shared)).code).toBe(0)
  })

  test('does not get people by a lead that names the counsellor as owner', async () => {
    const { server, school } = stage
    const { corp_id } = school
    const { user_id } = (await server.call(createUser, { corp_id, area_code: '86', mobile: '13811115555' }))
      .data
    await server.call(updatePool, { corp_id, user_id, pool: 'alive' })
    const lead = { area_code: '86', mobile: '13811115555', owner_ids: [staff.counsellor.staff_id] }
    const importLeads = endpoints.find(({ id }) => id === 'importLeads')!
    const { data } = await staff.counsellor.call(importLeads, { leads: [lead] })
    expect(data.list).toMatchObject([{ code: 40303, lead_id: null }])
    const { code } = await staff.counsellor.call(fetchContact, { user_id, contact_type: 'mobile' })
    expect(code).toBe(40303)
  })
})

/** Its example on this school; enough for a caller who is refused before the input is read. */
function exampleInput(endpoint: Endpoint): Record<string, unknown> {
  try {
    return validInput(endpoint, stage.school)
  } catch {
    return { ...(endpoint.example.input as object), corp_id: stage.school.corp_id }
  }
}
