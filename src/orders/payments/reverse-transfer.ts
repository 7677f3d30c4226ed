import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { DryRun, withDryRun } from '../dry-run.ts'
import { anyOrder, Reason } from '../ledger/fields.ts'
import { holdOrders } from '../ledger/order-state-store.ts'
import { sum, takeOffPieces } from '../rules/allocation.ts'
import { forbidden } from '../rules/order-rules.ts'
import { moveBetweenOrders, transferMoney } from './transfer-money.ts'
import { findTransfer } from './transfer-store.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  transfer_id: Id,
  reason: described(Reason, 'Why the money moves back'),
  dry_run: DryRun,
})

/** Reverses a transfer: the same payments move back. */
export const reverseTransfer = endpoint({
  id: 'reverseTransfer',
  method: 'POST',
  path: '/api/v5/entity/order/transfer/reverse',
  group: 'Orders',
  since: 'Ver5.2026-11-18',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Reverse a transfer between orders',
  description:
    'The money of the same payments moves back, as a separate transfer. It is refused if the order does not hold this money ' +
    'any more.',
  input: Input,
  data: transferMoney.data,
  example: {
    input: {
      corp_id: 'lakeside',
      transfer_id: '0198c0de66667c41a2f0d8e6b4937215',
      reason: 'Moved to the wrong order',
    },
    data: transferMoney.example.data,
  },
  errors: ['transferNotFound', 'stateForbids'],
  handle: withDryRun(async ({ corp_id, transfer_id }, { db }) => {
    const transfer = await findTransfer(db, corp_id, transfer_id)
    return transfer ? [transfer.from_order_id, transfer.to_order_id] : []
  }, recordReversal),
})

async function recordReversal(context: OrganizationContext, input: Static<typeof Input>) {
  const { corp_id, transfer_id: reverses_id, reason } = input
  return context.db.transaction(async (db) => {
    const found = await findTransfer(db, corp_id, reverses_id)
    if (!found) throw new ApiError('transferNotFound')
    // Under the locks of both orders, a second reversal sees the first.
    await holdOrders(db, corp_id, [found.from_order_id, found.to_order_id])
    const transfer = await findTransfer(db, corp_id, reverses_id)
    if (transfer?.is_reversed !== false)
      throw new ApiError('stateForbids', { msg: 'The transfer is reversed already.', allowed: [] })
    const { price, pieces } = transfer
    return moveBetweenOrders(
      { ...context, db },
      {
        corp_id,
        transfer_id: context.newId(),
        reverses_id,
        from_order_id: transfer.to_order_id,
        to_order_id: transfer.from_order_id,
        price,
        reason,
        take(from) {
          const taking = takeOffPieces(from.subOrders, from.allocations, pieces)
          const left = sum(taking.taken)
          if (left < price) throw forbidden(from, `The order holds ${left} of this money, not ${price}.`)
          return taking
        },
      },
    )
  })
}
