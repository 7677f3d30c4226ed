import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../access/caller.ts'
import { clientAddress, isWithin, type TrustProxy } from '../../access/client-address.ts'
import { hasEnded, isInForce, type ProgramCaller } from '../../access/organizations/account-store.ts'
import type { Auth } from '../../access/tokens/auth.ts'
import { ApiError } from '../../contract/errors.ts'
import { cookieOf, refuseOtherOrigin } from '../session-cookie.ts'

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
