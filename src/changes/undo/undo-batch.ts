import { isDeepStrictEqual } from 'node:util'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { findMergesOf } from '../../people/users/merged-user-store.ts'
import { findingErased, findRegister, holdLastNumber } from '../erasure/tombstone-store.ts'
import { endImport } from '../lead-import/lead-import-store.ts'
import { lockRecords } from './apply-transitions.ts'
import {
  adoptOrderVersions,
  type Change,
  type ChangeBatch,
  changesWithin,
  findBatch,
  findIdleUndos,
  insertBatch,
  type LeftAlone,
  lockBatch,
  noteChanges,
  updateBatch,
} from './change-batch-store.ts'
import { revertOrders } from './revert-orders.ts'
import { mergeAgain, revertRecords } from './revert-records.ts'

/** The context of an undo, which may go on after the response. */
export type UndoContext = Pick<OrganizationContext, 'db' | 'organization' | 'account' | 'newId'>

/** An undo without progress for this time was interrupted. */
const idleMs = 60_000

/** Changes per transaction. */
const mostChanges = 500

/**
 * Undoes a batch, last change first. Each transaction undoes some changes and stores the progress, so that another call
 * resumes an interrupted undo. Records that others have touched since are noted and left alone. An undo is a batch as
 * well and can be undone.
 */
export async function undoBatch(context: UndoContext, batch_id: string): Promise<ChangeBatch> {
  const { db, organization } = context
  const batch = await findBatch(db, organization.corp_id, batch_id)
  // A refused undo of a merge must leave nothing, not even its start.
  if (batch?.root_kind === 'user_merge' && !db.isTransaction)
    return db.transaction((tx) => undoBatch({ ...context, db: tx }, batch_id))
  const undo_id = await startUndo(context, batch_id)
  await finishUndo(context, undo_id)
  return requireBatch(await findBatch(context.db, context.organization.corp_id, undo_id))
}

function requireBatch(batch: ChangeBatch | undefined): ChangeBatch {
  if (!batch) throw new ApiError('changeBatchNotFound')
  return batch
}

/** The id of the running undo of the batch, which is created if there is none. */
export async function startUndo(context: UndoContext, batch_id: string): Promise<string> {
  const { corp_id } = context.organization
  return context.db.transaction(async (tx) => {
    const batch = await lockBatch(tx, corp_id, batch_id)
    if (batch.undone_by_batch_id !== null) {
      const undo = await findBatch(tx, corp_id, batch.undone_by_batch_id)
      if (undo?.is_complete === false) return undo.batch_id
      throw new ApiError('stateForbids', {
        msg: 'The batch was undone already. To restore it, undo that undo.',
        allowed: ['undo the undo'],
        extra: { batch_id: batch.undone_by_batch_id },
      })
    }
    if (batch.archive_id !== null) throw isArchived()
    if (batch.kind === 'undo' && !batch.is_complete)
      throw new ApiError('stateForbids', { msg: 'The undo is still running.', allowed: [] })
    return insertUndo(context, tx, batch)
  })
}

/** Its images were removed, because they are old. */
export function isArchived(): ApiError {
  return new ApiError('stateForbids', {
    msg: 'The records of the batch were archived for their age, so it can no longer be undone or explained.',
    allowed: [],
  })
}

async function insertUndo(
  { organization: { corp_id }, account, newId }: UndoContext,
  tx: Queryable,
  batch: ChangeBatch,
): Promise<string> {
  const undo = {
    batch_id: newId(),
    kind: 'undo' as const,
    executor_id: account.app_id,
    root_kind: batch.root_kind,
    undoes_batch_id: batch.batch_id,
    remaining: batch.records,
  }
  const now = new Date()
  await insertBatch(tx, corp_id, undo, now)
  // An import that is still running ends here: its worker finds that it was undone.
  const endsImport = batch.kind === 'lead_import' && !batch.is_complete
  const is_complete = batch.is_complete || endsImport
  await updateBatch(tx, corp_id, { ...batch, is_complete, undone_by_batch_id: undo.batch_id }, now)
  if (endsImport) await endImport(tx, corp_id, batch.batch_id, now)
  return undo.batch_id
}

/** The part of an undo that a response waits for: one transaction. A conflict is left for the rest of the undo. */
export async function undoFirst(context: UndoContext, undo_id: string): Promise<void> {
  // A failed statement would abort the transaction of the caller.
  if (context.db.isTransaction) return
  try {
    while (!(await undoSome(context, undo_id, mostChanges))) if (await hasMore(context, undo_id)) return
  } catch (error) {
    if (!isConflict(error)) throw error
  }
}

