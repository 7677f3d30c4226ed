import { createSigner, createVerifier, TokenError } from 'fast-jwt'
import type { Account } from '../contract/caller.ts'
import { ApiError } from '../contract/errors.ts'
import type { Keyring } from '../organizations/keyring.ts'

export const tokenLifeMs = 2 * 60 * 60 * 1000

export interface AccessTokens {
  issue(account: Account, id: string, now: Date): { token: string; expires: Date }
  /** Whose token it is, and which epoch of theirs; throws from the catalogue. */
  read(token: string, now: Date): TokenClaims
  /** The same for a token that has been read before and is still alive; undefined for any other. */
  remembered(token: string, now: Date): TokenClaims | undefined
}

interface TokenClaims {
  app_id: string
  epoch: number
}

/** HS256 and nothing else; the header's kid chooses among the master keys, never the algorithm. */
export function createAccessTokens(keyring: Keyring): AccessTokens {
  const newest = keyring.tokenKeys[0]!
  const sign = createSigner({ key: newest.key, algorithm: 'HS256', kid: newest.id, noTimestamp: true })
  const verifiers = keyring.tokenKeys.map(({ key }) =>
    // Expiry is planned below, by the clock that the caller was given.
    createVerifier({ key, algorithms: ['HS256'], ignoreExpiration: true }),
  )
  const verified = new Map<string, SignedClaims>()
  return {
    issue(account, id, now) {
      // An account that ends sooner says so.
      const endsAtMs = account.expires_at?.getTime() ?? Number.POSITIVE_INFINITY
      const expires = new Date(Math.min(now.getTime() + tokenLifeMs, endsAtMs))
      const token = sign({
        sub: account.app_id,
        epoch: account.token_epoch,
        jti: id,
        exp_ms: expires.getTime(),
      })
      return { token, expires }
    },
    read(token, now) {
      let claims = verified.get(token)
      if (!claims) {
        claims = verifyWithAny(verifiers, token)
        if (verified.size >= mostRemembered) verified.clear()
        verified.set(token, claims)
      }
      if (claims.exp_ms <= now.getTime()) throw new ApiError('expiredToken')
      return { app_id: claims.sub, epoch: claims.epoch }
    },
    remembered(token, now) {
      const claims = verified.get(token)
      if (!claims || claims.exp_ms <= now.getTime()) return undefined
      return { app_id: claims.sub, epoch: claims.epoch }
    },
  }
}

interface SignedClaims {
  sub: string
  epoch: number
  exp_ms: number
}

/**
 * Genuine tokens are remembered with their claims: callers send the same one for two hours. (The verifier's own cache
 * hashes the token on every call, which costs as much as it saves.)
 */
const mostRemembered = 1000

function verifyWithAny(verifiers: ((token: string) => SignedClaims)[], token: string): SignedClaims {
  for (const verify of verifiers) {
    try {
      return verify(token)
    } catch (error) {
      if (!(error instanceof TokenError)) throw error
    }
  }
  throw new ApiError('invalidToken')
}
