import type { Queryable } from '../database/database.ts'
import { findAccount, type GrantedAccount } from './account-store.ts'

/** Accounts as every request needs them. */
export interface Directory {
  find(appId: string): Promise<GrantedAccount | undefined>
  /** An account that was found a moment ago; undefined where one would have to look. */
  remembered(appId: string): GrantedAccount | undefined
}

/**
 * Remembers accounts for a moment, so that a busy caller does not cost a query per request, while a disabled
 * account or a new grant takes effect on every server within `freshMs`.
 */
export function createDirectory(on: Queryable, freshMs = 1000): Directory {
  const known = new Map<string, Remembered>()
  return {
    find(appId) {
      const entry = known.get(appId)
      if (entry && entry.until > performance.now()) return entry.account
      if (known.size >= maxRemembered) known.clear()
      const account = findAccount(on, appId)
      const fresh: Remembered = { until: performance.now() + freshMs, account, found: undefined }
      known.set(appId, fresh)
      account.then(
        (found) => {
          fresh.found = found
        },
        () => known.delete(appId),
      )
      return account
    },
    remembered(appId) {
      const entry = known.get(appId)
      return entry && entry.until > performance.now() ? entry.found : undefined
    },
  }
}

interface Remembered {
  until: number
  account: Promise<GrantedAccount | undefined>
  /** What the promise came to. */
  found: GrantedAccount | undefined
}

/** Bounds memory against made-up app ids. */
const maxRemembered = 10_000
