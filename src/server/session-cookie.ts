import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { parseCookie, stringifySetCookie } from 'cookie'
import { ApiError } from '../contract/errors.ts'
import { sessionLimitMs } from '../staff/sessions.ts'

const name = 'matricula_session'

/** What the browser holds of a session; undefined where nobody is signed in. */
export function sessionTokenOf({ headers: { cookie } }: IncomingMessage): string | undefined {
  return cookie?.includes(name) ? parseCookie(cookie)[name] : undefined
}

/** The header that lets a browser keep a session, or with null forget it. No script can read it, no other site send it. */
export function sessionCookie(request: IncomingMessage, token: string | null): string {
  return stringifySetCookie({
    name,
    value: token ?? '',
    httpOnly: true,
    sameSite: 'lax',
    secure: isEncrypted(request),
    path: '/',
    maxAge: token === null ? 0 : sessionLimitMs / 1000,
  })
}

/** Here or by the proxy before us: who forges that harms their own cookie only. */
function isEncrypted({ socket, headers }: IncomingMessage): boolean {
  return (socket as TLSSocket).encrypted === true || headers['x-forwarded-proto'] === 'https'
}

/**
 * A browser sends the cookie along with what pages of other sites make it send. It also says where a call comes from; one
 * that does not is no browser of today, and must at least have been told our own address.
 */
export function refuseOtherOrigin({ method, headers }: IncomingMessage): void {
  if (method === 'GET' || method === 'HEAD') return
  const site = headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return
  if (site === undefined && hostOf(headers.origin) === headers.host) return
  throw new ApiError('otherOrigin')
}

function hostOf(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}
