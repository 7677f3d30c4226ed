import { keyLifeMs } from './access/idempotency/answer-once.ts'
import { findCorpIdsWithOldKeys, pruneKeys } from './access/idempotency/idempotency-store.ts'
import { findCorpIdsWithOldMails, pruneMails } from './access/mail/mail-store.ts'
import { measureUsage } from './access/organizations/measure-usage.ts'
import { findCorpIdsToMeasure } from './access/organizations/usage-store.ts'
import {
  findCorpIdsWithIdleExports,
  findCorpIdsWithOldExports,
  pruneExports,
} from './backoffice/finance/exports/export-file-store.ts'
import { resumeExports } from './backoffice/finance/exports/work-on-export.ts'
import {
  findCorpIdsWithOldBankFiles,
  pruneBankFiles,
} from './backoffice/finance/reconciliation/bank-file-store.ts'
import { findCorpIdsWithIdleEdits } from './changes/bulk-edits/bulk-edit-store.ts'
import { resumeEdits } from './changes/bulk-edits/edit-in-background.ts'
import { findCorpIdsWithRetention } from './changes/erasure/erase-store.ts'
import { type ErasureList, finishErasures } from './changes/erasure/finish-erasures.ts'
import { eraseExpired } from './changes/erasure/retention.ts'
import { findRegisters } from './changes/erasure/tombstone-store.ts'
import { findCorpIdsWithOldImports, pruneImports } from './changes/lead-import/kept-file-store.ts'
import { findCorpIdsWithIdleImports } from './changes/lead-import/lead-import-store.ts'
import { resumeImports } from './changes/lead-import/work-on-import.ts'
import { findCorpIdsWithIdleUndos } from './changes/undo/change-batch-store.ts'
import { idleSince, resumeUndos } from './changes/undo/undo-batch.ts'
import type { OrganizationContext } from './contract/endpoint.ts'
import type { Database, Surveyor } from './database/database.ts'
import { findCorpIdsWithDue, findCorpIdsWithOldNotices, pruneDueNotices } from './events/due-notice-store.ts'
import { findCorpIdsWithOldEvents, pruneEvents } from './events/feed-store.ts'
import { noteDue } from './events/note-due.ts'
import {
  findCorpIdsWithOldDeliveries,
  pruneDeliveries,
  pruneRemoved,
} from './events/webhooks/delivery-store.ts'
import { expireOrders } from './orders/expire-orders.ts'
import { findCorpIdsWithOverdue } from './orders/ledger/order-state-store.ts'
import { findCorpIdsWithIdle } from './people/users/claims/claim-store.ts'
import { returnIdleUsers } from './people/users/claims/return-idle-users.ts'
import { indexUsers } from './people/users/search/index-users.ts'
import { findCorpIdsWithoutBitmaps, makeBitmaps } from './search/facet-bitmap-store.ts'
import { findCorpIdsToFold, foldCounts } from './search/facet-store.ts'

/** The organization of a task, and the resources of maintenance. */
export interface TaskContext extends OrganizationContext {
  database: Database
  signal: AbortSignal
}

/** Background work that is due in some organizations. */
export interface Task {
  /** In the metrics. */
  name: string
  /** The organizations in which it is due: one statement for all of them. */
  find(on: Surveyor, now: Date, erasureList: ErasureList | undefined): Promise<string[]>
  /** Does it in one of them. With a `log`, it returns the number of changed records. */
  run(context: TaskContext): Promise<unknown>
  /** The log of changed records. */
  done?: string
}

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** A small step of old events and deliveries in each round of maintenance. */
const prunedAtOnce = 10_000

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms)
}

function endsOfDeliveries(now: Date) {
  return { deliveredBefore: before(now, 14 * dayMs), deadBefore: before(now, 90 * dayMs) }
}

/** Uncommitted lead files are deleted after this time. */
const fileLifeMs = 7 * dayMs
const exportLifeMs = dayMs
/** Mails that ended are listed for this time. */
const mailLifeMs = 90 * dayMs