async function hasMore({ db, organization }: UndoContext, undo_id: string): Promise<boolean> {
  const { remaining } = requireBatch(await findBatch(db, organization.corp_id, undo_id))
  return remaining !== null && remaining > 0
}

/** An undo without progress since then has lost its server. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - idleMs)
}

/** Resumes undos that a stopped server has left incomplete. */
export async function resumeUndos(context: UndoContext, now: Date): Promise<void> {
  const idle = await findIdleUndos(context.db, context.organization.corp_id, idleSince(now))
  for (const { batch_id, executor_id } of idle)
    await finishUndo({ ...context, account: { ...context.account, app_id: executor_id } }, batch_id)
}

/** After a conflict, fewer changes are tried together. A single change in conflict is left alone. */
export async function finishUndo(context: UndoContext, undo_id: string): Promise<void> {
  for (let most = mostChanges; ; ) {
    try {
      if (await undoSome(context, undo_id, most)) return
      most = Math.min(mostChanges, most * 2)
    } catch (error) {
      // In the transaction of a caller nothing can be tried again.
      if (!isConflict(error) || context.db.isTransaction) throw error
      if (most === 1) await leaveNext(context, undo_id)
      most = Math.ceil(most / 2)
    }
  }
}

/** Whether a unique index, a foreign key or a check refuses the statement (SQLSTATE class 23). */
function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('23')
}

function isReferenceLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23503'
}

async function undoSome(context: UndoContext, undo_id: string, most: number): Promise<boolean> {
  return context.db.transaction((tx) => {
    const inside = { ...context, db: tx }
    return undoNext(inside, undo_id, most, (changes, isMerge) =>
      isMerge ? undoMerge(inside, changes) : revertAll(inside, changes, false),
    )
  })
}

/** Undoes a merge, unless its users were erased since. If they were merged since, that merge must be undone first. */
async function undoMerge(context: UndoContext, changes: Change[]): Promise<Change[]> {
  const { db: tx, organization } = context
  if (await isErasedSince(tx, organization.corp_id, changes)) return leaving(changes, 'was erased')
  await requireLastMerge(tx, organization.corp_id, changes)
  try {
    return await revertAll(context, changes, true)
  } catch (error) {
    // Such as a tag of the same group that the survivor got since. The transaction is rolled back.
    if (isConflict(error) && !isReferenceLost(error)) throw mergeAgain('One of the users')
    throw error
  }
}

async function revertAll(
  { db: tx, organization, account: { app_id: executor_id } }: UndoContext,
  changes: Change[],
  isMerge: boolean,
): Promise<Change[]> {
  const orders = changes.filter((change) => change.record_type === 'orders')
  const records = changes.filter((change) => change.record_type !== 'orders')
  const comesBack = records.some(({ record_type, after }) => record_type === 'users' && after === null)
  const changer = { db: tx, corp_id: organization.corp_id, executor_id }
  const undoOrders = () => revertOrders(changer, orders, { endsMerge: comesBack })
  const undoRecords = () => revertRecords(tx, organization, executor_id, records, { isMerge })
  // Orders refer to users: a user comes back before its orders, and is removed after them.
  if (comesBack) return [...(await undoRecords()), ...(await undoOrders())]
  return [...(await undoOrders()), ...(await undoRecords())]
}

/**
 * Refuses the undo of a merge, or of its end, while another merge of one of its users is in force: only the last merge
 * knows where their records belong. The users are locked, so that no merge comes between.
 */
async function requireLastMerge(tx: Queryable, corp_id: string, changes: Change[]): Promise<void> {
  const users = changes.flatMap(({ record_type, record_id }) => (record_type === 'users' ? record_id : []))
  const own = changes.flatMap(({ record_type, after }) =>
    record_type === 'merged_users' && after ? [after.merge_id] : [],
  )
  await lockRecords(tx, corp_id, { users })
  const others = (await findMergesOf(tx, corp_id, users)).filter(({ merge_id }) => !own.includes(merge_id))
  const [last] = others
  if (!last) return
  const { merge_id, merged_user_id, user_id } = last
  throw new ApiError('stateForbids', {
    msg: `User ${merged_user_id} was merged into ${user_id} since. Undo that merge first: ${merge_id}.`,
    allowed: ['user/unmerge'],
    extra: { reason: 'unmerge_first', merge_id, merged_user_id, user_id },
  })
}

