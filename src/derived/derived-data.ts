import { onNewOrganization } from '../access/organizations/new-organizations.ts'
import { listOrganizations } from '../access/organizations/organization-store.ts'
import type { Database, Queryable } from '../database/database.ts'
import { holdClock } from '../orders/ledger/ledger-clock-store.ts'
import {
  rebuildStatementSums,
  rebuildStatementSumsAfter,
  statementSumsDigest,
  statementSumsFingerprint,
} from '../orders/ledger/line-state-store.ts'
import {
  openPaymentsDigest,
  openPaymentsFingerprint,
  rebuildOpenPayments,
  rebuildOpenPaymentsAfter,
} from '../orders/ledger/open-payment-store.ts'
import { readModelFingerprint } from '../orders/listing/fingerprint.ts'
import { projectUserNames } from '../orders/listing/project-user-names.ts'
import { readModelDigest } from '../orders/listing/read-model-store.ts'
import { rebuildOrdersAfter, rebuildReadModel, recountMonthsAfter } from '../orders/listing/rebuild.ts'
import { profileFingerprint, profilesDigest, rebuildProfilesAfter } from '../people/users/profile-store.ts'
import { onRename } from '../people/users/renames.ts'
import {
  addingVersions,
  type DerivedName,
  findAllVersions,
  findFingerprints,
  findOutdatedVersions,
  lockVersion,
  type OutdatedData,
  storingFingerprint,
  storingPosition,
  unknownCode,
} from '../search/derived-version-store.ts'
import { facetsDigest } from '../search/facet-store.ts'
import { facetFingerprint, rebuildFacets, rebuildNextFacets } from './rebuild-facets.ts'
import { byId, inOneGo, inPhases, type RebuildBatch, type RebuiltBatch } from './rebuild-steps.ts'

/** Data that is derived from other tables, and can be rebuilt from them at any time. */
interface DerivedData {
  name: DerivedName
  /** Identifies the code that derives the data. A version with another fingerprint rebuilds the data in the background. */
  fingerprint: string
  /** Whether the data shows local times, so that another time zone of the organization requires a rebuild. */
  showsLocalTimes: boolean
  /** Rebuilds all data of an organization. The caller holds the ledger clock. Returns the number of records. */
  rebuild(tx: Queryable, corp_id: string): Promise<number>
  /** Whether writers of the data hold the ledger clock: a batch then takes it first. */
  isUnderClock: boolean
  /** Rebuilds the next batch. Readers see correct data before, between and after the batches. */
  rebuildNext: RebuildBatch
  /** One text for the stored data, so that a rebuild can tell whether it changed anything. */
  digest(tx: Queryable, corp_id: string): Promise<string>
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
    isUnderClock: true,
    rebuildNext: inPhases(byId(rebuildOrdersAfter, 100), byId(recountMonthsAfter, 3)),
    digest: readModelDigest,
  },
  {
    name: 'profiles',
    fingerprint: profileFingerprint,
    showsLocalTimes: true,
    rebuild: inOneGo(byId(rebuildProfilesAfter, 1000)),
    isUnderClock: false,
    rebuildNext: byId(rebuildProfilesAfter, 500),
    digest: profilesDigest,
  },
  {
    name: 'facets',
    fingerprint: facetFingerprint,
    showsLocalTimes: false,
    rebuild: rebuildFacets,
    isUnderClock: false,
    rebuildNext: rebuildNextFacets,
    digest: facetsDigest,
  },
  {
    name: 'open_payments',
    fingerprint: openPaymentsFingerprint,
    showsLocalTimes: false,
    rebuild: rebuildOpenPayments,
    isUnderClock: true,
    rebuildNext: byId(rebuildOpenPaymentsAfter, 1000),
    digest: openPaymentsDigest,
  },
  {
    name: 'statement_sums',
    fingerprint: statementSumsFingerprint,
    showsLocalTimes: false,
    rebuild: rebuildStatementSums,
    isUnderClock: true,
    rebuildNext: byId(rebuildStatementSumsAfter, 1),
    digest: statementSumsDigest,
  },
]

// The names of users on orders are part of the read model of orders. They follow each rename, in its transaction.
onRename(projectUserNames)

// A new organization has no data: this version has derived all of it.
onNewOrganization(async (tx, corp_id) => {
  await tx.query(addingVersions(corp_id, versionsOfThisCode()))
})

/** Called after each batch of a rebuild. */
export type RebuildProgress = (batch: { name: DerivedName; corp_id: string; done: number }) => void

export interface RebuildOptions {
  /** Chooses among the outdated data. */
  isWanted?: (data: OutdatedData) => boolean
  report?: RebuildProgress
  /** Called between batches. */
  rest?: (batchMs: number) => Promise<void>
  signal?: AbortSignal
}

