import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, type InputFault, invalid } from '../../contract/errors.ts'
import { described, Id, Money, OrganizationId, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { type Static, Type } from '../../contract/type.ts'
import { changeOrders, type FindRule } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder, PaidPrice, Reason } from '../ledger/fields.ts'
import type { LedgerInstant } from '../ledger/ledger-clock-store.ts'
import { type Allocation, type Piece, sum, takeOff, takingsOf } from '../rules/allocation.ts'
import { forbidden, held, loseMoney, type OrderState, received, takeMoney } from '../rules/order-rules.ts'
import { requireBalance } from '../rules/payment-balance.ts'
import { payableStatuses } from '../rules/status.ts'
import { findPayments } from './payment-store.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  from_order_id: Id,
  to_order_id: described(Id, 'An order in the same currency'),
  price: described(PaidPrice, 'The moved amount, in minor units of their currency'),
  reason: described(Reason, 'The reason for the transfer'),
  dry_run: DryRun,
})
type TransferInput = Static<typeof Input>

const Side = Type.Object({
  order_id: Id,
  paid_price: Money,
  order_status: oneOf(orderStatuses),
  order_version: Type.Integer(),
})

/** Moves received money from one order to another, in one step. */
export const transferMoney = endpoint({
  id: 'transferMoney',
  method: 'POST',
  path: '/api/v5/entity/order/transfer',
  group: 'Orders',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Move received money to another order',
  description:
    'The money counts as received by the other order: nothing is refunded or paid, and the gross is counted once. The ' +
    'surplus moves first, then the money of the last sub-orders. Both orders are is_transferred, and the transferred_id of ' +
    'each names the other.',
  input: Input,
  rules: ({ from_order_id, to_order_id }): InputFault[] =>
    from_order_id !== undefined && from_order_id === to_order_id
      ? [{ param: 'to_order_id', reason: 'must be another order' }]
      : [],
  data: Type.Object({ transfer_id: Id, price: Money, from: Side, to: Side, orders: OrderPreviews }),
  example: {
    input: {
      corp_id: 'lakeside',
      from_order_id: '019d0147ec407abdb5ddb51fd5d46c36',
      to_order_id: '019d0baa3b98773dbe20d93163a8790f',
      price: 1_280_000,
      reason: 'Moved to the autumn batch',
    },
    data: {
      transfer_id: '0198c0de66667c41a2f0d8e6b4937215',
      price: 1_280_000,
      from: {
        order_id: '019d0147ec407abdb5ddb51fd5d46c36',
        paid_price: 0,
        order_status: 'created',
        order_version: 3,
      },
      to: {
        order_id: '019d0baa3b98773dbe20d93163a8790f',
        paid_price: 1_280_000,
        order_status: 'success',
        order_version: 2,
      },
    },
  },
  errors: ['orderNotFound', 'stateForbids'],
  handle: withDryRun(({ from_order_id, to_order_id }) => [from_order_id, to_order_id], recordTransfer),
})

async function recordTransfer(context: OrganizationContext, input: TransferInput) {
  const transfer_id = context.newId()
  return moveBetweenOrders(context, {
    ...input,
    transfer_id,
    reverses_id: null,
    take: (from) => takeOff(from.allocations, takingsOf(from.subOrders, input.price)),
  })
}

/** Money that moves from one order to another. */
interface Transfer extends Omit<TransferInput, 'dry_run'> {
  transfer_id: string
  reverses_id: string | null
  /** The lines that leave the first order, and the allocations that stay. */
  take(from: OrderState): ReturnType<typeof takeOff>
}

/** Both orders change together, or none. */
export async function moveBetweenOrders({ db, account }: OrganizationContext, transfer: Transfer) {
  const { corp_id, from_order_id, to_order_id, price, transfer_id } = transfer
  const changes = [{ order_id: from_order_id }, { order_id: to_order_id }]
  const changer = { db, corp_id, executor_id: account.app_id }
  const [from, to] = await changeOrders(changer, changes, transferRule(transfer, account.app_id))
  if (!from || !to) throw new ApiError('orderNotFound')
  return { transfer_id, price, from, to }
}

function transferRule(
  { take, ...transfer }: Transfer,
  executor_id: string,
): FindRule<{ order_id: string }, Static<typeof Side>> {
  const { corp_id, from_order_id, to_order_id, price, reason, transfer_id, reverses_id } = transfer
  const change = reverses_id === null ? ('transfer' as const) : ('reversal' as const)
  const fact = { transfer_id, from_order_id, to_order_id, price, reverses_id, reason, executor_id }
  return async (tx, _changes, states) => {
    const [from, to] = [states.get(from_order_id), states.get(to_order_id)]
    if (!from || !to) throw new ApiError('orderNotFound')
    if (from.currency !== to.currency)
      throw invalid('to_order_id', `must name an order in ${from.currency}, not in ${to.currency}`)
    if (price > held(from))
      throw forbidden(from, `At most ${held(from)} can be moved: received less refunded.`)
    const { taken, allocations } = take(from)
    const pieces = piecesOf(taken)
    const payments = await findPayments(
      tx,
      pieces.map(({ payment_id }) => ({ corp_id, payment_id })),
    )
    for (const piece of pieces) {
      const payment = payments.get(piece.payment_id)
      if (payment) requireBalance(payment, { order_id: from_order_id }, piece.price)
    }
    return ({ order_id }, before, at) => {
      const isGiving = order_id === from_order_id
      const state = isGiving ? loseMoney(before, allocations, at) : takenBy(before, pieces, at)
      return {
        state,
        fields: { is_transferred: true, transferred_id: isGiving ? to_order_id : from_order_id },
        ...(isGiving && { facts: { order_transfers: [{ ...fact, at }] } }),
        cause: { change, reason, subject_id: transfer_id },
        result: ({ version, to_status }) => ({
          order_id,
          paid_price: received(state),
          order_status: to_status,
          order_version: version,
        }),
      }
    }
  }
}

/** The money of each payment. */
function piecesOf(lines: Allocation[]): Piece[] {
  const byPayment = Map.groupBy(lines, ({ payment_id }) => payment_id)
  return [...byPayment].map(([payment_id, own]) => ({ payment_id, price: sum(own) }))
}

function takenBy(to: OrderState, pieces: Piece[], at: LedgerInstant): OrderState {
  const taken = payableStatuses.includes(to.status)
    ? takeMoney(to, pieces, at)
    : { because: `it is ${to.status}` }
  if ('because' in taken) throw forbidden(to, `The other order cannot take the money: ${taken.because}.`)
  return taken
}
