import { type Changer, changeOrders, type FindRule } from '../../orders/change-orders.ts'
import {
  type HeldOrder,
  holdOrders,
  type OrderFields,
  type OrderStates,
  readStates,
} from '../../orders/ledger/order-state-store.ts'
import { moveOrders } from '../../orders/move-orders.ts'
import type { OrderState } from '../../orders/rules/order-rules.ts'
import type { Change, LeftAlone } from './change-batch-store.ts'

/**
 * Takes changes of orders back, through the one way to change orders. Their history goes on: an order that was made
 * is cancelled and deleted, one that was changed has a further version that says what an earlier one said. Orders that
 * a merge moved go back to their user, or follow the user where the end of a merge is taken back.
 */
export async function revertOrders(
  changer: Changer,
  changes: Change[],
  { endsMerge }: { endsMerge: boolean },
): Promise<Change[]> {
  if (changes.length === 0) return []
  const { db: tx, corp_id } = changer
  const held = await holdOrders(
    tx,
    corp_id,
    changes.map(({ record_id }) => record_id),
  )
  const isMove = ({ after }: Change) => after !== null && 'user_id' in after
  const moved = await revertMoves(changer, changes.filter(isMove), held, endsMerge ? 'unmerged' : 'merged')
  const imported = await revertImports(
    changer,
    changes.filter((change) => !isMove(change)),
    held,
  )
  return [...moved, ...imported]
}

function leftAlone(change: Change, reason: string, members: string[] = []): Change {
  const left_alone: LeftAlone = { reason, members }
  return { ...change, before: null, after: null, left_alone }
}

async function revertMoves(
  changer: Changer,
  changes: Change[],
  held: Map<string, HeldOrder>,
  change: 'merged' | 'unmerged',
): Promise<Change[]> {
  const isMine = ({ record_id, after }: Change) => held.get(record_id)?.user_id === after!.user_id
  const moves = changes
    .filter(isMine)
    .map(({ record_id, before }) => ({ order_id: record_id, user_id: before!.user_id as string }))
  await moveOrders(changer, moves, { change, reason: null })
  return changes.map((each) =>
    isMine(each)
      ? { ...each, before: each.after, after: each.before }
      : leftAlone(each, 'was given to another user since'),
  )
}

/** What an order was before an import, or an undo, has changed it. */
interface Earlier {
  state: OrderState
  fields: OrderFields
}

async function revertImports(
  changer: Changer,
  changes: Change[],
  held: Map<string, HeldOrder>,
): Promise<Change[]> {
  const { db: tx, corp_id } = changer
  const refusals = new Map(
    changes.flatMap((change) => {
      const reason = refusalOf(change, held.get(change.record_id))
      return reason === undefined ? [] : [[change.record_id, reason] as const]
    }),
  )
  const possible = changes.filter(({ record_id }) => !refusals.has(record_id))
  const ids = possible.map(({ record_id }) => record_id)
  const states = await readStates(tx, corp_id, ids)
  await putBack(changer, possible, states, held)
  return changes.map((change) => {
    const { record_id, before, after } = change
    const refusal = refusals.get(record_id)
    if (refusal !== undefined) return leftAlone(change, refusal)
    const { external_id, contract_id, share_proportion, is_deleted, version } = held.get(record_id)!
    const fields = { external_id, contract_id, share_proportion }
    const lost = before === null ? [] : ((after!.stays as string[] | undefined) ?? [])
    return {
      ...{ record_type: 'orders', record_id },
      before: is_deleted ? null : { state: states.get(record_id)!, fields },
      after: { version: version + 1 },
      left_alone: lost.length > 0 ? { reason: 'facts of an order stay', members: lost } : null,
    }
  })
}

function refusalOf({ after }: Change, order: HeldOrder | undefined): string | undefined {
  if (!order || order.version !== after!.version) return 'was changed since'
  const stays = (after!.stays as string[] | undefined) ?? []
  return stays.includes('payment') ? 'money was moved' : undefined
}

async function putBack(
  changer: Changer,
  changes: Change[],
  states: OrderStates,
  held: Map<string, HeldOrder>,
): Promise<void> {
  if (changes.length === 0) return
  const wanted = changes.map(({ record_id: order_id, before }) => ({
    order_id,
    ...(before === null
      ? cancelled(states.get(order_id)!, held.get(order_id)!)
      : earlier(before as unknown as Earlier, held.get(order_id)!)),
  }))
  await changeOrders(changer, wanted, become)
}

const become: FindRule<Earlier & { order_id: string }, void> =
  async () =>
  ({ state, fields }, { version }) => ({
    state: { ...state, version },
    fields,
    cause: { change: 'undone', reason: null, subject_id: null },
    result: () => undefined,
  })
become.includesDeleted = true

/** What it was; a deleted order is not deleted any more. */
function earlier({ state, fields }: Earlier, { is_deleted }: HeldOrder): Earlier {
  return { state, fields: is_deleted ? { ...fields, is_deleted: false } : fields }
}

/** Its number is free for another order, as if it had never come. */
function cancelled(state: OrderState, { external_id, version }: HeldOrder): Earlier {
  const subOrders = state.subOrders.map((subOrder) => ({ ...subOrder, status: 'canceled' as const }))
  return {
    state: { ...state, status: 'canceled', subOrders },
    fields: {
      is_deleted: true,
      external_id: external_id === null ? undefined : `${external_id} (undone ${version})`,
    },
  }
}