/** Work that people wait for, in its order within an organization. */
export const usualTasks: Task[] = [
  {
    name: 'expire orders',
    find: findCorpIdsWithOverdue,
    run: ({ database, organization, now }) => expireOrders(database, organization.corp_id, now),
    done: 'orders expired',
  },
  {
    name: 'return idle users',
    find: findCorpIdsWithIdle,
    run: ({ database, organization, now }) => returnIdleUsers(database, organization, now),
    done: 'users were returned to the public pool',
  },
  {
    name: 'note due',
    find: findCorpIdsWithDue,
    run: ({ database, organization, now }) => noteDue(database, organization.corp_id, now),
    done: 'instalments and follow-ups are due',
  },
  {
    name: 'measure usage',
    find: findCorpIdsToMeasure,
    run: ({ database, organization, now }) => measureUsage(database, organization.corp_id, now),
  },
  {
    name: 'fold counts',
    // A new user also adds count deltas, so that these tell where there may be documents to index.
    find: findCorpIdsToFold,
    async run({ db, organization: { corp_id }, signal }) {
      await indexUsers(db, corp_id, signal)
      await foldCounts(db, corp_id)
    },
  },
  {
    name: 'make bitmaps',
    find: findCorpIdsWithoutBitmaps,
    run: ({ db, organization, signal }) => makeBitmaps(db, organization.corp_id, signal),
  },
  {
    name: 'finish erasures',
    async find(on, _now, erasureList) {
      const registers = await findRegisters(on)
      const unsearched = registers.flatMap(({ corp_id, is_searched }) => (is_searched ? [] : corp_id))
      return [...unsearched, ...((await erasureList?.findLacking(registers)) ?? [])]
    },
    run: finishErasures,
  },
]

/** Removal of old records. */
export const rareTasks: Task[] = [
  {
    name: 'prune idempotency keys',
    find: (on, now) => findCorpIdsWithOldKeys(on, before(now, keyLifeMs)),
    run: ({ db, organization, now }) => pruneKeys(db, organization.corp_id, before(now, keyLifeMs)),
  },
  {
    name: 'prune exports',
    find: (on, now) => findCorpIdsWithOldExports(on, before(now, exportLifeMs)),
    run: ({ db, organization, now }) => pruneExports(db, organization.corp_id, before(now, exportLifeMs)),
  },
  {
    name: 'prune bank files',
    find: (on, now) => findCorpIdsWithOldBankFiles(on, before(now, exportLifeMs)),
    run: ({ db, organization, now }) => pruneBankFiles(db, organization.corp_id, before(now, exportLifeMs)),
  },
  {
    name: 'prune imports',
    find: (on, now) => findCorpIdsWithOldImports(on, before(now, fileLifeMs)),
    run: ({ db, organization, now }) => pruneImports(db, organization.corp_id, before(now, fileLifeMs)),
  },
  {
    name: 'prune events',
    find: findCorpIdsWithOldEvents,
    run: ({ db, organization, now }) => pruneEvents(db, organization.corp_id, now, prunedAtOnce),
  },
  {
    name: 'prune due notices',
    find: findCorpIdsWithOldNotices,
    run: ({ db, organization, now }) => pruneDueNotices(db, organization.corp_id, now, prunedAtOnce),
  },
  {
    name: 'prune deliveries',
    find: (on, now) => findCorpIdsWithOldDeliveries(on, endsOfDeliveries(now)),
    async run({ db, organization: { corp_id }, now }) {
      await pruneDeliveries(db, corp_id, endsOfDeliveries(now), prunedAtOnce)
      await pruneRemoved(db, corp_id, prunedAtOnce)
    },
  },
  {
    name: 'prune mails',
    find: (on, now) => findCorpIdsWithOldMails(on, before(now, mailLifeMs)),
    run: ({ db, organization: { corp_id }, now }) =>
      pruneMails(db, corp_id, before(now, mailLifeMs), prunedAtOnce),
  },
  {
    name: 'erase expired',
    find: findCorpIdsWithRetention,
    run: eraseExpired,
    done: 'users were kept long enough, and erased',
  },
]

/** Imports, undos and exports that a server left unfinished. Last, since they may take long. */
export const unfinishedTasks: Task[] = [
  { name: 'resume imports', find: findCorpIdsWithIdleImports, run: resumeImports },
  {
    name: 'resume undos',
    find: (on, now) => findCorpIdsWithIdleUndos(on, idleSince(now)),
    run: (context) => resumeUndos(context, context.now),
  },
  {
    name: 'resume bulk edits',
    find: (on, now) => findCorpIdsWithIdleEdits(on, idleSince(now)),
    run: (context) => resumeEdits(context, idleSince(context.now)),
  },
  { name: 'resume exports', find: findCorpIdsWithIdleExports, run: resumeExports },
]
