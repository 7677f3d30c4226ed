import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { listOrganizations } from '../organizations/organization-store.ts'
import { appendAuditLinks, hasLooseEntries, holdEnd, looseEntries } from './audit-chain-store.ts'

/** The chain of what concerns no single organization. */
export const ofNoOrganization = ''

const batchSize = 1000

/**
 * Entries get their ids when they are committed, by the clocks of the servers. So an entry that has just come in may
 * have a smaller id than the newest that is linked, by as much as these clocks differ.
 */
const clockDifferenceMs = 15_000

/**
 * Adds entries that were committed to the end of their organization's chain; returns how many. Writers wait for nobody:
 * an entry is linked about a second after its commit. `thorough` looks at all entries, however old.
 */
export async function linkEntries(db: Database, corp_id: string, thorough = false): Promise<number> {
  const on = db.of(corp_id)
  if (!thorough && !(await hasLooseEntries(on, corp_id))) return 0
  let linked = 0
  let last: string | undefined
  for (;;) {
    const found = await on.transaction(async (tx) => {
      const end = await holdEnd(tx, corp_id)
      const first = thorough ? '' : idBefore(end.newest, clockDifferenceMs)
      // What comes in meanwhile with a smaller id than the last one is found the next time.
      const entries = await looseEntries(tx, corp_id, { after: last ?? first, limit: batchSize })
      if (entries.length > 0) await appendAuditLinks(tx, corp_id, end, entries)
      return entries
    })
    linked += found.length
    last = found.at(-1)?.entry_id
    if (found.length < batchSize) return linked
  }
}

/** The least id that a record made so long before that one can have. */
function idBefore(id: string, ms: number): string {
  const madeAt = Number.parseInt(id.slice(0, 12), 16)
  return Number.isNaN(madeAt)
    ? ''
    : Math.max(0, madeAt - ms)
        .toString(16)
        .padStart(12, '0')
}

const everyMs = 1000
/** An organization in which nothing happens is looked at less and less often. */
const longestWaitMs = 16_000

/** Links entries of all organizations until `signal` ends it. Any number of servers may do this side by side. */
export async function keepLinking(db: Database, log: Logger, signal: AbortSignal): Promise<void> {
  const due = new Map<string, { at: number; waitMs: number }>()
  while (!signal.aborted) {
    try {
      const organizations = await listOrganizations(db.shared)
      for (const corp_id of [ofNoOrganization, ...organizations.map((each) => each.corp_id)]) {
        const { at, waitMs } = due.get(corp_id) ?? { at: 0, waitMs: everyMs }
        if (signal.aborted || at > performance.now()) continue
        const linked = await linkEntries(db, corp_id)
        const next = linked > 0 ? everyMs : Math.min(2 * waitMs, longestWaitMs)
        due.set(corp_id, { at: performance.now() + (linked > 0 ? 0 : next), waitMs: next })
      }
    } catch (error) {
      log.warn({ err: error }, 'entries of the audit will be linked later')
    }
    await pause(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
