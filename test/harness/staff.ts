import { argon2Sync, randomBytes } from 'node:crypto'
import { inviteStaff, makeLink } from '../../src/access/staff/manage-staff.ts'
import type { Role } from '../../src/access/staff/roles.ts'
import { deleteLinksOf } from '../../src/access/staff/session-store.ts'
import { beginSession } from '../../src/access/staff/sessions.ts'
import { type AccountKey, setPassword } from '../../src/access/staff/staff-store.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import type { Answer, TestServer } from './server.ts'

export const password = 'correct horse battery'
export const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' }

/** A browser tab. It keeps cookies, and calls as the pages of the console do. */
export interface Tab {
  /** The value of its Cookie header. */
  readonly cookie: string | undefined
  call(endpoint: Endpoint, input?: object, headers?: Record<string, string>): Promise<Answer>
}

/** Opens a tab, signed in if the token of a session is given. */
export function openTab(server: TestServer, sessionToken?: string): Tab {
  const cookies = new Map<string, string>()
  if (sessionToken !== undefined) cookies.set(sessionCookie, sessionToken)
  const tab = {
    get cookie() {
      return cookies.size === 0 ? undefined : [...cookies].map((pair) => pair.join('=')).join('; ')
    },
    async call(endpoint: Endpoint, input: object = {}, headers: Record<string, string> = sameOrigin) {
      const { cookie } = tab
      const options = { token: null, headers: { ...headers, ...(cookie && { Cookie: cookie }) } }
      const answer = await server.call(endpoint, { ...input }, options)
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
  }
  return tab
}

const sessionCookie = 'matricula_session'

/** Adds a member of staff with a password, and signs them in. */
export async function hire(
  server: TestServer,
  role: Role,
  corp_id: string,
  email = `${newId()}@example.com`,
): Promise<{ tab: Tab; email: string } & AccountKey> {
  const { staff_id, token } = await addSignedIn(server, { corp_id, email, role })
  return { tab: openTab(server, token), email, corp_id, staff_id }
}

/** Skips the invitation link and its password hash, which take most of the time of a test. */
export async function addSignedIn(
  server: TestServer,
  { corp_id, email, role }: { corp_id: string; email: string; role: Role },
): Promise<{ staff_id: string; token: string }> {
  const on = server.database.owner.of(corp_id)
  const now = new Date()
  const wanted = { staff_id: newId(), corp_id, email, name: `A ${role}`, role }
  const { staff_id } = await inviteStaff(on, wanted, now)
  const password_hash = hashOfPassword
  const token = await on.transaction(async (tx) => {
    await setPassword(tx, { corp_id, staff_id }, password_hash, now)
    await deleteLinksOf(tx, { corp_id, staff_id })
    return beginSession(tx, { corp_id, staff_id }, { password_hash }, now)
  })
  return { staff_id, token }
}

/** With the lowest cost, which a check reads from the hash: argon2 is slow on purpose. */
const hashOfPassword = (() => {
  const nonce = randomBytes(16)
  const [memory, passes, parallelism] = [8, 1, 1]
  const tag = argon2Sync('argon2id', { message: password, nonce, tagLength: 32, memory, passes, parallelism })
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${salt}$${hash}`
})()

/** A link for a new password, as the command line makes it. */
export function linkFor(server: TestServer, account: AccountKey): Promise<string> {
  return makeLink(server.database.owner.of(account.corp_id), account, 'password', new Date())
}

/** A signed-in member of staff. */
export interface TestColleague {
  staff_id: string
  /** The headers that a browser adds. */
  headers: Record<string, string>
  /** Calls an operation on the organization they work in. */
  call(endpoint: Endpoint, input?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>
}

/** Adds a member of staff without a password, and signs them in. */
export async function hireStaff(server: TestServer, corp_id: string, role: Role): Promise<TestColleague> {
  const on = server.database.owner.of(corp_id)
  const wanted = { staff_id: newId(), corp_id, email: `${newId()}@staff.example`, name: `A ${role}`, role }
  const { staff_id } = await inviteStaff(on, wanted, new Date())
  const token = await on.transaction((tx) => beginSession(tx, { corp_id, staff_id }, {}, new Date()))
  const headers = { Cookie: `${sessionCookie}=${token}`, ...sameOrigin }
  return {
    staff_id,
    headers,
    call: (endpoint, input = {}, more = {}) =>
      server.call(endpoint, { corp_id, ...input }, { token: null, headers: { ...headers, ...more } }),
  }
}
