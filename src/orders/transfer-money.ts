import { type Static, Type } from 'typebox'
import { endpoint, type OrganizationContext } from '../contract/endpoint.ts'
import { ApiError, type InputFault, invalid } from '../contract/errors.ts'
import { described, Id, Money, OrganizationId, oneOf } from '../contract/fields.ts'
import { orderStatuses } from '../contract/order-statuses.ts'
import { changeOrders, type FindRule } from './change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from './dry-run.ts'
import { anyOrder, PaidPrice, Reason } from './ledger/fields.ts'
import type { LedgerInstant } from './ledger/ledger-clock-store.ts'
import { type Piece, sum, takeOff, takingsOf } from './rules/allocation.ts'
import { forbidden, held, loseMoney, type OrderState, received, takeMoney } from './rules/order-rules.ts'
import { payableStatuses } from './rules/status.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  from_order_id: Id,
  to_order_id: described(Id, 'An order in the same currency'),
  price: described(PaidPrice, 'What is moved, in minor units of their currency'),
  reason: described(Reason, 'Why it is moved'),
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
  since: 'Ver5.2026-11-15',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Move received money to another order',
  description:
    'What one order has received, the other has received from then on: nothing is refunded or paid, and the gross is counted ' +
    'once. First goes what was paid too much, then what lies on the last sub-orders. Both orders are is_transferred, and ' +
    'the transferred_id of each names the other.',
  input: Input,
  rules: ({ from_order_id, to_order_id }): InputFault[] =>
    from_order_id !== undefined && from_order_id === to_order_id
      ? [{ param: 'to_order_id', reason: 'must be another order' }]
      : [],
  data: Type.Object({ transfer_id: Id, price: Money, from: Side, to: Side, orders: OrderPreviews }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      from_order_id: '0198c0de11117c41a2f0d8e6b4937215',
      to_order_id: '0198c0de55557c41a2f0d8e6b4937215',
      price: 1_280_000,
      reason: 'Moved to the autumn batch',
    },
    data: {
      transfer_id: '0198c0de66667c41a2f0d8e6b4937215',
      price: 1_280_000,
      from: {
        order_id: '0198c0de11117c41a2f0d8e6b4937215',
        paid_price: 0,
        order_status: 'created',
        order_version: 3,
      },
      to: {
        order_id: '0198c0de55557c41a2f0d8e6b4937215',
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
  const { corp_id, from_order_id, to_order_id, price } = input
  const transfer_id = context.newId()
  const changes = [{ order_id: from_order_id }, { order_id: to_order_id }]
  const changer = { db: context.db, corp_id, executor_id: context.account.app_id }
  const [from, to] = await changeOrders(changer, changes, transferRule(context, input, transfer_id))
  return { transfer_id, price, from: from!, to: to! }
}

/** The order that gives comes first; what it gives, the other takes. */
function transferRule(
  { account }: OrganizationContext,
  input: TransferInput,
  transfer_id: string,
): FindRule<{ order_id: string }, Static<typeof Side>> {
  const { from_order_id, to_order_id, price, reason } = input
  const cause = { change: 'transfer', reason, subject_id: transfer_id } as const
  return async (_tx, _changes, states) => {
    const [from, to] = [states.get(from_order_id), states.get(to_order_id)]
    if (!from || !to) throw new ApiError('orderNotFound')
    if (from.currency !== to.currency)
      throw invalid('to_order_id', `must name an order in ${from.currency}, not in ${to.currency}`)
    const given = piecesOf(from, price)
    return ({ order_id }, before, at) => {
      const isGiving = order_id === from_order_id
      const state = isGiving ? loseMoney(before, given.allocations, at) : takenBy(before, given.pieces, at)
      const other = isGiving ? to_order_id : from_order_id
      const fact = { transfer_id, from_order_id, to_order_id, price, reason, executor_id: account.app_id, at }
      return {
        state,
        fields: { is_transferred: true, transferred_id: other },
        ...(isGiving && { facts: { order_transfers: [fact] } }),
        cause,
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

function piecesOf(from: OrderState, price: number) {
  if (price > held(from))
    throw forbidden(from, `At most ${held(from)} can be moved: what was received, less what has gone back.`)
  const { taken, allocations } = takeOff(from.allocations, takingsOf(from.subOrders, price))
  const pieces = Map.groupBy(taken, ({ payment_id }) => payment_id)
  return {
    allocations,
    pieces: [...pieces].map(([payment_id, lines]): Piece => ({ payment_id, price: sum(lines) })),
  }
}

function takenBy(to: OrderState, pieces: Piece[], at: LedgerInstant): OrderState {
  const taken = payableStatuses.includes(to.status)
    ? takeMoney(to, pieces, at)
    : { because: `it is ${to.status}` }
  if ('because' in taken) throw forbidden(to, `The other order cannot take the money: ${taken.because}.`)
  return taken
}
