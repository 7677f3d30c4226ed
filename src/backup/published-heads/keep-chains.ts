import type { Logger } from 'pino'
import { keepLinking } from '../../access/audit/keep-linking.ts'
import type { WaitingOrganizations } from '../../access/audit/waiting-organizations.ts'
import type { Database } from '../../database/database.ts'
import type { HeadDestination } from './destinations.ts'
import { keepPublishing } from './keep-publishing.ts'
import type { RestoredChains } from './restored-marker.ts'

const publishIntervalMs = 60_000

interface Chains {
  db: Database
  log: Logger
  waiting: WaitingOrganizations
  destinations: HeadDestination[]
  restored: RestoredChains | undefined
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
  signal,
}: Chains): Promise<void> {
  const grown = new Set<string>()
  const linked = new AbortController()
  const publishing = keepPublishing({
    ...{ db, log, destinations, grown, restored },
    ...{ intervalMs: publishIntervalMs, signal: linked.signal },
  })
  await keepLinking({ db, log, waiting, onLinked: (corp_id) => grown.add(corp_id), signal })
  linked.abort()
  await publishing
}
