import { ApiError } from '../contract/errors.ts'
import type { Queryable } from '../database/database.ts'
import { type MadeVersion, recordVersions, type VersionCause } from './history-store.ts'
import { type LedgerInstant, takeInstants } from './ledger-clock-store.ts'
import {
  type ChangedOrder,
  lockStates,
  type OrderFields,
  type OrderStates,
  storeStates,
} from './order-state-store.ts'
import { insertPayments, type PaymentRow } from './payments/payment-store.ts'
import { insertRefunds, type RefundRow } from './payments/refund-store.ts'
import { projectOrders } from './read-model/project-orders.ts'
import { insertRemarks, type RemarkRow } from './remark-store.ts'
import type { OrderState } from './rules/order-rules.ts'

/** Who changes orders, and of which organization. */
export interface Changer {
  db: Queryable
  corp_id: string
  executor_id: string | null
}

/** What a change comes to: a new state with its reason and what is added to the order, or an answer for what was done already. */
export type Outcome<Result> =
  | { unchanged: Result }
  | {
      state: OrderState
      fields?: OrderFields
      payment?: PaymentRow
      refund?: RefundRow
      remark?: RemarkRow
      cause: Pick<VersionCause, 'change' | 'reason' | 'subject_id'>
      result(version: MadeVersion): Result
    }

/** Says what comes of a change of an order, without a database; a refusal is thrown, and rejects this change only. */
export type Rule<Change, Result> = (change: Change, state: OrderState, at: LedgerInstant) => Outcome<Result>

/** Reads what the rule has to know beside the orders: for all changes at once, under their locks and the clock. */
export type FindRule<Change, Result> = (
  tx: Queryable,
  changes: Change[],
  states: OrderStates,
) => Promise<Rule<Change, Result>>

/**
 * The one way to change orders, each a different one: lock them, look at them, take instants of the ledger's clock, apply
 * the rule to each, and store what came of it: one statement per table, however many there are. A change that is refused
 * leaves nothing behind and does not keep the others; whatever else throws leaves nothing of any.
 */
export async function changeOrders<Change extends { order_id: string }, Result>(
  changer: Changer,
  changes: Change[],
  findRule: FindRule<Change, Result>,
): Promise<PromiseSettledResult<Result>[]> {
  return changer.db.transaction(async (db) => {
    const { results, changed } = await applyChanges({ ...changer, db }, changes, findRule)
    await projectOrders(db, changer.corp_id, changed)
    return results
  })
}

/** One change; its refusal is thrown. */
export async function changeOrder<Change extends { order_id: string }, Result>(
  changer: Changer,
  change: Change,
  findRule: FindRule<Change, Result>,
): Promise<Result> {
  return changer.db.transaction(async (db) => {
    const [result] = await changeOrders({ ...changer, db }, [change], findRule)
    return resultOf(result!)
  })
}

/** The result of a change that was made; throws why it was not. */
export function resultOf<Result>(result: PromiseSettledResult<Result>): Result {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/** The same within a transaction, for whoever has more to change before the read model follows. */
export async function applyChanges<Change extends { order_id: string }, Result>(
  { db: tx, corp_id, executor_id }: Changer,
  changes: Change[],
  findRule: FindRule<Change, Result>,
): Promise<{ results: PromiseSettledResult<Result>[]; changed: string[] }> {
  const ids = changes.map(({ order_id }) => order_id)
  if (new Set(ids).size < ids.length)
    throw new Error('Changes that are made together are of different orders')
  const states = await lockStates(tx, corp_id, ids)
  const possible = changes.filter(({ order_id }) => states.has(order_id))
  const taken = possible.length > 0 ? await takeInstants(tx, corp_id, possible.length) : []
  const instants = new Map(possible.map(({ order_id }, index) => [order_id, taken[index]!]))
  const rule = await findRule(tx, possible, states)
  const made: Made[] = []
  const results = changes.map((change) =>
    settled(() => {
      const before = states.get(change.order_id)
      if (!before) throw new ApiError('orderNotFound')
      const at = instants.get(change.order_id)!
      const outcome = rule(change, before, at)
      if ('unchanged' in outcome) return outcome.unchanged
      const { state: after, cause } = outcome
      const from_status = before.status === after.status ? null : before.status
      const { order_id } = change
      made.push({
        ...outcome,
        before,
        after,
        at,
        version: { ...cause, order_id, at, from_status, executor_id },
      })
      return outcome.result({ version: before.version + 1, to_status: after.status })
    }),
  )
  await store(tx, corp_id, made)
  return { results, changed: made.map(({ after }) => after.order_id) }
}

interface Made extends ChangedOrder {
  payment?: PaymentRow
  refund?: RefundRow
  remark?: RemarkRow
  version: VersionCause
}

async function store(tx: Queryable, corp_id: string, made: Made[]): Promise<void> {
  if (made.length === 0) return
  const all = <Row>(pick: (one: Made) => Row | undefined) => made.flatMap((one) => pick(one) ?? [])
  await insertPayments(
    tx,
    corp_id,
    all(({ payment }) => payment),
  )
  await insertRefunds(
    tx,
    corp_id,
    all(({ refund }) => refund),
  )
  await insertRemarks(
    tx,
    corp_id,
    all(({ remark }) => remark),
  )
  await storeStates(tx, corp_id, made)
  await recordVersions(
    tx,
    corp_id,
    all(({ version }) => version),
  )
}

/** Refusals are outcomes; anything else is a failure of the whole. */
function settled<Result>(work: () => Result): PromiseSettledResult<Result> {
  try {
    return { status: 'fulfilled', value: work() }
  } catch (reason) {
    if (!(reason instanceof ApiError)) throw reason
    return { status: 'rejected', reason }
  }
}
