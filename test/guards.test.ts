import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Outcome, outcomeOf, ownerships } from '../scripts/permissions-page.ts'
import { fetchSession } from '../src/access/staff/create-session.ts'
import { type Role, roleNames } from '../src/access/staff/roles.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { asksForConfirmation } from '../src/contract/guard.ts'
import { catalogue } from '../src/endpoints.ts'
import { importLead, importLeads } from '../src/people/leads/import-leads.ts'
import { takeLead } from '../src/people/leads/take-lead.ts'
import { fetchUser } from '../src/people/users/fetch-profile.ts'
import { fingerprint, type School, stockOrders, untilQuiet } from './conformance/school.ts'
import { type Stage, setStage } from './conformance/stage.ts'
import type { Input } from './conformance/valid-inputs.ts'
import { inputOn, isKnown, makePerson, type Whose, wholeNumber } from './guards/people.ts'
import type { Answer } from './harness/server.ts'
import { hireStaff, type TestColleague } from './harness/staff.ts'

/** The declared guards of all operations, against the calls of every role. docs/permissions.md shows the same as tables. */

const stage = {} as Stage
const staff = {} as Record<Role, TestColleague>
let colleague: TestColleague
beforeAll(async () => {
  Object.assign(stage, await setStage())
  const { corp_id } = stage.school
  for (const role of roleNames) staff[role] = await hireStaff(stage.server, corp_id, role)
  colleague = await hireStaff(stage.server, corp_id, 'counsellor')
  // Sessions record when they were last seen. With a fixed time, nothing else is written.
  stage.server.setNow(new Date())
})
afterAll(() => stage.server?.close())

const ofOrganization = catalogue.filter(({ scope }) => scope === 'organization')
const everyWhose: Whose[] = [
  ...(Object.keys(ownerships) as (keyof typeof ownerships)[]),
  'merged into other',
  'missing',
]

interface Case {
  endpoint: Endpoint
  whose: Whose
  input: Input
  expected: Outcome | 'not found'
}

/** Operations that concern no person are called once. One whose input names no user by id cannot miss one. */
function whoseOf({ guard, input }: Endpoint): Whose[] {
  if (guard.people === 'none') return ['mine']
  const namesUser = 'user_id' in input.properties && (input.required as string[]).includes('user_id')
  return everyWhose.filter((whose) => namesUser || isKnown(whose))
}

function expectedOf(endpoint: Endpoint, role: Role, whose: Whose): Case['expected'] {
  if (isKnown(whose)) return outcomeOf(endpoint, role, whose)
  const onOther = outcomeOf(endpoint, role, 'other')
  if (whose === 'merged into other') return onOther
  // A role without the permission learns nothing about the person.
  return outcomeOf(endpoint, role, 'mine') === 'refused' ? 'refused' : 'not found'
}

async function casesOf(role: Role): Promise<Case[]> {
  const { server, school } = stage
  const callers = { server, caller: staff[role], colleague }
  const cases: Case[] = []
  for (const whose of everyWhose) {
    const user_id = isKnown(whose) ? await makePerson(callers, school.corp_id, whose) : school.user_id
    const own: School = { ...school, user_id }
    own.stock = await stockOrders(server, own, 8)
    if (isKnown(whose)) Object.assign(own, await recordsOf(own))
    // Refusals and reads change nobody, so they can share one person.
    const shared = isKnown(whose) ? user_id : await makePerson(callers, school.corp_id, whose)
    for (const endpoint of ofOrganization.filter((each) => whoseOf(each).includes(whose))) {
      const expected = expectedOf(endpoint, role, whose)
      const known = isRefusal({ expected }) || endpoint.guard.effect === 'reads' ? shared : undefined
      const input = await inputOn(callers, own, endpoint, whose, known)
      cases.push({ endpoint, whose, input, expected })
    }
  }
  return cases
}

function isRefusal({ expected }: Pick<Case, 'expected'>): boolean {
  return expected !== 'allowed' && expected !== 'not found'
}

