import type { Logger } from 'pino'
import { keyLifeMs } from './access/idempotency/answer-once.ts'
import { pruneKeys } from './access/idempotency/idempotency-store.ts'
import type { Keyring } from './access/organizations/keyring.ts'
import { listOrganizations } from './access/organizations/organization-store.ts'
import { pruneExports } from './backoffice/finance/exports/export-file-store.ts'
import { resumeExports } from './backoffice/finance/exports/work-on-export.ts'
import { pruneBankFiles } from './backoffice/finance/reconciliation/bank-file-store.ts'
import { type ErasureList, finishErasures } from './changes/erasure/finish-erasures.ts'
import { eraseExpired } from './changes/erasure/retention.ts'
import { pruneImports } from './changes/lead-import/kept-file-store.ts'
import { resumeImports } from './changes/lead-import/work-on-import.ts'
import { resumeUndos } from './changes/undo/undo-batch.ts'
import { type Organization, programAccount } from './contract/caller.ts'
import type { OrganizationContext } from './contract/endpoint.ts'
import { newId } from './contract/new-id.ts'
import type { Database } from './database/database.ts'
import { pruneEvents } from './events/feed-store.ts'
import { noteDue } from './events/note-due.ts'
import { pruneDeliveries, pruneRemoved } from './events/webhooks/delivery-store.ts'
import { expireOrders } from './orders/expire-orders.ts'
import { returnIdleUsers } from './people/users/claims/return-idle-users.ts'
import { createCursors } from './search/cursors.ts'
import { makeBitmaps } from './search/facet-bitmap-store.ts'
import { foldCounts } from './search/facet-store.ts'

/**
 * Background work: expires orders, returns idle people to the public pool, notes what is due, folds facet counts and builds their bitmaps,
 * erases people after the retention period, deletes stored responses of Idempotency-Keys after a day. Several servers may
 * run it at the same time. Resolves once `signal` is aborted and no work is in progress.
 */
export async function maintain(
  db: Database,
  log: Logger,
  intervalMs: number,
  signal: AbortSignal,
  keyring: Keyring,
  erasureList?: ErasureList,
): Promise<void> {
  while (!signal.aborted) {
    await maintainOnce(db, new Date(), log, signal, keyring, erasureList).catch((error) =>
      log.warn({ err: error }, 'maintenance will be tried again'),
    )
    await pause(intervalMs, signal)
  }
}

/** Handles each organization separately: a failure or a lock in one does not delay the others. */
export async function maintainOnce(
  db: Database,
  now: Date,
  log: Logger,
  signal: AbortSignal,
  keyring: Keyring,
  erasureList?: ErasureList,
): Promise<void> {
  for (const organization of await listOrganizations(db.shared)) {
    const { corp_id } = organization
    if (signal.aborted) return
    try {
      const expired = await expireOrders(db, corp_id, now)
      if (expired > 0) log.info({ corp_id, expired }, 'orders expired')
      const returned = await returnIdleUsers(db, organization, now)
      if (returned > 0) log.info({ corp_id, returned }, 'users went back to the public pool')
      const due = await noteDue(db, corp_id, now)
      if (due > 0) log.info({ corp_id, due }, 'instalments and follow-ups are due')
      await foldCounts(db.of(corp_id), corp_id)
      await makeBitmaps(db.of(corp_id), corp_id, signal)
      await pruneKeys(db.of(corp_id), corp_id, new Date(now.getTime() - keyLifeMs))
      await pruneExports(db.of(corp_id), corp_id, new Date(now.getTime() - exportLifeMs))
      await pruneBankFiles(db.of(corp_id), corp_id, new Date(now.getTime() - exportLifeMs))
      await pruneImports(db.of(corp_id), corp_id, new Date(now.getTime() - fileLifeMs))
      await pruneEvents(db.of(corp_id), corp_id, now, prunedAtOnce)
      await pruneDeliveries(db.of(corp_id), corp_id, endsOfDeliveries(now), prunedAtOnce)
      await pruneRemoved(db.of(corp_id), corp_id, prunedAtOnce)
      const context = contextOf(db, keyring, organization, now)
      const erased = await eraseExpired(context)
      if (erased > 0) log.info({ corp_id, erased }, 'users were kept long enough, and erased')
      await finishErasures({ ...context, erasureList })
    } catch (error) {
      log.warn({ corp_id, err: error }, 'maintenance of an organization will be tried again')
    }
  }
  await resumeWork(db, keyring, now, log, signal)
}

/** Uncommitted lead files are deleted after this time. */
const fileLifeMs = 7 * 24 * 60 * 60 * 1000

/** A small step of old events and deliveries in each round of maintenance. */
const prunedAtOnce = 10_000

const deliveredLifeMs = 14 * 24 * 60 * 60 * 1000
const deadLifeMs = 90 * 24 * 60 * 60 * 1000

function endsOfDeliveries(now: Date) {
  return {
    deliveredBefore: new Date(now.getTime() - deliveredLifeMs),
    deadBefore: new Date(now.getTime() - deadLifeMs),
  }
}

const exportLifeMs = 24 * 60 * 60 * 1000

/** Resumes imports, undos and exports that a server left unfinished. Last, since they may take long. */
async function resumeWork(
  db: Database,
  keyring: Keyring,
  now: Date,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  for (const organization of await listOrganizations(db.shared)) {
    if (signal.aborted) return
    const context = contextOf(db, keyring, organization, now)
    try {
      await resumeImports(context)
      await resumeUndos(context, now)
      await resumeExports(context)
    } catch (error) {
      log.warn(
        { corp_id: organization.corp_id, err: error },
        'an import, undo or export will be taken up again',
      )
    }
  }
}

function contextOf(
  db: Database,
  keyring: Keyring,
  organization: Organization,
  now: Date,
): OrganizationContext {
  const account = programAccount('maintenance', 'Maintenance')
  const beside = {
    now,
    newId,
    cursors: createCursors(),
    keyring,
    role: undefined,
    reach: 'everyone' as const,
  }
  return { db: db.of(organization.corp_id), organization, account, ...beside }
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
