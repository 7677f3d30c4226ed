import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrganization } from '../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { hire } from '../../test/harness/staff.ts'
import { updateRole } from './colleagues.ts'
import { fetchSession } from './fetch-session.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())

const rounds = 12

describe('of two administrators one stays', () => {
  test(`however often they demote each other at the same moment (${rounds} rounds)`, async () => {
    for (let round = 0; round < rounds; round++) {
      const { corp_id } = await openOrganization(server)
      const [one, two] = [await hire(server, 'admin', corp_id), await hire(server, 'admin', corp_id)]
      const codes = await Promise.all([
        one.tab.call(updateRole, { corp_id, staff_id: two.staff_id, role: 'viewer' }),
        two.tab.call(updateRole, { corp_id, staff_id: one.staff_id, role: 'viewer' }),
      ])
      const roles = await Promise.all(
        [one, two].map(async ({ tab }) => JSON.stringify((await tab.call(fetchSession)).data)),
      )
      expect(codes.filter(({ code }) => code === 0).length, `round ${round}`).toBe(1)
      expect(roles.filter((each) => each.includes('"admin"')).length, `round ${round}`).toBe(1)
    }
  })
})
