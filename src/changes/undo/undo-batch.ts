import { isDeepStrictEqual } from 'node:util'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { findMergesOf } from '../../people/users/merged-user-store.ts'
import { findingErased, findRegister, holdLastNumber } from '../erasure/tombstone-store.ts'
import {
  type Change,
  type ChangeBatch,
  changesWithin,
  findBatch,
  findIdleUndos,
  insertBatch,
  type LeftAlone,
  lockBatch,
  noteChanges,
  takeVersionsOfOrders,
  updateBatch,
} from './change-batch-store.ts'
import { revertOrders } from './revert-orders.ts'
import { revertRecords } from './revert-records.ts'

/** The context of an undo: whoever asked for it need not wait for its end. */
export type UndoContext = Pick<OrganizationContext, 'db' | 'organization' | 'account' | 'newId'>

/** An undo that has not moved for so long has lost whoever was at it. */
const idleMs = 60_000

/** Changes in a transaction of their own. */
const mostChanges = 500

/**
 * Takes a batch back, last change first, a number of changes per transaction together with how far it has come: an undo
 * that was killed is taken up by asking for it again. What others have touched since is noted and left alone. An undo
 * is a batch as well, so that it can be taken back in turn.
 */
export async function undoBatch(context: UndoContext, batch_id: string): Promise<ChangeBatch> {
  const undo_id = await startUndo(context, batch_id)
  await finishUndo(context, undo_id)
  return (await findBatch(context.db, context.organization.corp_id, undo_id))!
}

/** Answers the undo that is under way for the batch, made where there is none. */
export async function startUndo(context: UndoContext, batch_id: string): Promise<string> {
  const { corp_id } = context.organization
  return context.db.transaction(async (tx) => {
    const batch = await lockBatch(tx, corp_id, batch_id)
    if (!batch) throw new ApiError('changeBatchNotFound')
    if (batch.undone_by_batch_id !== null) {
      const undo = await findBatch(tx, corp_id, batch.undone_by_batch_id)
      if (undo?.is_complete === false) return undo.batch_id
      throw new ApiError('stateForbids', {
        msg: 'The batch was undone already; undo that undo instead, to have it back.',
        allowed: ['undo the undo'],
        extra: { batch_id: batch.undone_by_batch_id },
      })
    }
    if (batch.kind === 'undo' && !batch.is_complete)
      throw new ApiError('stateForbids', { msg: 'The undo is still under way.', allowed: [] })
    return insertUndo(context, tx, batch)
  })
}

async function insertUndo(
  { organization: { corp_id }, account, newId }: UndoContext,
  tx: Queryable,
  batch: ChangeBatch,
): Promise<string> {
  const undo = newId()
  const now = new Date()
  const { batch_id, records } = batch
  await insertBatch(
    tx,
    corp_id,
    {
      ...{ batch_id: undo, kind: 'undo', executor_id: account.app_id },
      ...{ root_kind: batch.root_kind, undoes_batch_id: batch_id, remaining: records },
    },
    now,
  )
  await updateBatch(tx, corp_id, { ...batch, undone_by_batch_id: undo }, now)
  return undo
}

/** As much of an undo as somebody may wait for: often all of it. What stands in the way is for the rest of it. */
export async function undoFirst(context: UndoContext, undo_id: string): Promise<void> {
  // A statement that fails would end the transaction of a call that has one.
  if (context.db.isTransaction) return
  try {
    while (!(await undoSome(context, undo_id, mostChanges))) if (await hasMore(context, undo_id)) return
  } catch (error) {
    if (!isInTheWay(error)) throw error
  }
}

async function hasMore({ db, organization }: UndoContext, undo_id: string): Promise<boolean> {
  const undo = await findBatch(db, organization.corp_id, undo_id)
  return undo!.remaining! > 0
}

/** Takes up what a server has left undone. */
export async function resumeUndos(context: UndoContext, now: Date): Promise<void> {
  const before = new Date(now.getTime() - idleMs)
  const idle = await findIdleUndos(context.db, context.organization.corp_id, before)
  for (const { batch_id, executor_id } of idle)
    await finishUndo({ ...context, account: { ...context.account, app_id: executor_id } }, batch_id)
}

/** Where records stand in each other's way, fewer of them are tried together, down to one, which is then left alone. */
export async function finishUndo(context: UndoContext, undo_id: string): Promise<void> {
  for (let most = mostChanges; ; ) {
    try {
      if (await undoSome(context, undo_id, most)) return
      most = Math.min(mostChanges, most * 2)
    } catch (error) {
      if (!isInTheWay(error)) throw error
      if (most === 1) await leaveNext(context, undo_id)
      most = Math.ceil(most / 2)
    }
  }
}

