import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { keepLinking, type WaitingOrganizations } from '../../access/audit/keep-linking.ts'
import { chainedCorpIds, type FollowLinks } from '../../access/audit/link-entries.ts'
import type { PublishedHead } from '../../access/audit/published-head.ts'
import type { Database } from '../../database/database.ts'
import type { HeadDestination, RestoredChains } from './destinations.ts'
import { findHead } from './head-store.ts'

interface Publishing {
  db: Database
  log: Logger
  destinations: HeadDestination[]
  /** Organizations whose chain has grown. This module empties the set. */
  grown: Set<string>
  /** Published first where the database was restored; called back once all destinations have it. */
  restored?: RestoredChains | undefined
  intervalMs: number
  signal: AbortSignal
}

/**
 * Publishes the heads of all chains once, then those of chains that have grown, at most once per interval, and a last
 * time when `signal` aborts. A destination that fails gets the last head of each organization later.
 */
export async function keepPublishing(options: Publishing): Promise<void> {
  const { db, log, grown, restored, intervalMs, signal } = options
  const outboxes = options.destinations.map((destination) => createOutbox(destination, log))
  const published = new Map<string, string>()
  for (const outbox of outboxes) outbox.add(restored?.heads ?? [])
  let isRestoreKnown = restored === undefined
  let isFirst = true

  async function round(): Promise<void> {
    const corpIds = isFirst ? await chainedCorpIds(db) : [...grown]
    isFirst = false
    for (const corp_id of corpIds) grown.add(corp_id)
    for (const corp_id of corpIds) {
      const head = await findHead(db.of(corp_id), corp_id)
      grown.delete(corp_id)
      const ends = `${head.length} ${head.head} ${head.ledger_length} ${head.ledger_head}`
      if (head.length > 0 && published.get(corp_id) !== ends)
        for (const outbox of outboxes) outbox.add([head])
      published.set(corp_id, ends)
    }
  }

  for (;;) {
    const isLast = signal.aborted
    await round().catch((error) => log.warn({ err: error }, 'heads of the chains will be published later'))
    await Promise.all(outboxes.map((outbox) => outbox.send()))
    if (!isRestoreKnown && outboxes.every((outbox) => outbox.isEmpty())) {
      isRestoreKnown = true
      await restored!.onPublished()
    }
    if (isLast) return
    await pause(intervalMs, undefined, { signal }).catch(() => undefined)
  }
}

const mostAtOnce = 1000

/** Heads that a destination lacks: the last head of each organization, which proves the earlier ones. */
function createOutbox(destination: HeadDestination, log: Logger) {
  const waiting = new Map<string, PublishedHead>()
  let lastFault: string | undefined

  async function sendAll(): Promise<void> {
    while (waiting.size > 0) {
      const some = [...waiting].slice(0, mostAtOnce)
      await destination.publish(some.map(([, head]) => head))
      for (const [key, head] of some) if (waiting.get(key) === head) waiting.delete(key)
    }
  }

  return {
    isEmpty: () => waiting.size === 0,
    add(heads: PublishedHead[]): void {
      for (const head of heads) waiting.set(head.restored ? `${head.corp_id} ${head.at}` : head.corp_id, head)
    },
    async send(): Promise<void> {
      try {
        await sendAll()
        if (lastFault !== undefined) log.info(`heads of the chains reach ${destination.name} again`)
        lastFault = undefined
      } catch (error) {
        const { message } = error as Error
        // The fault is likely to persist: log it once.
        if (message !== lastFault)
          log.error({ fault: message }, `heads of the chains cannot be published to ${destination.name}`)
        lastFault = message
      }
    },
  }
}

const publishIntervalMs = 60_000

interface Chains {
  db: Database
  log: Logger
  waiting: WaitingOrganizations
  destinations: HeadDestination[]
  restored: RestoredChains | undefined
  /** The organizations with entries to link, or links that `onLinked` has not followed. */
  findWork(): Promise<string[]>
  /** Called in each transaction that links entries. */
  follow: FollowLinks
  /** Called for each organization whose chain may have links that nobody has followed. */
  onLinked(corp_id: string): Promise<void>
  signal: AbortSignal
}

/**
 * Links what is committed into the chains of the audit and publishes where they end, until `signal` is aborted. Then it
 * links what is known to wait, and publishes that too.
 */
export async function keepChains({
  db,
  log,
  waiting,
  destinations,
  restored,
  findWork,
  follow,
  onLinked,
  signal,
}: Chains): Promise<void> {
  const grown = new Set<string>()
  const linked = new AbortController()
  const publishing = keepPublishing({
    ...{ db, log, destinations, grown, restored },
    ...{ intervalMs: publishIntervalMs, signal: linked.signal },
  })
  await keepLinking({
    ...{ db, log, waiting, findWork, follow, signal },
    onLinked(corp_id, linked) {
      if (linked > 0) grown.add(corp_id)
      return onLinked(corp_id)
    },
  })
  linked.abort()
  await publishing
}
