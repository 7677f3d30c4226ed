import type { Queryable } from '../database/database.ts'
import { findAccount, type GrantedAccount } from './account-store.ts'

/** Accounts as every request needs them. */
export interface Directory {
  find(appId: string): Promise<GrantedAccount | undefined>
}

/**
 * Remembers accounts for a moment, so that a busy caller does not cost a query per request, while a disabled
 * account or a new grant takes effect on every server within `freshMs`.
 */
export function createDirectory(on: Queryable, freshMs = 1000): Directory {
  const known = new Map<string, { until: number; account: Promise<GrantedAccount | undefined> }>()
  return {
    find(appId) {
      const entry = known.get(appId)
      if (entry && entry.until > performance.now()) return entry.account
      if (known.size >= maxRemembered) known.clear()
      const account = findAccount(on, appId)
      known.set(appId, { until: performance.now() + freshMs, account })
      account.catch(() => known.delete(appId))
      return account
    },
  }
}

/** Bounds memory against made-up app ids. */
const maxRemembered = 10_000
