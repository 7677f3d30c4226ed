import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../access/caller.ts'
import { clientAddress, isWithin, type TrustProxy } from '../../access/client-address.ts'
import {
  hasEnded,
  isInForce,
  isSuspendedEverywhere,
  type ProgramCaller,
} from '../../access/organizations/account-store.ts'
import type { ConsoleAccess } from '../../access/staff/console-context.ts'
import type { Auth } from '../../access/tokens/auth.ts'
import { requireCallSignature } from '../../access/tokens/call-signature.ts'
import type { Account } from '../../contract/caller.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Origin } from '../../contract/origin.ts'
import type { Database } from '../../database/database.ts'
import type { Call } from '../call.ts'
import { cookieOf, refuseOtherOrigin, setCookie, siteOf } from '../session-cookie.ts'

/**
 * The program of a genuine, unexpired and unrevoked token, or the member of staff of a session cookie. A cached account
 * is returned without a promise.
 */
export function identify(
  { accessTokens, directory, sessions }: Auth,
  request: IncomingMessage,
  { trustProxy, publicUrl }: { trustProxy: TrustProxy; publicUrl: URL | undefined },
  now: Date,
): Caller | Promise<Caller> {
  const { headers } = request
  if (headers.authorization === undefined && headers.cookie !== undefined) {
    const session = cookieOf(request, 'session', publicUrl)
    if (session !== undefined) {
      refuseOtherOrigin(request)
      return sessions.find(session, now)
    }
  }
  const token = accessTokens.read(tokenOf(headers.authorization), now)
  const appId = headers['x-app-id']
  if (appId !== undefined && appId !== '' && appId !== token.app_id) throw new ApiError('appIdMismatch')
  const check = (caller: ProgramCaller | undefined) => {
    if (!caller || hasEnded(caller, now) || !isInForce(caller, token, now)) throw new ApiError('revokedToken')
    const { allowed_networks } = caller
    if (allowed_networks.length > 0 && !isWithin(allowed_networks, clientAddress(request, trustProxy)))
      throw new ApiError('addressNotAllowed')
    if (isSuspendedEverywhere(caller)) throw new ApiError('organizationSuspended')
    return caller
  }
  const found = directory.ofToken(token)
  return found instanceof Promise ? found.then(check) : check(found)
}

const scheme = /^Bearer +/i

function tokenOf(header = ''): string {
  if (header.trim() === '') throw new ApiError('noToken')
  const schemeLength = header.startsWith('Bearer ') ? 'Bearer '.length : scheme.exec(header)?.[0].length
  const token = schemeLength === undefined ? '' : header.slice(schemeLength).trim()
  if (token === '') {
    const msg = 'Authorization must be Bearer followed by a space and the token.'
    throw new ApiError('invalidToken', { msg })
  }
  return token
}

/** Refuses a call that is not signed with a secret of the account, or whose signature was seen before. */
export async function requireSignature(
  auth: Auth,
  account: Account,
  { method, path }: Endpoint,
  { request, body = Buffer.alloc(0) }: Call,
  now: Date,
): Promise<void> {
  await requireCallSignature(auth, account, request.headers, { method, path, body }, now)
}

interface EntranceOptions extends OriginOptions {
  publicUrl: URL | undefined
}

/** The address of the client, and cookies and database handles for operations that sign people in and out. */
export function entranceOf(
  endpoint: Endpoint,
  call: Call,
  db: Database,
  options: EntranceOptions,
): { address: string; access: ConsoleAccess } {
  const { request, headers } = call
  const { publicUrl } = options
  const origin = originOf(endpoint, call, options)
  const access: ConsoleAccess = {
    of(scope, staff_id) {
      const isStaff = staff_id !== undefined && origin.actor_kind !== 'support'
      const author: Origin = isStaff ? { ...origin, actor_kind: 'staff', actor_id: staff_id } : origin
      return db.forStrangers(scope, author, { endsAtMs: Number.POSITIVE_INFINITY, times: call.times })
    },
    keepSession: (token) => headers.push('set-cookie', setCookie(request, 'session', token, publicUrl)),
    site: () => siteOf(request, publicUrl),
    ticket: cookieOf(request, 'ticket', publicUrl),
    keepTicket: (ticket) => headers.push('set-cookie', setCookie(request, 'ticket', ticket, publicUrl)),
  }
  return { address: origin.address, access }
}

/** The name of an author in the audit. */
export function actorKindOf(caller: Caller): Origin['actor_kind'] {
  if (caller.kind !== 'staff') return 'account'
  return caller.session.support ? 'support' : 'staff'
}

interface OriginOptions {
  trustProxy: TrustProxy
}

/** The origin of a call for the audit. Before authentication, only the IP address is known. */
export function originOf(
  { id }: Endpoint,
  { caller, request, requestId }: Call,
  { trustProxy }: OriginOptions,
): Origin & { address: string } {
  return {
    actor_kind: caller ? actorKindOf(caller) : 'account',
    actor_id: caller?.app_id ?? '',
    address: clientAddress(request, trustProxy),
    operation: id,
    request_id: requestId,
  }
}
