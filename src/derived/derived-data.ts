import { listOrganizations } from '../access/organizations/organization-store.ts'
import type { Database, Queryable } from '../database/database.ts'
import { holdClock } from '../orders/ledger/ledger-clock-store.ts'
import {
  rebuildStatementSums,
  statementSumsDigest,
  statementSumsFingerprint,
} from '../orders/ledger/line-state-store.ts'
import {
  openPaymentsDigest,
  openPaymentsFingerprint,
  rebuildOpenPayments,
} from '../orders/ledger/open-payment-store.ts'
import { readModelFingerprint } from '../orders/listing/fingerprint.ts'
import { projectUserNames } from '../orders/listing/project-user-names.ts'
import { readModelDigest } from '../orders/listing/read-model-store.ts'
import { rebuildReadModel } from '../orders/listing/rebuild.ts'
import { profileFingerprint, rebuildProfiles } from '../people/users/profile-store.ts'
import { onRename } from '../people/users/renames.ts'
import { type DerivedName, findFingerprints, storingFingerprint } from '../search/facet-store.ts'
import { facetFingerprint, rebuildFacets } from './rebuild-facets.ts'

/** Data that is derived from other tables, and can be rebuilt from them at any time. */
interface DerivedData {
  name: DerivedName
  /** Identifies the code that derives the data. A version with another fingerprint rebuilds the data before it serves. */
  fingerprint: string
  /** Whether the data shows local times, so that another time zone of the organization requires a rebuild. */
  showsLocalTimes: boolean
  /** Rebuilds the data of an organization. The caller holds the ledger clock. Returns the number of records. */
  rebuild(tx: Queryable, corp_id: string, report: (done: number, total: number) => void): Promise<number>
  /** One text for the stored data, so that a rebuild can tell whether it changed anything. */
  digest?(tx: Queryable, corp_id: string): Promise<string>
}

/**
 * The registry: start-up, `db migrate`, `db rebuild`, the sample, a change of the time zone and the check read it. The
 * facet bitmaps are missing: any change of a count invalidates them, and maintenance recreates them.
 */
const derivedData: DerivedData[] = [
  {
    name: 'orders',
    fingerprint: readModelFingerprint,
    showsLocalTimes: true,
    rebuild: rebuildReadModel,
    digest: readModelDigest,
  },
  { name: 'profiles', fingerprint: profileFingerprint, showsLocalTimes: true, rebuild: rebuildProfiles },
  { name: 'facets', fingerprint: facetFingerprint, showsLocalTimes: false, rebuild: rebuildFacets },
  {
    name: 'open_payments',
    fingerprint: openPaymentsFingerprint,
    showsLocalTimes: false,
    rebuild: rebuildOpenPayments,
    digest: openPaymentsDigest,
  },
  {
    name: 'statement_sums',
    fingerprint: statementSumsFingerprint,
    showsLocalTimes: false,
    rebuild: rebuildStatementSums,
    digest: statementSumsDigest,
  },
]

// The names of users on orders are part of the read model of orders. They follow each rename, in its transaction.
onRename(projectUserNames)

/** Called after each step of a rebuild. */
export type RebuildProgress = (step: {
  name: DerivedName
  corp_id: string
  done: number
  total: number
}) => void

/** Rebuilds the outdated data of all organizations. Runs before a server serves. */
export async function rebuildOutdated(
  db: Database,
  report?: RebuildProgress,
): Promise<{ corp_id: string; name: DerivedName }[]> {
  const rebuilt: { corp_id: string; name: DerivedName }[] = []
  for (const { corp_id } of await listOrganizations(db.shared))
    for (const name of await rebuildOutdatedOf(db.of(corp_id), corp_id, report))
      rebuilt.push({ corp_id, name })
  return rebuilt
}

/** Servers that start together rebuild an organization once: the second one finds current fingerprints under the lock. */
export async function rebuildOutdatedOf(
  on: Queryable,
  corp_id: string,
  report: RebuildProgress = () => {},
): Promise<DerivedName[]> {
  if ((await findOutdated(on, corp_id)).length === 0) return []
  return on.transaction(async (tx) => {
    await holdClock(tx, corp_id)
    const outdated = await findOutdated(tx, corp_id)
    for (const data of outdated)
      await rebuild(tx, corp_id, data, (done, total) => report({ name: data.name, corp_id, done, total }))
    return outdated.map(({ name }) => name)
  })
}

/** The outcome of a rebuild. */
interface Rebuilt {
  records: number
  /** Whether the data was right before; undefined for data without a digest. */
  wasRight: boolean | undefined
}

/** Rebuilds all derived data of an organization, in one transaction that holds its ledger clock. */
export async function rebuildDerivedData(
  on: Queryable,
  corp_id: string,
): Promise<Partial<Record<DerivedName, Rebuilt>>> {
  return on.transaction(async (tx) => {
    await holdClock(tx, corp_id)
    const outcomes: Partial<Record<DerivedName, Rebuilt>> = {}
    for (const data of derivedData) {
      const before = await data.digest?.(tx, corp_id)
      const records = await rebuild(tx, corp_id, data)
      const wasRight = data.digest && before === (await data.digest(tx, corp_id))
      outcomes[data.name] = { records, wasRight }
    }
    return outcomes
  })
}

/** Rebuilds the data with local times after the time zone of the organization changed. */
export async function rebuildLocalTimes(tx: Queryable, corp_id: string): Promise<void> {
  await holdClock(tx, corp_id)
  for (const data of derivedData) if (data.showsLocalTimes) await rebuild(tx, corp_id, data)
}

/** Data that other code derived. Without a stored fingerprint, the code is unknown. */
export async function findOutdated(
  on: Queryable,
  corp_id: string,
): Promise<(DerivedData & { stored: string | undefined })[]> {
  const fingerprints = await findFingerprints(on, corp_id)
  return derivedData
    .map((data) => ({ ...data, stored: fingerprints.get(data.name) }))
    .filter(({ fingerprint, stored }) => stored !== fingerprint)
}

async function rebuild(
  tx: Queryable,
  corp_id: string,
  { name, fingerprint, rebuild }: DerivedData,
  report: Parameters<DerivedData['rebuild']>[2] = () => {},
): Promise<number> {
  const records = await rebuild(tx, corp_id, report)
  await tx.query(storingFingerprint(corp_id, name, fingerprint))
  return records
}
