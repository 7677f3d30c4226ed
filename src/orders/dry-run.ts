import { localTime } from '../contract/days.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { described, Id, Money, namedObject, oneOf, Timestamp } from '../contract/fields.ts'
import { orderStatuses } from '../contract/order-statuses.ts'
import { type Static, Type } from '../contract/type.ts'
import type { Queryable } from '../database/database.ts'
import { holdOrders, readStates } from './ledger/order-state-store.ts'
import {
  credited,
  held,
  type OrderState,
  outstanding,
  overpaid,
  owedOn,
  received,
  refunded,
  writtenOff,
} from './rules/order-rules.ts'
import { subOrderTypes } from './rules/status.ts'

export const DryRun = Type.Optional(
  Type.Boolean({ description: 'Only return the outcome, and change nothing; default false' }),
)

const Instalment = namedObject('PreviewedInstalment', {
  sub_order_id: Id,
  seq: Type.Integer(),
  type: oneOf(subOrderTypes),
  status: oneOf(orderStatuses),
  total_price: Money,
  paid_price: Money,
  unpaid_price: Money,
  payment_deadline: Timestamp,
})

const OrderFigures = namedObject('PreviewedOrder', {
  status: oneOf(orderStatuses),
  version: Type.Integer(),
  currency: Type.String(),
  listed_price: Money,
  discounted_price: Money,
  total_price: Money,
  paid_price: Money,
  refund_price: Money,
  held_price: described(Money, 'Received and not refunded'),
  credited_price: described(Money, 'The part of total_price that credit notes cancel'),
  written_off_price: Money,
  unpaid_price: Money,
  over_payment_price: Money,
  sub_orders: Type.Array(Instalment),
})

/** The orders that a dry run would change. */
export const OrderPreviews = Type.Optional(
  Type.Array(
    namedObject('OrderPreview', {
      order_id: Id,
      after: OrderFigures,
      before: Type.Optional(described(OrderFigures, 'Absent for a new order')),
    }),
    { description: 'Only of a dry run: the orders that would change, before and after' },
  ),
)

type Previews = NonNullable<Static<typeof OrderPreviews>>
type Asked = { corp_id: string; dry_run?: boolean }

/**
 * Adds a dry run to a use case: it runs in a transaction that is rolled back, with the same rules, locks and response.
 * `ordersOf` names the orders that exist before.
 */
export function withDryRun<Input extends Asked, Answer extends object>(
  ordersOf: (input: Input, context: OrganizationContext) => string[] | Promise<string[]>,
  handle: (context: OrganizationContext, input: Input) => Promise<Answer>,
) {
  return async (
    context: OrganizationContext,
    { dry_run, ...asked }: Input,
  ): Promise<Answer & { orders?: Previews }> => {
    const input = asked as Input
    if (!dry_run) return handle(context, input)
    const { time_zone } = context.organization
    return undone(context.db, async (db) => {
      const inside = { ...context, db }
      const ids = await ordersOf(input, inside)
      await holdOrders(db, input.corp_id, ids)
      const before = await readStates(db, input.corp_id, ids)
      const answer = await handle(inside, input)
      const made = 'order_id' in answer ? [answer.order_id as string] : []
      const after = await readStates(db, input.corp_id, [...new Set([...ids, ...made])])
      const orders = [...after.values()].map((state) => {
        const was = before.get(state.order_id)
        return {
          order_id: state.order_id,
          ...(was && { before: figuresOf(was, time_zone) }),
          after: figuresOf(state, time_zone),
        }
      })
      return { ...answer, orders }
    })
  }
}

/** Carries a response out of the transaction that it rolls back. */
class Undone extends Error {
  readonly answer: unknown

  constructor(answer: unknown) {
    super('A dry run changes nothing')
    this.answer = answer
  }
}

async function undone<Answer>(db: Queryable, work: (tx: Queryable) => Promise<Answer>): Promise<Answer> {
  if (db.isTransaction) throw new Error('A dry run needs its own transaction')
  try {
    return await db.transaction<never>(async (tx) => {
      throw new Undone(await work(tx))
    })
  } catch (error) {
    if (error instanceof Undone) return error.answer as Answer
    throw error
  }
}

function figuresOf(state: OrderState, timeZone: string): Static<typeof OrderFigures> {
  return {
    status: state.status,
    version: state.version,
    currency: state.currency,
    listed_price: state.listed_price,
    discounted_price: state.discounted_price,
    total_price: state.total_price,
    paid_price: received(state),
    refund_price: refunded(state),
    held_price: held(state),
    credited_price: credited(state),
    written_off_price: writtenOff(state),
    unpaid_price: outstanding(state),
    over_payment_price: overpaid(state),
    sub_orders: state.subOrders.map((subOrder) => ({
      sub_order_id: subOrder.sub_order_id,
      seq: subOrder.seq,
      type: subOrder.type,
      status: subOrder.status,
      total_price: subOrder.total_price,
      paid_price: subOrder.paid,
      unpaid_price: owedOn(state, subOrder),
      payment_deadline:
        subOrder.payment_deadline === null ? '' : localTime(subOrder.payment_deadline, timeZone),
    })),
  }
}
