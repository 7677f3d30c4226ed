import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, Money, NullableString, OrganizationId, oneOf } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { type Static, Type } from '../../contract/type.ts'
import { changeOrder, type FindRule } from '../change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder, Reason } from '../ledger/fields.ts'
import { forbidden, obstacleToMoney, takeMoney } from '../rules/order-rules.ts'
import { findPayments, findPaymentsByCharge, findReportedPayment, findUsedReceipts } from './payment-store.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  payment_id: Id,
  reason: described(Reason, 'Why the payment counts after all'),
  dry_run: DryRun,
})
type ReversalInput = Static<typeof Input>

const Reversed = Type.Object({
  payment_id: Id,
  order_id: described(Id, 'The order that the payment was reported for'),
  price: described(Money, 'The amount that counts again'),
  applied: Type.Boolean({ description: 'Whether the order took the money; otherwise it is unapplied' }),
  because: described(NullableString, 'The reason why it did not'),
  order_status: oneOf(orderStatuses),
  order_version: Type.Integer(),
})

/** Reverses a void: the payment counts again. */
export const reverseVoid = endpoint({
  id: 'reverseVoid',
  method: 'POST',
  path: '/api/v5/entity/order/payment/void/reverse',
  group: 'Orders',
  since: 'Ver5.2026-11-18',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Reverse the void of a payment',
  description:
    'The payment counts again, and is allocated to the order that it was reported for. If the order cannot take it, it is ' +
    'unapplied. A charge that was recorded again in the meantime has another payment: void that one first.',
  input: Input,
  data: Type.Object({ ...Reversed.properties, orders: OrderPreviews }),
  example: {
    input: {
      corp_id: 'lakeside',
      payment_id: '019c79d295d07b8c83f76d4c8f6a8756',
      reason: 'The bank withdrew the return',
    },
    data: {
      payment_id: '01a0121322587365aa30fc31c91b3d5f',
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      price: 1_280_000,
      applied: true,
      because: null,
      order_status: 'success',
      order_version: 4,
    },
  },
  errors: ['paymentNotFound', 'stateForbids'],
  handle: withDryRun(async ({ corp_id, payment_id }, { db }) => {
    const payment = await findReportedPayment(db, corp_id, payment_id)
    return payment ? [payment.order_id] : []
  }, recordReversal),
})

async function recordReversal({ db, account }: OrganizationContext, input: ReversalInput) {
  const { corp_id, payment_id } = input
  const payment = await findReportedPayment(db, corp_id, payment_id)
  if (!payment) throw new ApiError('paymentNotFound')
  const changer = { db, corp_id, executor_id: account.app_id }
  return changeOrder(changer, { ...input, order_id: payment.order_id }, reversalRule(account.app_id))
}

function reversalRule(
  executor_id: string,
): FindRule<ReversalInput & { order_id: string }, Static<typeof Reversed>> {
  const findRule: ReturnType<typeof reversalRule> = async (tx, changes) => {
    const payments = await findPayments(tx, changes)
    const [first] = changes
    const reported = first && (await findReportedPayment(tx, first.corp_id, first.payment_id))
    const { charge_id = null, provider = '' } = reported ?? {}
    const recordings =
      charge_id === null ? [] : await findPaymentsByCharge(tx, first?.corp_id ?? '', [charge_id])
    const other = recordings.find(
      (each) => !each.is_void && each.provider === provider && each.payment_id !== first?.payment_id,
    )
    const receipts = reported?.receipt_num == null ? [] : [reported.receipt_num]
    const user = (await findUsedReceipts(tx, first?.corp_id ?? '', receipts)).find(({ is_void }) => !is_void)
    return ({ payment_id, order_id, reason }, before, at) => {
      const payment = payments.get(payment_id)
      if (!payment) throw new ApiError('paymentNotFound')
      if (payment.voided === 0) throw forbidden(before, 'The payment is not void.')
      if (other) throw forbidden(before, `The charge was recorded again, as payment ${other.payment_id}.`)
      if (user) throw forbidden(before, `The receipt number was used again, for payment ${user.payment_id}.`)
      const price = payment.voided
      const obstacle = obstacleToMoney(before, payment.completed_time)
      const taken =
        obstacle === undefined ? takeMoney(before, [{ payment_id, price }], at) : { because: obstacle }
      const because = 'because' in taken ? taken.because : null
      return {
        state: 'because' in taken ? before : taken,
        facts: { payment_voids: [{ payment_id, order_id, price: -price, reason, executor_id, at }] },
        cause: { change: 'reversal', reason, subject_id: payment_id },
        result: ({ version, to_status }) => ({
          payment_id,
          order_id,
          price,
          applied: because === null,
          because,
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
