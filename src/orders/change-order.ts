import { ApiError } from '../contract/errors.ts'
import type { Queryable } from '../database/database.ts'
import {
  type Change,
  findVersionOf,
  type LedgerInstant,
  lockOrder,
  nextInstant,
  readState,
  recordVersion,
  storeState,
} from './order-state-store.ts'
import { projectOrders } from './read-model/project-orders.ts'
import type { OrderState } from './rules/order-rules.ts'
import type { OrderStatus } from './rules/status.ts'

/** Who changes an order, and when. */
export interface Changer {
  db: Queryable
  now: Date
  corp_id: string
  executor_id: string | null
}

/** The version that a change made. */
export interface MadeVersion {
  version: number
  to_status: OrderStatus
}

/** What an edit comes to: a new state with its reason, or an answer for what was done already. */
export type Outcome<Result> =
  | { unchanged: Result }
  | {
      state: OrderState
      change: Omit<Change, 'from_status' | 'executor_id'>
      result(version: MadeVersion): Result
    }

/**
 * The one way to change an order: lock it, look at it, apply the ledger's rules, and store facts, state and version
 * together at the next instant of the ledger's clock. Whatever throws on the way leaves nothing behind.
 */
export async function changeOrder<Result>(
  { db, now, corp_id, executor_id }: Changer,
  order_id: string,
  edit: (tx: Queryable, state: OrderState, at: LedgerInstant) => Promise<Outcome<Result>>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    if (!(await lockOrder(tx, corp_id, order_id))) throw new ApiError('orderNotFound')
    const before = await readState(tx, corp_id, order_id)
    const at = await nextInstant(tx, corp_id, now)
    const outcome = await edit(tx, before, at)
    if ('unchanged' in outcome) return outcome.unchanged
    await storeState(tx, corp_id, outcome.state, at)
    const from_status = before.status === outcome.state.status ? null : before.status
    const version = await recordVersion(
      tx,
      corp_id,
      order_id,
      { ...outcome.change, from_status, executor_id },
      at,
    )
    await projectOrders(tx, corp_id, [order_id])
    return outcome.result(version)
  })
}

/** The version that a fact made, for whoever tells it again; facts from before the history stand for the order as it is. */
export async function versionOf(
  tx: Queryable,
  corp_id: string,
  state: OrderState,
  subject_id: string,
): Promise<MadeVersion> {
  const made = await findVersionOf(tx, corp_id, state.order_id, subject_id)
  return made ?? { version: state.version, to_status: state.status }
}
