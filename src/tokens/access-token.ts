import { createSigner, createVerifier, TokenError } from 'fast-jwt'
import { ApiError } from '../contract/errors.ts'
import type { Account } from '../organizations/account-store.ts'
import type { Keyring } from '../organizations/keyring.ts'

export const tokenLifeMs = 2 * 60 * 60 * 1000

export interface AccessTokens {
  issue(account: Account, id: string, now: Date): { token: string; expires: Date }
  /** Whose token it is, and which epoch of theirs; throws from the catalogue. */
  read(token: string, now: Date): TokenClaims
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
    // Expiry is judged below, by the clock that the caller was given.
    createVerifier({ key, algorithms: ['HS256'], ignoreExpiration: true }),
  )
  const verified = createVerifiedTokens((token) => verifyWithAny(verifiers, token))
  return {
    issue(account, id, now) {
      const expires = new Date(now.getTime() + tokenLifeMs)
      const token = sign({
        sub: account.app_id,
        epoch: account.token_epoch,
        jti: id,
        exp_ms: expires.getTime(),
      })
      return { token, expires }
    },
    read(token, now) {
      const claims = verified(token)
      if (claims.exp_ms <= now.getTime()) throw new ApiError('expiredToken')
      return { app_id: claims.sub, epoch: claims.epoch }
    },
  }
}

interface SignedClaims {
  sub: string
  epoch: number
  exp_ms: number
}

const mostRemembered = 1000

/**
 * Remembers the claims of tokens that are genuine, by the token itself: callers send the same one for two hours. (The
 * verifier's own cache hashes the token on every call, which costs as much as it saves.)
 */
function createVerifiedTokens(verify: (token: string) => SignedClaims): (token: string) => SignedClaims {
  const known = new Map<string, SignedClaims>()
  return (token) => {
    let claims = known.get(token)
    if (!claims) {
      claims = verify(token)
      if (known.size >= mostRemembered) known.clear()
      known.set(token, claims)
    }
    return claims
  }
}

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
