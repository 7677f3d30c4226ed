import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, type InputFault, taken } from '../../contract/errors.ts'
import { described, Id, Money, Name, NullableString, namedObject, oneOf } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { DryRun, OrderPreviews, withDryRun } from '../dry-run.ts'
import { anyOrder, Currency, PaidPrice } from '../ledger/fields.ts'
import { holdClock } from '../ledger/ledger-clock-store.ts'
import { findCurrency, holdOrders, readStates } from '../ledger/order-state-store.ts'
import {
  accountIdOf,
  findFirstAllocations,
  findNameOfUser,
  findPayerOfUser,
  isAccountId,
} from '../payers/account-store.ts'
import { makePayer } from '../payers/create-payer.ts'
import { findPayerIds } from '../payers/payer-store.ts'
import { sum } from '../rules/allocation.ts'
import { PaymentAllocation } from './create-payment.ts'
import { findKnownCharges } from './known-charges.ts'
import { findKnownReceipts } from './known-receipts.ts'
import { PaymentInput } from './payment-input.ts'
import { chargeOf, findPayments, type Payment } from './payment-store.ts'
import { putReceiptOnOrders } from './receipt-rule.ts'
import { isRepetition } from './receive-payment.ts'

const { order_id: _, sub_order_id: __, ...money } = PaymentInput.properties

const Input = Type.Object({
  ...money,
  currency: Type.Optional(described(Currency, 'Default: that of the orders, or of the organization')),
  payer_id: Type.Optional(described(Id, 'Payer')),
  payer_user_id: Type.Optional(described(Id, 'The person who paid, instead of payer_id')),
  payer_name: Type.Optional(
    described(
      Name,
      'The name on the statement, if nobody knows the payer: a payer of the kind unknown is made',
    ),
  ),
  allocations: Type.Optional(
    Type.Array(
      namedObject('ReceiptAllocation', {
        order_id: Id,
        sub_order_id: Type.Optional(described(Id, 'The sub-order to pay first')),
        price: described(PaidPrice, 'In minor units of the currency of the orders'),
      }),
      { maxItems: longest.listItems, description: 'Each order once. The rest stays unallocated' },
    ),
  ),
  dry_run: DryRun,
})
export type ReceiptInput = Omit<Static<typeof Input>, 'dry_run'>

const Recorded = Type.Object({
  payment_id: Id,
  payer_id: Id,
  order_id: described(Id, 'The account of the payer, which the payment was recorded for'),
  order_price: described(Money, 'The received amount in order_currency'),
  order_currency: described(Type.String(), 'The currency of the orders'),
  allocated_price: Money,
  unallocated_price: described(Money, 'The part that no order has yet'),
  allocations: Type.Array(
    namedObject('AllocatedOrder', {
      order_id: Id,
      price: described(Money, '0 if the order could not take it'),
      because: described(NullableString, 'The reason why the order took nothing'),
      lines: Type.Array(PaymentAllocation),
      order_status: oneOf(orderStatuses),
      order_version: Type.Integer(),
    }),
  ),
})
export type RecordedReceipt = Static<typeof Recorded>

const example = {
  corp_id: 'lakeside',
  payer_id: '01906bce52507e7d9c7a520fbd98cd21',
  order_id: '01a00491d4087169b3c88f8f9813ae4a',
}

/** Records one receipt of money and allocates it over orders of several people. */
export const recordReceipt = endpoint({
  id: 'recordReceipt',
  method: 'POST',
  path: '/api/v5/entity/payment/receipt/create',
  group: 'Orders',
  since: 'Ver5.2026-11-18',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Record one receipt over several orders',
  description:
    'One payment of a payer, with one charge and one receipt. Each order takes its part as an arriving payment, or nothing ' +
    'is recorded. A part that an order cannot take, and the rest, stay unallocated on the account of the payer: ' +
    'payment/apply allocates it, payment/move moves it, order/refund/create with the id of the account refunds it. A ' +
    'repeated charge with the same content returns the first response; with other content it is 40901.',
  input: Input,
  oneOfSets: [['payer_id'], ['payer_user_id'], ['payer_name']],
  setsExclude: true,
  rules: namesPayerAndOrdersOnce,
  data: Type.Object({ ...Recorded.properties, orders: OrderPreviews }),
  example: {
    input: {
      corp_id: example.corp_id,
      payer_id: example.payer_id,
      price: 2_000_000,
      currency: 'CNY',
      method: 'transfer',
      charge_id: 'bank_20261118_0001',
      allocations: [{ order_id: '019a22db90307712ad71d799b856d7bf', price: 1_280_000 }],
    },
    data: {
      payment_id: '01a0121322587365aa30fc31c91b3d5f',
      payer_id: example.payer_id,
      order_id: `${example.payer_id}-CNY`,
      order_price: 2_000_000,
      order_currency: 'CNY',
      allocated_price: 1_280_000,
      unallocated_price: 720_000,
      allocations: [
        {
          order_id: example.order_id,
          price: 1_280_000,
          because: null,
          lines: [{ sub_order_id: '01a00491d408759aa7e124d4a9581a85', price: 1_280_000 }],
          order_status: 'success',
          order_version: 2,
        },
      ],
    },
  },
  errors: ['payerNotFound', 'userNotFound', 'orderNotFound', 'subOrderNotFound', 'taken'],

  handle: withDryRun<Static<typeof Input>, RecordedReceipt>(
    ({ allocations = [] }) => allocations.map(({ order_id }) => order_id),
    (context, input) => context.db.transaction((db) => record({ ...context, db }, input)),
  ),
})

