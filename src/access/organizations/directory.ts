import type { Queryable } from '../../database/database.ts'
import { findCallingAccount, type ProgramCaller, type TokenClaims } from './account-store.ts'

type Found = ProgramCaller | undefined

/** Accounts as every request needs them. */
export interface Directory {
  find(app_id: string): Promise<Found>
  /** The account of a token, no older than the token itself; without a promise where it is remembered. */
  ofToken(token: TokenClaims): Found | Promise<Found>
  /** Reads the account from the database, and remembers it. */
  read(app_id: string): Promise<Found>
}

/**
 * Remembers accounts for a moment, so that a busy caller does not cost a query per request, while a disabled
 * account, an ended secret or a new grant takes effect on every server within `freshMs`.
 */
export function createDirectory(on: Queryable, freshMs = 1000): Directory {
  const known = new Map<string, Remembered>()
  const ended = new Set<string>()

  const remembered = (app_id: string) => {
    const entry = known.get(app_id)
    return entry && entry.until > performance.now() ? entry : undefined
  }
  const read = (app_id: string) => {
    if (known.size >= maxRemembered) known.clear()
    const account = findCallingAccount(on, app_id)
    const fresh: Remembered = { until: performance.now() + freshMs, account, found: undefined }
    known.set(app_id, fresh)
    account.then(
      (found) => {
        fresh.found = found
      },
      () => known.delete(app_id),
    )
    return account
  }
  const find = (app_id: string) => remembered(app_id)?.account ?? read(app_id)

  /** A token may be newer than the memory: the memory then lacks its secret, or has an earlier epoch. */
  const isOlderThan = (account: ProgramCaller, token: TokenClaims) =>
    account.token_epoch < token.epoch || !(hasSecret(account, token.secret_id) || ended.has(keyOf(token)))
  const readForToken = async (token: TokenClaims) => {
    const account = await read(token.app_id)
    // The secret existed before its token, and this read began after: the secret has ended, and ids are never reused.
    if (account && !hasSecret(account, token.secret_id)) {
      if (ended.size >= maxRemembered) ended.clear()
      ended.add(keyOf(token))
    }
    return account
  }

  return {
    find,
    read,
    ofToken(token) {
      const found = remembered(token.app_id)?.found
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

interface Remembered {
  until: number
  account: Promise<Found>
  /** The value of the promise, once it has one. */
  found: Found
}

/** Bounds memory against made-up app ids. */
const maxRemembered = 10_000
