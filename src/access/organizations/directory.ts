import type { Queryable } from '../../database/database.ts'
import { findCallingAccount, type ProgramCaller, type TokenClaims } from './account-store.ts'

type Found = ProgramCaller | undefined

/** A cache of accounts. */
export interface Directory {
  find(app_id: string): Promise<Found>
  /** The account of a token, read after the token was issued. Synchronous if it is cached. */
  ofToken(token: TokenClaims): Found | Promise<Found>
  /** Reads the account from the database, and caches it. */
  read(app_id: string): Promise<Found>
}

/**
 * Caches accounts for `freshMs`, so that a busy caller does not cost a query per request. A disabled account, an expired
 * secret or a new grant takes effect on every server within that time.
 */
export function createDirectory(on: Queryable, freshMs = 1000): Directory {
  const known = new Map<string, CachedAccount>()
  const ended = new Set<string>()

  const cached = (app_id: string) => {
    const entry = known.get(app_id)
    return entry && entry.until > performance.now() ? entry : undefined
  }
  const read = (app_id: string) => {
    if (known.size >= maxCached) known.clear()
    const account = findCallingAccount(on, app_id)
    const fresh: CachedAccount = { until: performance.now() + freshMs, account, found: undefined }
    known.set(app_id, fresh)
    account.then(
      (found) => {
        fresh.found = found
      },
      () => known.delete(app_id),
    )
    return account
  }
  const find = (app_id: string) => cached(app_id)?.account ?? read(app_id)

  /** A token may be newer than the cached account, which then lacks its secret or has an earlier epoch. */
  const isOlderThan = (account: ProgramCaller, token: TokenClaims) =>
    account.token_epoch < token.epoch || !(hasSecret(account, token.secret_id) || ended.has(keyOf(token)))
  const readForToken = async (token: TokenClaims) => {
    const account = await read(token.app_id)
    // The secret existed before its token, and this read started after: the secret has expired. Ids are never reused.
    if (account && !hasSecret(account, token.secret_id)) {
      if (ended.size >= maxCached) ended.clear()
      ended.add(keyOf(token))
    }
    return account
  }

  return {
    find,
    read,
    ofToken(token) {
      const found = cached(token.app_id)?.found
      if (found) return isOlderThan(found, token) ? readForToken(token) : found
      return find(token.app_id).then((account) =>
        account && isOlderThan(account, token) ? readForToken(token) : account,
      )
    },
  }
}

function hasSecret({ secrets }: ProgramCaller, secret_id: string | undefined): boolean {
  return secret_id === undefined || secrets.some((secret) => secret.secret_id === secret_id)
}

function keyOf({ app_id, secret_id }: Pick<TokenClaims, 'app_id' | 'secret_id'>): string {
  return `${app_id} ${secret_id}`
}

interface CachedAccount {
  until: number
  account: Promise<Found>
  /** The value of the settled promise. */
  found: Found
}

/** Limits memory against invented app ids. */
const maxCached = 10_000