function namesPayerAndOrdersOnce(
  { allocations = [] }: Partial<ReceiptInput>,
  isSent: (name: string) => boolean,
): InputFault[] {
  const payers = ['payer_id', 'payer_user_id', 'payer_name'].filter(isSent)
  const seen = new Set<string>()
  const missing = {
    param: 'payer_id',
    reason: 'is required (or payer_user_id, or payer_name)',
    missing: true,
  }
  return [
    ...(payers.length === 0 ? [missing] : []),
    ...payers.slice(1).map((param) => ({ param, reason: `must not be sent with ${payers[0]}` })),
    ...(Array.isArray(allocations) ? allocations : []).flatMap(({ order_id }, index) => {
      const isTwice = seen.has(order_id)
      seen.add(order_id)
      const param = `allocations/${index}/order_id`
      return isTwice ? [{ param, reason: 'must name each order once' }] : []
    }),
  ]
}

/** Orders are locked first, then the clock. All records are then read as they are until the commit. */
async function record(context: OrganizationContext, input: ReceiptInput): Promise<RecordedReceipt> {
  const { db: tx, organization } = context
  const { corp_id } = organization
  const orderIds = (input.allocations ?? []).map(({ order_id }) => order_id)
  const payerBefore =
    input.payer_id ?? (input.payer_user_id && (await findPayerOfUser(tx, corp_id, input.payer_user_id)))
  const currency = await currencyOf(tx, context, input)
  const accounts = payerBefore === undefined ? [] : [accountIdOf(payerBefore, currency)]
  await holdOrders(tx, corp_id, [...orderIds, ...accounts])
  await holdClock(tx, corp_id)
  const charge = chargeOf(input)
  const known = await findKnownCharges(tx, corp_id, charge ? [charge] : [])
  const earlier = charge && known.find(charge)
  if (earlier && !(earlier.is_void && input.reinstate)) return repeated(tx, context, input, earlier)
  const payer_id = await payerOf(context, input)
  const receipts = await findKnownReceipts(tx, corp_id, [input.receipt_num])
  const recording = {
    again: earlier && known.again(earlier),
    receipt_use: receipts.nextUse(input.receipt_num),
  }
  return putReceiptOnOrders(context, { input, payer_id, currency, recording })
}

/** The currency of the account: that of the orders, which is one. */
async function currencyOf(
  tx: Queryable,
  { organization }: OrganizationContext,
  input: ReceiptInput,
): Promise<string> {
  const [first] = input.allocations ?? []
  if (!first) return input.currency ?? organization.currency
  const currency = await findCurrency(tx, organization.corp_id, first.order_id)
  if (currency === undefined) throw new ApiError('orderNotFound')
  return currency
}

async function payerOf(context: OrganizationContext, input: ReceiptInput): Promise<string> {
  const { db: tx, organization } = context
  const { corp_id } = organization
  const { payer_id, payer_user_id: user_id, payer_name } = input
  if (payer_id !== undefined) {
    if (!(await findPayerIds(tx, corp_id, [payer_id])).has(payer_id)) throw new ApiError('payerNotFound')
    return payer_id
  }
  const known = user_id && (await findPayerOfUser(tx, corp_id, user_id))
  if (known) return known
  const name = user_id === undefined ? payer_name : await findNameOfUser(tx, corp_id, user_id)
  if (name === undefined) throw new ApiError('userNotFound')
  const payer = await makePayer(tx, context, {
    name,
    user_id,
    kind: user_id === undefined ? 'unknown' : 'person',
  })
  return payer.payer_id!
}

/** The first response again, with the orders as they are now. */
async function repeated(
  tx: Queryable,
  { organization }: OrganizationContext,
  input: ReceiptInput,
  earlier: Payment,
): Promise<RecordedReceipt> {
  const { corp_id, time_zone } = organization
  const { payment_id, order_id } = earlier
  const payment = (await findPayments(tx, [{ corp_id, payment_id }])).get(payment_id)!
  const first = await findFirstAllocations(tx, corp_id, payment_id, input.allocations?.length ?? 0)
  if (!isSameReceipt(input, earlier, payment.currency, first, time_zone))
    throw taken('charge_id', 'belongs to a payment of other content', { payment_id })
  if (earlier.is_void)
    throw taken('charge_id', 'belongs to a voided payment: send reinstate to record it again', { payment_id })
  const states = await readStates(
    tx,
    corp_id,
    (input.allocations ?? []).map((each) => each.order_id),
  )
  const allocated_price = sum(first)
  return {
    payment_id,
    payer_id: earlier.payer_id ?? '',
    order_id,
    order_price: earlier.order_price,
    order_currency: payment.currency,
    allocated_price,
    unallocated_price: earlier.order_price - allocated_price,
    allocations: [...states.values()].map((state) => {
      const lines = first.filter((line) => line.order_id === state.order_id)
      return {
        order_id: state.order_id,
        price: sum(lines),
        because: lines.length > 0 ? null : 'the order could not take it',
        lines: lines.map(({ sub_order_id, price }) => ({ sub_order_id, price })),
        order_status: state.status,
        order_version: state.version,
      }
    }),
  }
}

/** An order that could not take its part took nothing. */
function isSameReceipt(
  input: ReceiptInput,
  earlier: Payment,
  currency: string,
  first: { order_id: string; price: number }[],
  timeZone: string,
): boolean {
  const wanted = input.allocations ?? []
  const isSameOn = ({ order_id, price }: { order_id: string; price: number }) => {
    const found = sum(first.filter((line) => line.order_id === order_id))
    return found === price || found === 0
  }
  return (
    isAccountId(earlier.order_id) &&
    isRepetition(earlier, { ...input, order_id: earlier.order_id }, currency, timeZone) &&
    first.every(({ order_id }) => wanted.some((each) => each.order_id === order_id)) &&
    wanted.every(isSameOn)
  )
}
