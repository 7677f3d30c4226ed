import type { Logger } from 'pino'
import type { Database } from './database/database.ts'
import { foldCounts } from './facets/facet-store.ts'
import { keyLifeMs } from './idempotency/answer-once.ts'
import { pruneKeys } from './idempotency/idempotency-store.ts'
import { expireOrders } from './orders/expire-orders.ts'
import { listOrganizations } from './organizations/organization-store.ts'
import { returnIdleUsers } from './users/claims/return-idle-users.ts'

/**
 * What happens by itself: deadlines expire orders, users whom nobody follows up go back to the public pool, counts of
 * facets are folded, and answers kept for Idempotency-Keys are forgotten after a day.
 * Any number of servers may do this side by side. Resolves once `signal` has ended it and nothing is under way.
 */
export async function maintain(
  db: Database,
  log: Logger,
  intervalMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await maintainOnce(db, new Date(), log, signal).catch((error) =>
      log.warn({ err: error }, 'maintenance will be tried again'),
    )
    await pause(intervalMs, signal)
  }
}

/** Each organization by itself: what fails in one, or is locked there, keeps no other from its turn. */
export async function maintainOnce(db: Database, now: Date, log: Logger, signal: AbortSignal): Promise<void> {
  for (const organization of await listOrganizations(db.shared)) {
    const { corp_id } = organization
    if (signal.aborted) return
    try {
      const expired = await expireOrders(db, corp_id, now)
      if (expired > 0) log.info({ corp_id, expired }, 'orders expired')
      const returned = await returnIdleUsers(db, organization, now)
      if (returned > 0) log.info({ corp_id, returned }, 'users went back to the public pool')
      await foldCounts(db.of(corp_id), corp_id)
      await pruneKeys(db.of(corp_id), corp_id, new Date(now.getTime() - keyLifeMs))
    } catch (error) {
      log.warn({ corp_id, err: error }, 'maintenance of an organization will be tried again')
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
