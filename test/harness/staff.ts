import { expect } from 'vitest'
import { choosePassword } from '../../src/access/staff/enter-by-link.ts'
import { inviteStaff, makeLink } from '../../src/access/staff/manage-staff.ts'
import type { Role } from '../../src/access/staff/roles.ts'
import { beginSession } from '../../src/access/staff/sessions.ts'
import type { AccountKey } from '../../src/access/staff/staff-store.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import type { Answer, TestServer } from './server.ts'

export const password = 'correct horse battery'
export const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' }

/** A tab of a browser: it keeps cookies, and says that its calls come from our own page. */
export interface Tab {
  /** As it sends them. */
  readonly cookie: string | undefined
  call(endpoint: Endpoint, input?: object, headers?: Record<string, string>): Promise<Answer>
}

export function openTab(server: TestServer): Tab {
  const cookies = new Map<string, string>()
  const tab = {
    get cookie() {
      return cookies.size === 0 ? undefined : [...cookies].map((pair) => pair.join('=')).join('; ')
    },
    async call(endpoint: Endpoint, input: object = {}, headers: Record<string, string> = sameOrigin) {
      const { cookie } = tab
      const options = { token: null, headers: { ...headers, ...(cookie && { Cookie: cookie }) } }
      const answer = await server.call(endpoint, { ...input }, options)
      for (const set of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
        if (value === '') cookies.delete(name!)
        else cookies.set(name!, value!)
      }
      return answer
    },
  }
  return tab
}

/** Somebody new on the staff, signed in. */
export async function hire(
  server: TestServer,
  role: Role,
  corp_id: string,
  email = `${newId()}@example.com`,
): Promise<{ tab: Tab; email: string } & AccountKey> {
  const wanted = { staff_id: newId(), corp_id, email, name: `A ${role}`, role }
  const { link, staff_id } = await inviteStaff(server.database.owner.of(corp_id), wanted, new Date())
  const tab = openTab(server)
  expect(await tab.call(choosePassword, { link, password })).toMatchObject({ code: 0 })
  return { tab, email, corp_id, staff_id }
}

/** A link for a new password, as the command line makes it. */
export function linkFor(server: TestServer, account: AccountKey): Promise<string> {
  return makeLink(server.database.owner.of(account.corp_id), account, 'password', new Date())
}

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
  const on = server.database.owner.of(corp_id)
  const wanted = { staff_id: newId(), corp_id, email: `${newId()}@staff.example`, name: `A ${role}`, role }
  const { staff_id } = await inviteStaff(on, wanted, new Date())
  const token = await on.transaction((tx) => beginSession(tx, { corp_id, staff_id }, {}, new Date()))
  const headers = { Cookie: `matricula_session=${token}`, 'Sec-Fetch-Site': 'same-origin' }
  return {
    staff_id,
    headers,
    call: (endpoint, input = {}, more = {}) =>
      server.call(endpoint, { corp_id, ...input }, { token: null, headers: { ...headers, ...more } }),
  }
}
