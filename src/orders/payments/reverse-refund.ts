import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, Money, OrganizationId, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { type Static, Type } from '../../contract/type.ts'
import { changeOrder, type FindRule } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder, Reason } from '../ledger/fields.ts'
import { forbidden, refundLines } from '../rules/order-rules.ts'
import { findRefund } from './refund-store.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  refund_id: Id,
  reason: described(Reason, 'Why the refund does not count'),
  dry_run: DryRun,
})
type ReversalInput = Static<typeof Input>

const Reversed = Type.Object({
  refund_id: Id,
  order_id: Id,
  price: described(Money, 'The amount that the order holds again'),
  order_status: oneOf(orderStatuses),
  order_version: Type.Integer(),
})

/** Reverses a refund, such as one that the bank returned. */
export const reverseRefund = endpoint({
  id: 'reverseRefund',
  method: 'POST',
  path: '/api/v5/entity/order/refund/reverse',
  group: 'Orders',
  since: 'Ver5.2026-11-18',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Reverse a refund',
  description:
    'The money did not leave, for example because the bank returned it. The payments hold it again, and a credit is ' +
    'cancelled. The refund stays in the history, and the reversal is a separate entry.',
  input: Input,
  data: Type.Object({ ...Reversed.properties, orders: OrderPreviews }),
  example: {
    input: {
      corp_id: 'lakeside',
      refund_id: '01a10ee6a1307fcabc7ed003b46ba6cc',
      reason: 'The account of the payer is closed',
    },
    data: {
      refund_id: '01a10ee6a1307fcabc7ed003b46ba6cc',
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      price: 100_000,
      order_status: 'success',
      order_version: 4,
    },
  },
  errors: ['refundNotFound', 'stateForbids'],
  handle: withDryRun(async (input, { db }) => {
    const refund = await findRefund(db, input.corp_id, input.refund_id)
    return refund ? [refund.order_id] : []
  }, recordReversal),
})

async function recordReversal({ db, account }: OrganizationContext, input: ReversalInput) {
  const { corp_id, refund_id } = input
  const refund = await findRefund(db, corp_id, refund_id)
  if (!refund) throw new ApiError('refundNotFound')
  const changer = { db, corp_id, executor_id: account.app_id }
  return changeOrder(changer, { ...input, order_id: refund.order_id }, reversalRule(account.app_id))
}

function reversalRule(
  executor_id: string,
): FindRule<ReversalInput & { order_id: string }, Static<typeof Reversed>> {
  const findRule: ReturnType<typeof reversalRule> = async (tx, [first]) => {
    const refund = first && (await findRefund(tx, first.corp_id, first.refund_id))
    return ({ refund_id, order_id, reason }, before, at) => {
      if (!refund) throw new ApiError('refundNotFound')
      if (refund.is_reversed) throw forbidden(before, 'The refund is reversed already.')
      const { price } = refund
      const seqs = new Map(before.subOrders.map((each) => [each.sub_order_id, each.seq]))
      const lines = refund.allocations.map((line) => ({
        ...line,
        price: -line.price,
        surplus_price: -line.surplus_price,
        credited_price: -line.credited_price,
      }))
      const onOrder = lines.filter(({ sub_order_id }) => sub_order_id !== '')
      return {
        state: refundLines(before, onOrder, at),
        facts: {
          refund_reversals: [{ refund_id, order_id, price, reason, executor_id, at }],
          refund_allocations: lines.map((line) => ({
            ...line,
            refund_id,
            order_id,
            line: seqs.get(line.sub_order_id) ?? 0,
            at,
          })),
        },
        cause: { change: 'reversal', reason, subject_id: refund_id },
        result: ({ version, to_status }) => ({
          refund_id,
          order_id,
          price,
          order_status: to_status,
          order_version: version,
        }),
      }
    }
  }
  findRule.isAlone = true
  findRule.includesAccounts = true
  return findRule
}
