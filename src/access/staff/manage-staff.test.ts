import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire } from '../../../test/harness/staff.ts'
import { ApiError } from '../../contract/errors.ts'
import { newId } from '../../contract/new-id.ts'
import { updateRole } from './colleagues.ts'
import { changeRole, disableStaff, inviteStaff } from './manage-staff.ts'
import { listColleagues } from './staff-store.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())

const rounds = 12
type Person = Awaited<ReturnType<typeof hire>>

const owner = ({ corp_id }: { corp_id: string }) => server.database.owner.of(corp_id)
/** The exit code of a command of the operator. */
const codeOf = (done: Promise<unknown>) =>
  done.then(
    () => 0,
    (error: ApiError) => (error instanceof ApiError ? error.code : Promise.reject(error)),
  )
const administratorsOf = async (corp_id: string) =>
  (await listColleagues(owner({ corp_id }), corp_id)).filter(
    ({ role, is_disabled }) => role === 'admin' && !is_disabled,
  )

/** Ways to end somebody's administration, by another administrator or by the operator. */
const ways = {
  demote: async (by: Person, { corp_id, staff_id }: Person) =>
    (await by.tab.call(updateRole, { corp_id, staff_id, role: 'viewer' })).code,
  remove: async (by: Person, { corp_id, staff_id }: Person) =>
    (await by.tab.call(updateRole, { corp_id, staff_id, role: 'none' })).code,
  disable: (_: Person, person: Person) => codeOf(disableStaff(owner(person), person, true, new Date())),
}
type Way = keyof typeof ways

describe('of two administrators, one remains', () => {
  const mixes: [Way, Way][] = [
    ['demote', 'demote'],
    ['demote', 'remove'],
    ['remove', 'remove'],
    ['demote', 'disable'],
    ['remove', 'disable'],
    ['disable', 'disable'],
  ]

  test.each(mixes)(
    `where at the same moment one is to be ended by %s, the other by %s (${rounds} rounds)`,
    async (first, second) => {
      for (let round = 0; round < rounds; round++) {
        const { corp_id } = await openOrganization(server)
        const [one, two] = [await hire(server, 'admin', corp_id), await hire(server, 'admin', corp_id)]
        const codes = await Promise.all([ways[first](one, two), ways[second](two, one)])
        expect(codes.filter((code) => code === 0).length, `round ${round}: ${codes}`).toBe(1)
        expect((await administratorsOf(corp_id)).length, `round ${round}`).toBe(1)
      }
    },
  )

  test('if both leave at the same moment', async () => {
    const { corp_id } = await openOrganization(server)
    const people = [await hire(server, 'admin', corp_id), await hire(server, 'admin', corp_id)]
    const codes = await Promise.all(people.map((person) => ways.remove(person, person)))
    expect(codes.sort()).toEqual([0, 40904])
  })
})

describe('the last administrator who can sign in', () => {
  test('is not demoted, removed or disabled while the only other one has not accepted the invitation', async () => {
    const { corp_id } = await openOrganization(server)
    const person = await hire(server, 'admin', corp_id)
    const wanted = { staff_id: newId(), corp_id, email: `${newId()}@example.com`, name: 'Invited' }
    const invited = await inviteStaff(owner(person), { ...wanted, role: 'admin' }, new Date())
    for (const end of Object.values(ways)) expect(await end(person, person)).toBe(40904)
    // A disabled administrator cannot take over either.
    const other = await hire(server, 'admin', corp_id)
    await disableStaff(owner(person), other, true, new Date())
    expect(await ways.demote(person, person)).toBe(40904)
    await disableStaff(owner(person), other, false, new Date())
    expect(await ways.demote(person, person)).toBe(0)
    // The invitation itself may be withdrawn.
    const role = { corp_id, staff_id: invited.staff_id, role: null }
    expect(await codeOf(changeRole(owner(person), role, new Date()))).toBe(0)
  })

  test('may be an invited one, if none has accepted yet', async () => {
    const { corp_id } = await openOrganization(server)
    const invite = (name: string) =>
      inviteStaff(
        owner({ corp_id }),
        { staff_id: newId(), corp_id, email: `${newId()}@example.com`, name, role: 'admin' },
        new Date(),
      )
    const [first, second] = [await invite('First'), await invite('Second')]
    const leave = ({ staff_id }: { staff_id: string }) =>
      codeOf(changeRole(owner({ corp_id }), { corp_id, staff_id, role: null }, new Date()))
    expect(await leave(first)).toBe(0)
    expect(await leave(second)).toBe(40904)
  })
})
