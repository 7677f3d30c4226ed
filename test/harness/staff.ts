import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { inviteStaff } from '../../src/staff/manage-staff.ts'
import type { Role } from '../../src/staff/roles.ts'
import { createSessions } from '../../src/staff/sessions.ts'
import type { Answer, TestServer } from './server.ts'

/** Somebody who is signed in. */
export interface TestColleague {
  staff_id: string
  /** What a browser sends along. */
  headers: Record<string, string>
  /** Calls an operation on the organization they work in. */
  call(endpoint: Endpoint, input?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>
}

/** Hires somebody and signs them in; how people sign in has tests of its own. */
export async function hireStaff(server: TestServer, corp_id: string, role: Role): Promise<TestColleague> {
  const on = server.database.owner.shared
  const wanted = { staff_id: newId(), corp_id, email: `${newId()}@staff.example`, name: `A ${role}`, role }
  const { staff_id } = await inviteStaff(on, wanted, new Date())
  const token = await createSessions(on).begin(staff_id, new Date())
  const headers = { Cookie: `matricula_session=${token}`, 'Sec-Fetch-Site': 'same-origin' }
  return {
    staff_id,
    headers,
    call: (endpoint, input = {}, more = {}) =>
      server.call(endpoint, { corp_id, ...input }, { token: null, headers: { ...headers, ...more } }),
  }
}
