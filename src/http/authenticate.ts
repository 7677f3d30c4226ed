import type { FastifyRequest } from 'fastify'
import { ApiError } from '../contract/errors.ts'
import type { GrantedAccount } from '../organizations/account-store.ts'
import type { Authority } from '../tokens/authority.ts'

/** Who is calling: the account of a token that is genuine, alive and not revoked. */
export async function authenticate(
  authority: Authority,
  request: FastifyRequest,
  now: Date,
): Promise<GrantedAccount> {
  const token = tokenOf(request.headers.authorization)
  const claims = authority.accessTokens.read(token, now)
  const appId = request.headers['x-app-id']
  if (appId !== undefined && appId !== '' && appId !== claims.app_id) throw new ApiError('appIdMismatch')
  const account = await authority.directory.find(claims.app_id)
  if (!account || account.is_disabled || account.token_epoch !== claims.epoch)
    throw new ApiError('revokedToken')
  return account
}

function tokenOf(header: string | undefined): string {
  if (header === undefined || header.trim() === '') throw new ApiError('noToken')
  const token = /^Bearer +(\S+)$/i.exec(header.trim())?.[1]
  if (token === undefined) throw new ApiError('invalidToken')
  return token
}
