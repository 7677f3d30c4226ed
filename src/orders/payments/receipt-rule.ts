import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid, requireFinance } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { changeOrders, type FindRule } from '../change-orders.ts'
import { recordVersions } from '../ledger/history-store.ts'
import { type LedgerInstant, takeInstants } from '../ledger/ledger-clock-store.ts'
import { holdOrders, type OrderStates } from '../ledger/order-state-store.ts'
import { accountIdOf, insertAccount } from '../payers/account-store.ts'
import { sum } from '../rules/allocation.ts'
import { allocationsOf, type OrderState, obstacleToMoney, takeMoney } from '../rules/order-rules.ts'
import type { Payment } from './payment-store.ts'
import { type Recording, receivePayment } from './receive-payment.ts'
import type { ReceiptInput, RecordedReceipt } from './record-receipt.ts'

/** A receipt of a known payer, in the currency of its orders. */
interface Receipt {
  input: ReceiptInput
  payer_id: string
  currency: string
  /** The members of the payment if its number or voided charge was used before. */
  recording: Recording
}

type Allocated = RecordedReceipt['allocations'][number]
type Wanted = NonNullable<ReceiptInput['allocations']>[number]

const noOrder = 'no order has it yet'

/** Records the payment for the account of the payer, and allocates it. The caller holds the orders and the clock. */
export async function putReceiptOnOrders(
  context: OrganizationContext,
  receipt: Receipt,
): Promise<RecordedReceipt> {
  const { db: tx, account, organization } = context
  const { corp_id } = organization
  const { input, payer_id, currency, recording } = receipt
  if (recording.again) requireFinance(account, 'recording a voided charge again')
  const order_id = accountIdOf(payer_id, currency)
  await ensureAccount(tx, corp_id, { order_id, currency, executor_id: account.app_id })
  const wanted = input.allocations ?? []
  const payment_id = context.newId()
  const changer = { db: tx, corp_id, executor_id: account.app_id }
  const changes = [{ order_id }, ...wanted]
  const [received, ...allocations] = await changeOrders(
    changer,
    changes,
    receiptRule({ ...context, newId: () => payment_id }, { ...receipt, order_id, payment_id }),
  )
  if (!received || !('order_price' in received)) throw new Error('The account has no payment')
  const allocated = allocations as Allocated[]
  const allocated_price = sum(allocated)
  return {
    payment_id,
    payer_id,
    order_id,
    order_price: received.order_price,
    order_currency: currency,
    allocated_price,
    unallocated_price: received.order_price - allocated_price,
    allocations: allocated,
  }
}

async function ensureAccount(
  tx: Queryable,
  corp_id: string,
  account: { order_id: string; currency: string; executor_id: string },
): Promise<void> {
  const { order_id, executor_id } = account
  if ((await holdOrders(tx, corp_id, [order_id])).has(order_id)) return
  const [at = ''] = await takeInstants(tx, corp_id, 1)
  await insertAccount(tx, corp_id, { ...account, at })
  await recordVersions(tx, corp_id, [
    {
      ...{ order_id, at, executor_id, change: 'created', from_status: null },
      ...{ reason: null, subject_id: null },
    },
  ])
}

/** The order after its part, or the reason why it takes nothing. */
function takenBy(
  state: OrderState,
  { price, sub_order_id }: Wanted,
  { payment_id, completed_time }: Pick<Payment, 'payment_id' | 'completed_time'>,
  at: LedgerInstant,
): OrderState | { because: string } {
  const because = obstacleToMoney(state, completed_time)
  return because === undefined ? takeMoney(state, [{ payment_id, price }], at, sub_order_id) : { because }
}

function receiptRule(
  context: OrganizationContext,
  {
    input,
    payer_id,
    currency,
    recording,
    order_id: accountId,
    payment_id,
  }: Receipt & { order_id: string; payment_id: string },
): FindRule<{ order_id: string } | Wanted, { order_price: number } | Allocated> {
  const wanted = input.allocations ?? []
  const findRule: ReturnType<typeof receiptRule> = async (_tx, _changes, states) => {
    requireSame(wanted, states, currency)
    // The account is the first change, so its payment is known to the orders.
    let payment: Payment | undefined
    return (change, before, at) => {
      if (change.order_id === accountId) {
        const reported = { ...input, order_id: accountId, payer_id }
        const made = receivePayment(context, reported, before, at, recording)
        const { order_price } = made.payment
        if (sum(wanted) > order_price)
          throw invalid('allocations', `must sum to at most ${order_price}, which was received`)
        const allocated = wanted.filter((each) => {
          const state = states.get(each.order_id)
          return state && !('because' in takenBy(state, each, made.payment, at))
        })
        const unapplied_reason = sum(allocated) < order_price ? noOrder : null
        payment = { ...made.payment, unapplied_reason }
        return {
          state: before,
          facts: { payments: [{ ...made.fact, unapplied_reason }] },
          cause: { change: 'payment', reason: input.comments ?? null, subject_id: payment_id },
          result: () => ({ order_price }),
        }
      }
      if (!payment) throw new ApiError('paymentNotFound')
      const taken = takenBy(before, change as Wanted, payment, at)
      const { order_id } = before
      if ('because' in taken) {
        const { status: order_status, version: order_version } = before
        return {
          unchanged: { order_id, price: 0, because: taken.because, lines: [], order_status, order_version },
        }
      }
      const lines = allocationsOf(taken, payment_id)
      return {
        state: taken,
        cause: { change: 'apply', reason: null, subject_id: payment_id },
        result: ({ version, to_status }) => ({
          ...{ order_id, price: sum(lines), because: null, lines },
          ...{ order_status: to_status, order_version: version },
        }),
      }
    }
  }
  findRule.includesAccounts = true
  return findRule
}

/** Every order exists, is in the currency of the account, and has the named sub-order. */
function requireSame(wanted: Wanted[], states: OrderStates, currency: string): void {
  for (const [index, { order_id, sub_order_id }] of wanted.entries()) {
    const state = states.get(order_id)
    // An account is no order that money is allocated to.
    if (!state || state.subOrders.length === 0) throw new ApiError('orderNotFound')
    if (state.currency !== currency)
      throw invalid(
        `allocations/${index}/order_id`,
        `must name an order in ${currency}, not in ${state.currency}`,
      )
    if (sub_order_id !== undefined && !state.subOrders.some((each) => each.sub_order_id === sub_order_id))
      throw new ApiError('subOrderNotFound')
  }
}