/** Whether one of the merged users was erased: the other cannot come back without the erased data. */
async function isErasedSince(tx: Queryable, corp_id: string, changes: Change[]): Promise<boolean> {
  const users = changes.filter(({ record_type }) => record_type === 'users')
  const ids = users.map(({ record_id }) => record_id)
  return (await tx.query(findingErased(corp_id, ids))).length > 0
}

async function leaveNext(context: UndoContext, undo_id: string): Promise<void> {
  await context.db.transaction((tx) =>
    undoNext({ ...context, db: tx }, undo_id, 1, async (changes) =>
      leaving(changes, 'others refer to it, or have taken its place'),
    ),
  )
}

function leaving(changes: Change[], reason: string): Change[] {
  const left_alone: LeftAlone = { reason, members: [] }
  return changes.map((change) => ({ ...change, before: null, after: null, left_alone }))
}

/** Undoes the next changes and stores the progress; true once the undo is complete. */
async function undoNext(
  { db: tx, organization: { corp_id } }: UndoContext,
  undo_id: string,
  most: number,
  revert: (changes: Change[], isMerge: boolean) => Promise<Change[]>,
): Promise<boolean> {
  const undo = await lockBatch(tx, corp_id, undo_id)
  const { undoes_batch_id, remaining: to } = undo
  if (undoes_batch_id === null) throw new Error(`Batch ${undo_id} is no undo.`)
  const now = new Date()
  if (!to) {
    if (!undo.is_complete) await complete(tx, corp_id, { ...undo, undoes_batch_id }, now)
    return true
  }
  // A merge is undone in one transaction, so that no reader sees half of it.
  const isMerge = undo.root_kind === 'user_merge'
  const from = isMerge ? 0 : Math.max(0, to - most)
  const register = await findRegister(tx, corp_id)
  const read = () => changesWithin(tx, corp_id, undoes_batch_id, { from, to })
  const changes = await read()
  const done = await revert(changes, isMerge)
  // If a person was erased since the changes were read, the caller retries with the remaining data.
  const isErasing = (await holdLastNumber(tx, corp_id)) !== (register?.last_number ?? 0)
  if (isErasing && !isDeepStrictEqual(await read(), changes)) throw new ApiError('unavailable')
  await updateBatch(tx, corp_id, { ...undo, remaining: from, counts: counted(undo.counts, done) }, now)
  const notes = noteChanges(corp_id, undo, done, now)
  if (notes.length > 0) await tx.pipeline(notes)
  return false
}

/**
 * After the undo of an undo, the batch before it is in force again, and the batch that this one undoes is undone again:
 * along a series of undos, every second batch is in force.
 */
async function complete(
  tx: Queryable,
  corp_id: string,
  undo: ChangeBatch & { undoes_batch_id: string },
  now: Date,
): Promise<void> {
  await updateBatch(tx, corp_id, { ...undo, is_complete: true }, now)
  const undone = await lockBatch(tx, corp_id, undo.undoes_batch_id)
  if (undone.undoes_batch_id === null) return
  const restored = await lockBatch(tx, corp_id, undone.undoes_batch_id)
  if (restored.root_kind === 'order_import')
    await adoptOrderVersions(tx, corp_id, { batch_id: restored.batch_id, from_batch_id: undo.batch_id })
  for (let inForce = restored; ; ) {
    await updateBatch(tx, corp_id, { ...inForce, undone_by_batch_id: null }, now)
    if (inForce.undoes_batch_id === null) return
    const ended = await lockBatch(tx, corp_id, inForce.undoes_batch_id)
    await updateBatch(tx, corp_id, { ...ended, undone_by_batch_id: inForce.batch_id }, now)
    if (ended.undoes_batch_id === null) return
    inForce = await lockBatch(tx, corp_id, ended.undoes_batch_id)
  }
}

/**
 * Counts the records that were removed, restored and left alone (completely or in part), and the leads and users among
 * them.
 */
function counted(counts: Record<string, number>, changes: Change[]): Record<string, number> {
  const sum: Record<string, number> = { removed: 0, restored: 0, left_alone: 0, ...counts }
  const count = (name: string) => {
    sum[name] = (sum[name] ?? 0) + 1
  }
  for (const { record_type, before, after, left_alone } of changes) {
    const outcome = left_alone ? 'left_alone' : after === null && before !== null ? 'removed' : 'restored'
    count(outcome)
    if (outcome !== 'left_alone' && (record_type === 'leads' || record_type === 'users'))
      count(`${outcome}_${record_type}`)
  }
  return sum
}
