import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Site } from '../access/staff/console-context.ts'
import { sessionLimitMs } from '../access/staff/sessions.ts'
import { ticketLifeMs } from '../access/staff/ticket.ts'
import { ApiError } from '../contract/errors.ts'

/** What browsers keep for us. No script can read it; no other site can send the ticket, nor change anything by the session. */
const cookies = {
  session: { name: 'matricula_session', sameSite: 'lax', maxAge: sessionLimitMs / 1000 },
  ticket: { name: 'matricula_ticket', sameSite: 'strict', maxAge: ticketLifeMs / 1000 },
} as const
type CookieKind = keyof typeof cookies

/** What the browser holds; undefined where that is nothing. */
export function cookieOf(
  request: IncomingMessage,
  kind: CookieKind,
  publicUrl: URL | undefined,
): string | undefined {
  const { cookie } = request.headers
  if (!cookie?.includes(cookies[kind].name)) return undefined
  return parseCookie(cookie)[nameOf(kind, isEncrypted(request, publicUrl))]
}

/** The header that lets a browser keep it, or with null forget it. */
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

/** Of a name with __Host-, browsers take a cookie from our own host only, and only over TLS: a sister site can plant none. */
function nameOf(kind: CookieKind, isSecure: boolean): string {
  return isSecure ? `__Host-${cookies[kind].name}` : cookies[kind].name
}

/** By the public address, where that is of https. Else here or by the proxy before us: a forger harms only their own cookie. */
function isEncrypted({ socket, headers }: IncomingMessage, publicUrl: URL | undefined): boolean {
  if (publicUrl?.protocol === 'https:') return true
  return (socket as TLSSocket).encrypted === true || headers['x-forwarded-proto'] === 'https'
}

/**
 * Where the browser sees us: the address that was set, or else localhost. Any other Host is what a caller says, which
 * must not decide for whom passkeys are good and where providers send people.
 */
export function siteOf(request: IncomingMessage, publicUrl: URL | undefined): Site {
  if (publicUrl) return { origin: publicUrl.origin, rpId: publicUrl.hostname }
  const { host = '' } = request.headers
  if (!/^localhost(:[0-9]{1,5})?$/.test(host)) throw new ApiError('siteUnknown')
  return { origin: `${isEncrypted(request, publicUrl) ? 'https' : 'http'}://${host}`, rpId: 'localhost' }
}

/**
 * A browser adds the cookie to requests that pages of other sites cause, reads included. Those are refused. A request that does
 * not say where it comes from passes only as a read that is no navigation: with SameSite=Lax, a navigation is the one
 * read that carries the cookie from another site.
 */
export function refuseOtherOrigin(request: IncomingMessage): void {
  const { method, headers } = request
  const isFetched = (method === 'GET' || method === 'HEAD') && !/\btext\/html\b/.test(headers.accept ?? '')
  if (isFromOurPage(request) ?? isFetched) return
  throw new ApiError('otherOrigin')
}

/**
 * Whether our own page causes the request, or the person by typing the address. Undefined where nothing says so: browsers send
 * Sec-Fetch-Site to https addresses and localhost only, and Origin not with reads of the page's own site.
 */
export function isFromOurPage({ headers }: IncomingMessage): boolean | undefined {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return headers.origin === undefined ? undefined : hostOf(headers.origin) === headers.host
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
