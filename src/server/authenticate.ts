import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import type { GrantedAccount } from '../organizations/account-store.ts'
import type { Auth } from '../tokens/auth.ts'

/** Who is calling: the account of a token that is genuine, alive and not revoked. */
export async function authenticate(auth: Auth, request: FastifyRequest, now: Date): Promise<GrantedAccount> {
  const token = tokenOf(request.headers.authorization)
  const claims = auth.accessTokens.read(token, now)
  const appId = request.headers['x-app-id']
  if (appId !== undefined && appId !== '' && appId !== claims.app_id) throw new ApiError('appIdMismatch')
  const account = await auth.directory.find(claims.app_id)
  if (!account || account.is_disabled || account.token_epoch !== claims.epoch)
    throw new ApiError('revokedToken')
  return account
}

/** The same where it takes no waiting and nothing is amiss; whoever is undefined here is told why by `authenticate`. */
export function rememberedCaller(
  { auth, now }: { auth: Auth; now(): Date },
  headers: FastifyRequest['headers'],
): GrantedAccount | undefined {
  const { authorization } = headers
  if (!authorization?.startsWith('Bearer ') || headers['x-app-id']) return undefined
  const claims = auth.accessTokens.remembered(authorization.slice('Bearer '.length), now())
  const account = claims && auth.directory.remembered(claims.app_id)
  return account && !account.is_disabled && account.token_epoch === claims.epoch ? account : undefined
}

export function mayCall({ permission }: Pick<Endpoint, 'permission'>, account: GrantedAccount): boolean {
  return permission === undefined || account.permissions.includes(permission)
}

function tokenOf(header: string | undefined): string {
  if (header === undefined || header.trim() === '') throw new ApiError('noToken')
  const token = /^Bearer +(\S+)$/i.exec(header.trim())?.[1]
  if (token === undefined) throw new ApiError('invalidToken')
  return token
}
