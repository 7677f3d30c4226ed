import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Site } from '../access/staff/console-context.ts'
import { sessionLimitMs } from '../access/staff/sessions.ts'
import { ticketLifeMs } from '../access/staff/ticket.ts'
import { ApiError } from '../contract/errors.ts'

/** Cookies. Scripts cannot read them. Other sites cannot send the ticket, nor change anything with the session. */
const cookies = {
  session: { name: 'matricula_session', sameSite: 'lax', maxAge: sessionLimitMs / 1000 },
  ticket: { name: 'matricula_ticket', sameSite: 'strict', maxAge: ticketLifeMs / 1000 },
} as const
type CookieKind = keyof typeof cookies

/** The value of a cookie. */
export function cookieOf(
  request: IncomingMessage,
  kind: CookieKind,
  publicUrl: URL | undefined,
): string | undefined {
  const { cookie } = request.headers
  if (!cookie?.includes(cookies[kind].name)) return undefined
  return parseCookie(cookie)[nameOf(kind, isEncrypted(request, publicUrl))]
}

/** The Set-Cookie header that stores a cookie, or deletes it if the value is null. */
export function setCookie(
  request: IncomingMessage,
  kind: CookieKind,
  value: string | null,
  publicUrl: URL | undefined,
): string {
  const { sameSite, maxAge } = cookies[kind]
  const secure = isEncrypted(request, publicUrl)
  return stringifySetCookie({
    name: nameOf(kind, secure),
    value: value ?? '',
    httpOnly: true,
    sameSite,
    secure,
    path: '/',
    maxAge: value === null ? 0 : maxAge,
  })
}

/** Browsers accept a `__Host-` cookie only from our own host over TLS, so a sibling domain cannot set it. */
function nameOf(kind: CookieKind, isSecure: boolean): string {
  return isSecure ? `__Host-${cookies[kind].name}` : cookies[kind].name
}

/** By the public URL, the socket, or the proxy. A forged X-Forwarded-Proto affects only the forger's cookie. */
function isEncrypted({ socket, headers }: IncomingMessage, publicUrl: URL | undefined): boolean {
  if (publicUrl?.protocol === 'https:') return true
  return (socket as TLSSocket).encrypted === true || headers['x-forwarded-proto'] === 'https'
}

/**
 * The origin that browsers see: the configured URL, or localhost. The Host header is not trusted: it must not decide where
 * passkeys are valid and where providers send people.
 */
export function siteOf(request: IncomingMessage, publicUrl: URL | undefined): Site {
  if (publicUrl) return { origin: publicUrl.origin, rpId: publicUrl.hostname }
  const { host = '' } = request.headers
  if (!/^localhost(:[0-9]{1,5})?$/.test(host)) throw new ApiError('siteUnknown')
  return { origin: `${isEncrypted(request, publicUrl) ? 'https' : 'http'}://${host}`, rpId: 'localhost' }
}

/**
 * Refuses requests that pages of other sites cause, reads included. A request without a stated origin passes only as a read
 * that is no navigation: with SameSite=Lax, only navigations carry the cookie from another site.
 */
export function refuseOtherOrigin(request: IncomingMessage): void {
  const { method, headers } = request
  const isFetched = (method === 'GET' || method === 'HEAD') && !/\btext\/html\b/.test(headers.accept ?? '')
  if (isFromOurPage(request) ?? isFetched) return
  throw new ApiError('otherOrigin')
}

/**
 * Whether our own page or the address bar causes the request. Undefined if unknown: browsers send Sec-Fetch-Site to https
 * and localhost only, and no Origin with same-site reads.
 */
export function isFromOurPage({ headers }: IncomingMessage): boolean | undefined {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return headers.origin === undefined ? undefined : hostOf(headers.origin) === headers.host
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