/** A lead of the person, and an order. */
async function recordsOf({ corp_id, user_id, stock }: School): Promise<Partial<School>> {
  const lead_id = `lead of ${user_id}`
  await stage.server.database.superuser.query(
    `insert into leads (corp_id, lead_id, user_id, app_id, fields, ctime) values ($1, $2, $3, 'test', '{}', now())`,
    [corp_id, lead_id, user_id],
  )
  return { lead_id, order_id: stock!.paid, sub_order_id: stock!.paid }
}

/** The class of a response, as in the table. */
function outcomeOfAnswer({ guard, id }: Endpoint, { code, status, data }: Answer): Case['expected'] | string {
  const [outcome] = id === 'importLeads' && code === 0 ? data.list : [{ code, data }]
  if (outcome.code === 0) return 'allowed'
  if (outcome.code === 40303 && data?.reason === 'payments_by_finance') return 'by setting'
  if (outcome.code === 40303) return data?.reason === 'unclaimed' ? 'claim first' : 'refused'
  // Instead, the claim rules name the holder.
  if (guard.people === 'own or pool' && status === 409) return 'refused'
  if (outcome.code === 40401) return 'not found'
  // A record of the console in the example does not exist, or is not in this state.
  if (guard.people === 'none' && (status === 404 || status === 409)) return 'allowed'
  return `${code} ${data?.errors ? JSON.stringify(data.errors) : ''}`
}

describe.each(roleNames)('a %s', (role) => {
  test('gets the outcome of the permission table from every operation, for every kind of person', async () => {
    const { server } = stage
    const cases = await casesOf(role)
    expect(cases.length).toBeGreaterThan(200)
    const run = async ({ endpoint, whose, input, expected }: Case) => {
      const answer = await staff[role].call(endpoint, input)
      const outcome = outcomeOfAnswer(endpoint, answer)
      const told = `${endpoint.id} on ${whose}`
      expect([told, byClaimRules(role, endpoint, whose, outcome)]).toEqual([told, expected])
      // Only an operation that discloses shows a whole number to staff.
      if (endpoint.guard.effect !== 'discloses')
        expect([told, wholeNumber.exec(JSON.stringify(answer.data))?.[0]]).toEqual([told, undefined])
    }
    const isFinal = ({ endpoint }: Case) => endpoint.guard.effect === 'irreversible'
    const [refusals, others] = [cases.filter(isRefusal), cases.filter((each) => !isRefusal(each))]
    // Refusals first, since allowed calls may continue in the background. Calls that end a record come last.
    await untilQuiet(server)
    const before = await fingerprint(server)
    for (const each of refusals) await run(each)
    expect(await fingerprint(server)).toEqual(before)
    for (const each of others.toSorted((a, b) => Number(isFinal(a)) - Number(isFinal(b)))) await run(each)
  })
})

/** No role claims or releases a person whom another owner holds. */
function byClaimRules(role: Role, { guard }: Endpoint, whose: Whose, outcome: string): string {
  const isClaim = guard.people === 'own or pool' && (role === 'finance' || role === 'admin')
  return isClaim && whose !== 'mine' && whose !== 'pool' && outcome === 'refused' ? 'allowed' : outcome
}

let ownerNumber = 1000

test('a counsellor adds owners to own people only, even if an operation reaches everybody', async () => {
  const { server, school } = stage
  const callers = { server, caller: staff.counsellor, colleague }
  const operations = ofOrganization.filter(({ guard }) => guard.people === 'everyone, owners of own')
  // Files are committed in the background, with the reach of their uploader: manage-claim-rules.test.ts.
  const named = operations.map(({ id }) => id).filter((id) => id !== 'commitLeadFile')
  expect(named).toEqual(['importLead', 'importLeads', 'takeLead'])
  for (const whose of Object.keys(ownerships) as (keyof typeof ownerships)[]) {
    const lead = {
      user_id: await makePerson(callers, school.corp_id, whose),
      owner_ids: [staff.counsellor.staff_id, 'adviser'],
    }
    const [one, many] = [
      await staff.counsellor.call(importLead, lead),
      await staff.counsellor.call(importLeads, { leads: [lead] }),
    ]
    const code = whose === 'mine' ? 0 : 40303
    expect([whose, one.code, many.data.list[0].code]).toEqual([whose, code, code])
    const { mobile } = (
      await stage.server.database.superuser.query(
        `update users set area_code = '86', mobile = $1 where user_id = $2 returning mobile`,
        [`1390000${ownerNumber++}`, lead.user_id],
      )
    ).rows[0]
    const taken = await staff.counsellor.call(takeLead, { area_code: '86', mobile })
    expect(taken.data).toMatchObject({ user_id: lead.user_id, is_owner_set: whose === 'mine' })
    const { data: person } = await staff.counsellor.call(fetchUser, { user_id: lead.user_id })
    expect(person.owner_ids.includes(staff.counsellor.staff_id)).toBe(whose === 'mine')
  }
})

