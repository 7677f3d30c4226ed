import { createSigner, createVerifier, TokenError } from 'fast-jwt'
import type { Account } from '../../contract/caller.ts'
import { ApiError } from '../../contract/errors.ts'
import type { TokenClaims } from '../organizations/account-store.ts'
import type { Keyring } from '../organizations/keyring.ts'

export const tokenLifeMs = 2 * 60 * 60 * 1000

export interface AccessTokens {
  /** A token of the account for the secret that signed the request. */
  issue(account: Account, secret: TokenSecret, id: string, now: Date): { token: string; expires: Date }
  /** Throws a failure of the catalogue if the token is forged or expired. */
  read(token: string, now: Date): TokenClaims
}

interface TokenSecret {
  secret_id: string
  expires_at: Date | null
}

/** HS256 and nothing else; the header's kid chooses among the master keys, never the algorithm. */
export function createAccessTokens(keyring: Keyring): AccessTokens {
  let keys = keyring.tokenKeys
  let signing = signingWith(keys)
  const verified = new Map<string, SignedClaims>()
  /** The keys may have been replaced since the last call. */
  const current = () => {
    if (keys === keyring.tokenKeys) return signing
    keys = keyring.tokenKeys
    signing = signingWith(keys)
    verified.clear()
    return signing
  }
  return {
    issue(account, secret, id, now) {
      // A token expires with its account or secret, if that is sooner.
      const ends = [account.expires_at, secret.expires_at].map((end) => end?.getTime() ?? Infinity)
      const expires = new Date(Math.min(now.getTime() + tokenLifeMs, ...ends))
      const token = current().sign({
        sub: account.app_id,
        epoch: account.token_epoch,
        sid: secret.secret_id,
        jti: id,
        exp_ms: expires.getTime(),
      })
      return { token, expires }
    },
    read(token, now) {
      const { verifiers } = current()
      let claims = verified.get(token)
      if (!claims) {
        claims = verifyWithAny(verifiers, token)
        if (verified.size >= mostRemembered) verified.clear()
        verified.set(token, claims)
      }
      if (claims.exp_ms <= now.getTime()) throw new ApiError('expiredToken')
      return { app_id: claims.sub, epoch: claims.epoch, secret_id: claims.sid }
    },
  }
}

function signingWith(keys: Keyring['tokenKeys']) {
  const newest = keys[0]!
  return {
    sign: createSigner({ key: newest.key, algorithm: 'HS256', kid: newest.id, noTimestamp: true }),
    verifiers: keys.map(({ key }) =>
      // Expiry is checked against the injected clock.
      createVerifier({ key, algorithms: ['HS256'], ignoreExpiration: true }),
    ),
  }
}

interface SignedClaims {
  sub: string
  epoch: number
  /** The id of the secret; absent in tokens of earlier versions. */
  sid?: string
  exp_ms: number
}

/**
 * Caches verified tokens with their claims: callers send the same one for two hours. (The verifier's own cache hashes the
 * token on every call, which costs as much as it saves.)
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
