import type { IncomingMessage } from 'node:http'
import { clientAddress, isWithin, type TrustProxy } from '../access/client-address.ts'
import {
  type CallingAccount,
  type GrantedAccount,
  hasEnded,
  isInForce,
} from '../access/organizations/account-store.ts'
import type { Auth } from '../access/tokens/auth.ts'
import { ApiError } from '../contract/errors.ts'
import { cookieOf, refuseOtherOrigin } from './session-cookie.ts'

/**
 * Who is calling: the account of a token that is genuine, alive and not revoked, or else who is signed in. A remembered
 * account is there at once.
 */
export function identify(
  { accessTokens, directory, sessions }: Auth,
  request: IncomingMessage,
  { trustProxy, publicUrl }: { trustProxy: TrustProxy; publicUrl: URL | undefined },
  now: Date,
): GrantedAccount | Promise<GrantedAccount> {
  const { headers } = request
  if (headers.authorization === undefined && headers.cookie !== undefined) {
    const session = cookieOf(request, 'session', publicUrl)
    if (session !== undefined) {
      refuseOtherOrigin(request)
      return sessions.find(session, now)
    }
  }
  const token = accessTokens.read(tokenOf(headers.authorization), now)
  const named = headers['x-app-id']
  if (named !== undefined && named !== '' && named !== token.app_id) throw new ApiError('appIdMismatch')
  const checked = (account: CallingAccount | undefined) => {
    if (!account || hasEnded(account, now) || !isInForce(account, token, now))
      throw new ApiError('revokedToken')
    const { allowed_networks } = account
    if (allowed_networks.length > 0 && !isWithin(allowed_networks, clientAddress(request, trustProxy)))
      throw new ApiError('addressNotAllowed')
    return account
  }
  const account = directory.ofToken(token)
  return account instanceof Promise ? account.then(checked) : checked(account)
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
