import { afterAll, beforeAll, expect, test } from 'vitest'
import { referenceTables, tenantTables } from '../src/database/tables.ts'
import { endpoints } from '../src/endpoints.ts'
import { type School, sampleSchool, stockOrders } from './conformance/school.ts'
import { validInput } from './conformance/valid-inputs.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

let server: TestServer
let school: School
let token: string

beforeAll(async () => {
  server = await startTestServer()
  school = await sampleSchool(server)
  school.stock = await stockOrders(server, school, 50)
  token = await server.tokenOf(server.sample)
})
afterAll(() => server.close())

test.each(endpoints.filter(({ method }) => method === 'GET'))(
  '$path answers while every table is locked against writers',
  async (endpoint) => {
    const { database } = server
    const input = validInput(endpoint, school)
    const locker = await database.superuser.connect()
    try {
      // Plain reads succeed; `for update` and every write would wait.
      await locker.query(`begin; lock table ${[...tenantTables, ...referenceTables]} in exclusive mode`)
      const answered = server.call(endpoint, input, { token })
      const first = await Promise.race([answered, waitForLockedSession(answered)])
      expect(first, 'the read waits for a lock').toMatchObject({ code: 0 })
    } finally {
      await locker.query('rollback')
      locker.release()
    }
  },
)

/** Resolves once a session of the server waits for a lock, or once there is a response. */
async function waitForLockedSession(answered: Promise<unknown>): Promise<unknown> {
  let isAnswered = false
  answered.finally(() => {
    isAnswered = true
  })
  while (!isAnswered) {
    if ((await server.database.lockWaits()) > 0) return 'a session that waits'
  }
  return answered
}
