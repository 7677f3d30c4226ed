import type { Queryable } from '../../database/database.ts'
import { holdOrders, readStates } from '../../orders/ledger/order-state-store.ts'
import { lockRecords, type Records, recordIn } from '../undo/apply-transitions.ts'
import {
  type Change,
  lockBatch,
  noteChanges,
  type OrderChange,
  type OrderContent,
} from '../undo/change-batch-store.ts'
import { changeBetween } from '../undo/revert-change.ts'
import type { Update } from './plan-row.ts'
import type { OrderRow } from './read-order-row.ts'

/** A row whose order exists, and the changes that still have to be made. */
export interface Done extends Pick<Update, 'change' | 'paymentInput' | 'remark'> {
  row: OrderRow
  order_id: string
  isChanged: boolean
}

/** The orders and their imported rows before the import changes them. */
export interface Noted {
  done: Done[]
  before: Map<string, OrderContent>
  rows: Records
}

export async function noteBefore(
  tx: Queryable,
  corp_id: string,
  done: Done[],
  made: Set<string>,
): Promise<Noted> {
  const known = done.filter(({ order_id, isChanged }) => isChanged && !made.has(order_id))
  const ids = known.map(({ order_id }) => order_id)
  const before = new Map<string, OrderContent>()
  if (ids.length > 0) {
    const held = await holdOrders(tx, corp_id, ids)
    for (const [order_id, state] of await readStates(tx, corp_id, ids)) {
      const order = held.get(order_id)
      const fields = {
        contract_id: order?.contract_id ?? undefined,
        share_proportion: order?.share_proportion,
      }
      before.set(order_id, { state, fields })
    }
  }
  return { done, before, rows: await lockRows(tx, corp_id, done) }
}

/** Notes the changes of the rows in the transaction that made them. */
export async function noteAfter(
  tx: Queryable,
  corp_id: string,
  { batch_id, ofUsers, noted }: { batch_id: string; ofUsers: Change[]; noted: Noted },
  now: Date,
): Promise<void> {
  const changed = noted.done.filter(({ isChanged }) => isChanged)
  const held = await holdOrders(
    tx,
    corp_id,
    changed.map(({ order_id }) => order_id),
  )
  const orders = changed.map(({ order_id, paymentInput, remark }): OrderChange => {
    const before = noted.before.get(order_id) ?? null
    const stays = [
      ...(paymentInput ? ['payment'] : []),
      ...(before && remark !== undefined ? ['remark'] : []),
    ]
    // The import has just created or changed the order.
    const { version } = held.get(order_id)!
    return { record_type: 'orders', record_id: order_id, before, after: { version, stays } }
  })
  const after = await lockRows(tx, corp_id, noted.done)
  const rows = noted.done.map(({ row }) => {
    const id = row.members.external_id
    const { before } = recordIn(noted.rows, 'order_import_rows', id)
    return changeBetween('order_import_rows', id, before, recordIn(after, 'order_import_rows', id).after)
  })
  const batch = await lockBatch(tx, corp_id, batch_id)
  const notes = noteChanges(corp_id, batch, [...ofUsers, ...orders, ...rows], now)
  if (notes.length > 0) await tx.pipeline(notes)
}

function lockRows(tx: Queryable, corp_id: string, done: Done[]): Promise<Records> {
  return lockRecords(tx, corp_id, { order_import_rows: done.map(({ row }) => row.members.external_id) })
}