/** A unique index, a foreign key or a check forbids it (SQLSTATE 23). */
function isInTheWay(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('23')
}

async function undoSome(context: UndoContext, undo_id: string, most: number): Promise<boolean> {
  const { organization, account } = context
  return context.db.transaction((tx) =>
    undoNext({ ...context, db: tx }, undo_id, most, async (changes, isMerge) => {
      if (isMerge && (await isMergedAnew(tx, organization.corp_id, changes)))
        return leaving(changes, 'the user was merged anew since')
      if (isMerge && (await isErasedSince(tx, organization.corp_id, changes)))
        return leaving(changes, 'was erased')
      const executor = { db: tx, executor_id: account.app_id }
      const isOrder = ({ record_type }: Change) => record_type === 'orders'
      const orders = changes.filter(isOrder)
      const records = changes.filter((change) => !isOrder(change))
      // Orders follow a user that comes back, and leave one that goes.
      const comesBack = records.some(({ record_type, after }) => record_type === 'users' && after === null)
      const changer = { ...executor, corp_id: organization.corp_id }
      const revertOrdersNow = () => revertOrders(changer, orders, { endsMerge: comesBack })
      const revertRecordsNow = () => revertRecords({ ...executor, organization }, records, { isMerge })
      const steps = comesBack ? [revertRecordsNow, revertOrdersNow] : [revertOrdersNow, revertRecordsNow]
      return [...(await steps[0]!()), ...(await steps[1]!())]
    }),
  )
}

/** Whether the user that would come back is merged by another merge than the one that is taken back. */
async function isMergedAnew(tx: Queryable, corp_id: string, changes: Change[]): Promise<boolean> {
  const of = (type: string) => changes.filter(({ record_type }) => record_type === type)
  const back = of('users').filter(({ after }) => after === null)
  const own = of('merged_users').map(({ after }) => after?.merge_id)
  const merges = await findMergesOf(
    tx,
    corp_id,
    back.map(({ record_id }) => record_id),
  )
  return merges.some((merge_id) => !own.includes(merge_id))
}

/** Whether one of the merged users was erased: the other cannot come back without what was erased. */
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

/** True once nothing is left to do. */
async function undoNext(
  { db: tx, organization: { corp_id } }: UndoContext,
  undo_id: string,
  most: number,
  revert: (changes: Change[], isMerge: boolean) => Promise<Change[]>,
): Promise<boolean> {
  const undo = (await lockBatch(tx, corp_id, undo_id))!
  const now = new Date()
  const to = undo.remaining!
  if (to === 0) {
    if (!undo.is_complete) await complete(tx, corp_id, undo, now)
    return true
  }
  // A merge is one step, for whoever looks.
  const isMerge = undo.root_kind === 'user_merge'
  const from = isMerge ? 0 : Math.max(0, to - most)
  const register = await findRegister(tx, corp_id)
  const changes = await changesWithin(tx, corp_id, undo.undoes_batch_id!, { from, to })
  const done = await revert(changes, isMerge)
  // Nothing comes back that was read before somebody was erased; another attempt reads what is left.
  const isErasing = (await holdLastNumber(tx, corp_id)) !== (register?.last_number ?? 0)
  const reread = () => changesWithin(tx, corp_id, undo.undoes_batch_id!, { from, to })
  if (isErasing && !isDeepStrictEqual(await reread(), changes)) throw new ApiError('unavailable')
  await updateBatch(tx, corp_id, { ...undo, remaining: from, counts: counted(undo.counts, done) }, now)
  const notes = noteChanges(corp_id, undo, done, now)
  if (notes.length > 0) await tx.pipeline(notes)
  return false
}

/** What an undo has taken back stands again once that undo is taken back. */
async function complete(tx: Queryable, corp_id: string, undo: ChangeBatch, now: Date): Promise<void> {
  await updateBatch(tx, corp_id, { ...undo, is_complete: true }, now)
  const undone = await lockBatch(tx, corp_id, undo.undoes_batch_id!)
  const first = undone?.undoes_batch_id && (await lockBatch(tx, corp_id, undone.undoes_batch_id))
  if (!first) return
  await updateBatch(tx, corp_id, { ...first, undone_by_batch_id: null }, now)
  if (first.root_kind === 'order_import')
    await takeVersionsOfOrders(tx, corp_id, { batch_id: first.batch_id, from_batch_id: undo.batch_id })
}

/** Records that are as before, by what that took; and those that were left alone, wholly or in part. */
function counted(counts: Record<string, number>, changes: Change[]): Record<string, number> {
  const sum = { removed: 0, restored: 0, left_alone: 0, ...counts }
  for (const { before, after, left_alone } of changes) {
    if (left_alone) sum.left_alone++
    else if (after === null && before !== null) sum.removed++
    else sum.restored++
  }
  return sum
}
