import { expect } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { choosePassword } from '../../src/staff/enter-by-link.ts'
import { inviteStaff } from '../../src/staff/manage-staff.ts'
import type { Role } from '../../src/staff/roles.ts'
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
): Promise<{ tab: Tab; email: string; staff_id: string }> {
  const wanted = { staff_id: newId(), corp_id, email, name: `A ${role}`, role }
  const { link, staff_id } = await inviteStaff(server.database.owner.shared, wanted, new Date())
  const tab = openTab(server)
  if (link) expect(await tab.call(choosePassword, { link, password })).toMatchObject({ code: 0 })
  return { tab, email, staff_id }
}