describe('with a session of more than ten minutes', () => {
  const old = () => stage.server.setNow(new Date(Date.now() + 11 * 60_000))
  const forStaff = catalogue.filter(({ scope }) => scope === 'organization' || scope === 'staff')
  const inputOf = (endpoint: Endpoint) =>
    inputOn({ server: stage.server, caller: staff.admin, colleague }, stage.school, endpoint, 'mine')

  test('every operation that discloses, grants or cannot be reversed asks for confirmation and does nothing', async () => {
    const asking = forStaff.filter(({ guard }) => asksForConfirmation(guard))
    const inputs = new Map<Endpoint, Input>()
    for (const endpoint of asking) inputs.set(endpoint, await inputOf(endpoint))
    old()
    await staff.admin.call(fetchSession)
    await untilQuiet(stage.server)
    const before = await fingerprint(stage.server)
    for (const [endpoint, input] of inputs) {
      const { code } = await staff.admin.call(endpoint, {
        ...input,
        ...('dry_run' in input && { dry_run: false }),
      })
      expect([endpoint.id, code]).toEqual([endpoint.id, 40304])
    }
    expect(await fingerprint(stage.server)).toEqual(before)
    const ids = asking.map(({ id }) => id)
    expect(ids).toEqual(
      expect.arrayContaining(['exportUser', 'inviteColleague', 'resetColleague', 'updateRole']),
    )
  })

  test('no other operation asks, and no dry run does', async () => {
    const free = forStaff.filter(({ guard }) => !asksForConfirmation(guard))
    const rehearsed = forStaff.filter(
      ({ guard, input }) => asksForConfirmation(guard) && 'dry_run' in input.properties,
    )
    expect(rehearsed.length).toBeGreaterThan(3)
    old()
    for (const endpoint of rehearsed) {
      const { code } = await staff.admin.call(endpoint, { ...(await inputOf(endpoint)), dry_run: true })
      expect([endpoint.id, code]).not.toEqual([endpoint.id, 40304])
    }
    for (const endpoint of free.filter(({ id }) => id !== 'endSession')) {
      const { code } = await staff.admin.call(endpoint, await inputOf(endpoint))
      expect([endpoint.id, code]).not.toEqual([endpoint.id, 40304])
    }
  })
})

describe('the declared guards', () => {
  test('give every exception as a sentence, which docs/permissions.md lists', () => {
    const page = readFileSync(join(import.meta.dirname, '../docs/permissions.md'), 'utf8')
    for (const { id, guard } of catalogue) {
      const reasons = ['unconfirmed' in guard && guard.unconfirmed, 'why' in guard && guard.why]
      for (const reason of reasons.filter((each) => each !== false && each !== undefined)) {
        expect([id, reason]).toEqual([id, expect.stringMatching(/^[A-Z].{20,}\.$/)])
        expect(page).toContain(reason)
      }
    }
  })

  test('agree with the rest of the contract', () => {
    for (const { id, method, guard, ...endpoint } of catalogue) {
      const isRead = guard.effect === 'reads' || guard.effect === 'discloses'
      // This POST creates an export.
      const isPosted = id === 'createExport'
      expect([id, isRead]).toEqual([id, method === 'GET' || isPosted])
      const isNoted = 'discloses' in endpoint && endpoint.discloses !== undefined
      if (isNoted) expect([id, guard.effect]).toEqual([id, 'discloses'])
      // Reveals are counted when they are noted.
      if (guard.limit === 'reveals per hour') expect([id, isNoted]).toEqual([id, true])
    }
  })
})
