import { type Changer, changeOrders, type FindRule } from '../../orders/change-orders.ts'
import { type HeldOrder, holdOrders, readStates } from '../../orders/ledger/order-state-store.ts'
import { moveOrders } from '../../orders/move-orders.ts'
import type { OrderState } from '../../orders/rules/order-rules.ts'
import type { OrderChange, OrderContent, OrderVersion } from './change-batch-store.ts'

/** A merge has moved the order. */
type Move = OrderChange & { before: { user_id: string }; after: { user_id: string } }
/** An import, or an undo, has created the order or changed its content. */
type Revision = OrderChange & { before: OrderContent | null; after: OrderVersion }

/**
 * Undoes changes of orders with the rules for changing orders, so that their history continues. An order that was created
 * is cancelled and deleted. An order that was changed gets a new version with the content of an earlier one. Orders that
 * a merge moved return to their user, or follow the user if the end of a merge is undone.
 */
export async function revertOrders(
  changer: Changer,
  changes: OrderChange[],
  { endsMerge }: { endsMerge: boolean },
): Promise<OrderChange[]> {
  if (changes.length === 0) return []
  const { db: tx, corp_id } = changer
  const ids = changes.map(({ record_id }) => record_id)
  const held = await holdOrders(tx, corp_id, ids)
  const moved = await revertMoves(changer, changes.filter(isMove), held, endsMerge ? 'unmerged' : 'merged')
  const imported = await revertImports(changer, changes.filter(isRevision), held)
  return [...moved, ...imported]
}

function isMove(change: OrderChange): change is Move {
  return change.after !== null && 'user_id' in change.after
}

function isRevision(change: OrderChange): change is Revision {
  return change.after !== null && 'version' in change.after
}

function leftAlone(change: OrderChange, reason: string): OrderChange {
  return { ...change, before: null, after: null, left_alone: { reason, members: [] } }
}

async function revertMoves(
  changer: Changer,
  changes: Move[],
  held: Map<string, HeldOrder>,
  change: 'merged' | 'unmerged',
): Promise<OrderChange[]> {
  const isUntouched = ({ record_id, after }: Move) => held.get(record_id)?.user_id === after.user_id
  const moves = changes
    .filter(isUntouched)
    .map(({ record_id, before }) => ({ order_id: record_id, user_id: before.user_id }))
  await moveOrders(changer, moves, { change, reason: null })
  return changes.map((each) =>
    isUntouched(each)
      ? { ...each, before: each.after, after: each.before }
      : leftAlone(each, 'was given to another user since'),
  )
}

/** A revision that can be undone, with the order as it is now. A deleted order has no state. */
type Reverting = Revision & { order: HeldOrder; state: OrderState | undefined }

async function revertImports(
  changer: Changer,
  changes: Revision[],
  held: Map<string, HeldOrder>,
): Promise<OrderChange[]> {
  const ids = changes.map(({ record_id }) => record_id)
  const states = await readStates(changer.db, changer.corp_id, ids)
  const found = changes.map((change): Reverting | OrderChange => {
    const order = held.get(change.record_id)
    if (order?.version !== change.after.version) return leftAlone(change, 'was changed since')
    if (change.after.stays?.includes('payment')) return leftAlone(change, 'money was moved')
    return { ...change, order, state: states.get(change.record_id) }
  })
  const reverting = found.filter((each) => 'order' in each)
  if (reverting.length > 0) await changeOrders(changer, reverting.map(previousOf), restore)
  return found.map((each) => ('order' in each ? undoneChange(each) : each))
}

function undoneChange({ record_id, before, after, order, state }: Reverting): OrderChange {
  const { external_id, contract_id, share_proportion, version } = order
  const fields = {
    external_id: external_id ?? undefined,
    contract_id: contract_id ?? undefined,
    share_proportion,
  }
  const facts = before === null ? [] : (after.stays ?? [])
  return {
    record_type: 'orders',
    record_id,
    before: state ? { state, fields } : null,
    after: { version: version + 1 },
    left_alone: facts.length > 0 ? { reason: 'facts of an order stay', members: facts } : null,
  }
}

const restore: FindRule<OrderContent & { order_id: string }, void> =
  async () =>
  ({ state, fields }, { version }) => ({
    state: { ...state, version },
    fields,
    cause: { change: 'undone', reason: null, subject_id: null },
    result: () => undefined,
  })
restore.includesDeleted = true

/** The content before the change. A deleted order comes back; a created order is cancelled and deleted. */
function previousOf({ record_id, before, order, state }: Reverting): OrderContent & { order_id: string } {
  const order_id = record_id
  if (before !== null) {
    const { fields } = before
    return { order_id, ...before, fields: order.is_deleted ? { ...fields, is_deleted: false } : fields }
  }
  if (!state) throw new Error(`Order ${order_id} is deleted already.`)
  const subOrders = state.subOrders.map((subOrder) => ({ ...subOrder, status: 'canceled' as const }))
  const { external_id, version } = order
  return {
    order_id,
    state: { ...state, status: 'canceled', subOrders },
    fields: {
      is_deleted: true,
      // The number is free again for another order.
      external_id: external_id === null ? undefined : `${external_id} (undone ${version})`,
    },
  }
}