/**
 * Rebuilds the outdated data of all organizations, batch by batch. Returns the data that this call completed. Data that
 * another server works on is left to it.
 */
export async function rebuildOutdated(
  db: Database,
  options: RebuildOptions = {},
): Promise<{ corp_id: string; name: DerivedName }[]> {
  await addMissingVersions(db)
  const rebuilt: { corp_id: string; name: DerivedName }[] = []
  for (const outdated of await findAllOutdated(db)) {
    const { corp_id, name } = outdated
    if (options.isWanted?.(outdated) === false) continue
    if (await rebuildInBatches(db.of(corp_id), outdated, options)) rebuilt.push({ corp_id, name })
  }
  return rebuilt
}

/** The data of all organizations that other code derived. */
export async function findAllOutdated(db: Database): Promise<OutdatedData[]> {
  return findOutdatedVersions(db.everyOrganization, versionsOfThisCode())
}

/**
 * Organizations get their versions when they are created. Those that were stored in another way get them here; their data
 * counts as derived by unknown code.
 */
async function addMissingVersions(db: Database): Promise<void> {
  const known = Map.groupBy(await findAllVersions(db.everyOrganization), ({ corp_id }) => corp_id)
  for (const { corp_id } of await listOrganizations(db.shared)) {
    const names = new Set(known.get(corp_id)?.map(({ name }) => name))
    const missing = derivedData.filter(({ name }) => !names.has(name))
    if (missing.length > 0)
      await db.of(corp_id).query(
        addingVersions(
          corp_id,
          missing.map(({ name }) => ({ name, fingerprint: unknownCode })),
        ),
      )
  }
}

function versionsOfThisCode() {
  return derivedData.map(({ name, fingerprint }) => ({ name, fingerprint }))
}

/**
 * Rebuilds derived data of an organization in batches, each in a transaction of its own. The position is stored with the
 * batch: after a crash, or on another server, the rebuild continues there. Returns whether this call completed it.
 */
async function rebuildInBatches(
  on: Queryable,
  { corp_id, name }: OutdatedData,
  { report, rest, signal }: RebuildOptions,
): Promise<boolean> {
  const data = derivedData.find((each) => each.name === name)!
  for (let done = 0; !signal?.aborted; ) {
    const beganMs = performance.now()
    const batch = await on.transaction((tx) => rebuildBatch(tx, corp_id, data))
    if (!batch) return false
    done += batch.records
    report?.({ name, corp_id, done })
    if (batch.last === undefined) return true
    await rest?.(performance.now() - beganMs)
  }
  return false
}

/** Undefined if there is nothing to do, or another server does it at this moment. */
async function rebuildBatch(
  tx: Queryable,
  corp_id: string,
  { name, fingerprint, isUnderClock, rebuildNext }: DerivedData,
): Promise<RebuiltBatch | undefined> {
  // Writers take the clock before the version.
  if (isUnderClock) await holdClock(tx, corp_id)
  const version = await lockVersion(tx, corp_id, name)
  if (!version || version.fingerprint === fingerprint) return undefined
  const isContinued = version.rebuilder === fingerprint
  // Before the batch: writers of this version know then that their rows are no mixture.
  if (!isContinued) await tx.query(storingPosition(corp_id, name, fingerprint, ''))
  const batch = await rebuildNext(tx, corp_id, isContinued ? (version.position ?? '') : '')
  await tx.query(
    batch.last === undefined
      ? storingFingerprint(corp_id, name, fingerprint)
      : storingPosition(corp_id, name, fingerprint, batch.last),
  )
  return batch
}

/** The outcome of a rebuild. */
interface Rebuilt {
  records: number
  /** Whether the data was right before. */
  wasRight: boolean
}

/** Rebuilds derived data of an organization from nothing, in one transaction that holds its ledger clock. */
export async function rebuildDerivedData(
  on: Queryable,
  corp_id: string,
  names: DerivedName[] = derivedData.map(({ name }) => name),
): Promise<Record<DerivedName, Rebuilt>> {
  return on.transaction(async (tx) => {
    await holdClock(tx, corp_id)
    const outcomes: [DerivedName, Rebuilt][] = []
    for (const data of derivedData.filter(({ name }) => names.includes(name))) {
      const before = await data.digest(tx, corp_id)
      const records = await rebuild(tx, corp_id, data)
      const wasRight = before === (await data.digest(tx, corp_id))
      outcomes.push([data.name, { records, wasRight }])
    }
    return Object.fromEntries(outcomes) as Record<DerivedName, Rebuilt>
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
): Promise<number> {
  const records = await rebuild(tx, corp_id)
  await tx.query(storingFingerprint(corp_id, name, fingerprint))
  return records
}
