import type { Queryable } from '../../database/database.ts'
import { holdOrders, readStates } from '../../orders/ledger/order-state-store.ts'
import { lockRecords } from '../undo/apply-transitions.ts'
import { type Change, lockBatch, noteChanges } from '../undo/change-batch-store.ts'
import type { Transition } from '../undo/record-images.ts'
import { changeBetween } from '../undo/revert-change.ts'
import type { Update } from './plan-row.ts'
import type { OrderRow } from './read-order-row.ts'

/** A row whose order is known by now, and what is still to happen to it. */
export interface Done extends Pick<Update, 'change' | 'paymentInput' | 'remark'> {
  row: OrderRow
  order_id: string
  isChanged: boolean
}

/** What is known before the rows have their effect: the orders as they are, and what their rows said last. */
export interface Noted {
  done: Done[]
  before: Map<string, Change['before']>
  rows: Map<string, Transition>
}

export async function noteBefore(
  tx: Queryable,
  corp_id: string,
  done: Done[],
  made: Set<string>,
): Promise<Noted> {
  const known = done.filter(({ order_id, isChanged }) => isChanged && !made.has(order_id))
  const ids = known.map(({ order_id }) => order_id)
  const held = ids.length > 0 ? await holdOrders(tx, corp_id, ids) : new Map()
  const states = ids.length > 0 ? await readStates(tx, corp_id, ids) : new Map()
  const before = new Map(
    ids.map((id) => {
      const { contract_id, share_proportion } = held.get(id)!
      return [id, { state: states.get(id)!, fields: { contract_id, share_proportion } }]
    }),
  )
  return { done, before, rows: await lockRecords(tx, corp_id, done.map(rowKey)) }
}

/** Notes what the rows have done, in the transaction in which they did it. */
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
  const orders = changed.map(({ order_id, paymentInput, remark }): Change => {
    const before = noted.before.get(order_id) ?? null
    const { version } = held.get(order_id)!
    const stays = [
      ...(paymentInput ? ['payment'] : []),
      ...(before && remark !== undefined ? ['remark'] : []),
    ]
    return { record_type: 'orders', record_id: order_id, before, after: { version, stays } }
  })
  const after = await lockRecords(tx, corp_id, noted.done.map(rowKey))
  const rows = [...noted.rows].map(([key, { type, id, before }]) =>
    changeBetween(type, id, before, after.get(key)!.after),
  )
  const batch = await lockBatch(tx, corp_id, batch_id)
  const notes = noteChanges(corp_id, batch!, [...ofUsers, ...orders, ...rows], now)
  if (notes.length > 0) await tx.pipeline(notes)
}

function rowKey({ row }: Done) {
  return { type: 'order_import_rows' as const, id: row.members.external_id }
}
