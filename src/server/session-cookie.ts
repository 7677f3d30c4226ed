import type { IncomingMessage } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import { ApiError } from '../contract/errors.ts'
import { sessionLimitMs } from '../staff/sessions.ts'
import type { Call } from './call.ts'

const name = 'matricula_session'

/** What the browser holds of a session; undefined where nobody is signed in. */
export function sessionTokenOf({ headers }: IncomingMessage): string | undefined {
  const { cookie } = headers
  return cookie?.includes(name) ? parseCookie(cookie)[name] : undefined
}
