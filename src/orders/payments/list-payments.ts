import { endpoint } from '../../contract/endpoint.ts'
import {
  BigInteger,
  described,
  Id,
  Money,
  NullableBigInteger,
  namedObject,
  oneOf,
  oneOfOr,
  Timestamp,
} from '../../contract/fields.ts'
import { examplePage, pageOf, rangeIsNotReversed } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { findPayersOf } from '../payers/named-payers.ts'
import { paymentStates } from '../rules/payment-balance.ts'
import { orderSources } from '../rules/status.ts'
import { PaymentAllocation } from './create-payment.ts'
import { moneyFilterOf, moneyListInput, refuseMissing } from './money-filter.ts'
import { findPaymentPage } from './money-list-store.ts'

const Text = Type.String()

const PaymentRow = namedObject('PaymentRow', {
  payment_id: Id,
  order_id: described(Id, 'The order that it was reported for, or the account of its payer'),
  sub_order_id: described(Text, 'The sub-order that the caller named'),
  user_id: described(Text, 'Of the order; "" for the account of a payer'),
  user_name: described(Text, 'Current name of that user'),
  payer_id: described(Text, 'Payer, if not the user of the order'),
  payer_name: Text,
  state: oneOf(paymentStates),
  price: described(Money, 'Minor units of its own currency'),
  currency: Text,
  exchange_rate: described(BigInteger, 'The rate × 10,000'),
  rate: described(Text, 'The exact rate as a decimal'),
  order_price: described(Money, 'The amount in the currency of the order'),
  order_currency: Text,
  unapplied_price: described(Money, 'The part of it that is neither allocated nor refunded'),
  refund_price: described(Money, 'The refunded part of it'),
  source: oneOf(orderSources),
  provider: Text,
  method: Text,
  charge_id: Text,
  receipt_num: NullableBigInteger,
  comments: Text,
  unapplied_reason: described(Text, 'Why no order could take it when it arrived'),
  void_reason: described(Text, 'Why it is void'),
  executor_id: Text,
  completed_time: described(Timestamp, 'The reported time of the payment'),
  ctime: described(Timestamp, 'The time of the ledger entry'),
  closed_period: described(
    Text,
    'The last day of the closed period that it belongs to, if it was posted later',
  ),
  matched_time: described(Timestamp, 'When a bank statement confirmed it; "" if none does'),
  void_time: Timestamp,
  void_closed_period: described(
    Text,
    'The last day of the closed period that the voided payment belongs to, if it was voided later',
  ),
  allocations: Type.Array(
    namedObject('ListedAllocation', { order_id: Id, ...PaymentAllocation.properties }),
    { description: 'The parts of the orders that have the money now' },
  ),
  orders: Type.Array(
    namedObject('PaidOrder', { order_id: Id, user_name: described(Text, 'Current name of its user') }),
    { description: 'These orders' },
  ),
})

/** Lists payments with their allocations. */
export const listPayments = endpoint({
  id: 'listPayments',
  method: 'GET',
  path: '/api/v5/entity/payment/list',
  group: 'Orders',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List payments',
  description:
    'Sorted by completed_time, the oldest first by default. A payment that waits to be applied or refunded has the state ' +
    'unapplied; a fully refunded one, refunded.',
  input: Type.Object({
    ...moneyListInput,
    payer_id: Type.Optional(described(Id, 'Only payments of this payer')),
    state: Type.Optional(oneOf(paymentStates)),
    sort: oneOfOr('oldest', ['oldest', 'newest'], 'By completed_time'),
  }),
  rules: rangeIsNotReversed,
  data: pageOf(PaymentRow),
  example: {
    input: { corp_id: 'lakeside', state: 'unapplied' },
    data: examplePage<Static<typeof PaymentRow>>({
      payment_id: '01a0121322587365aa30fc31c91b3d5f',
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      sub_order_id: '',
      user_id: '019672b93ea877f0b98a30ed5184dccd',
      user_name: '林晓',
      payer_id: '',
      payer_name: '',
      state: 'unapplied',
      price: 1_280_000,
      currency: 'CNY',
      exchange_rate: 10_000,
      rate: '1',
      order_price: 1_280_000,
      order_currency: 'CNY',
      unapplied_price: 1_280_000,
      refund_price: 0,
      source: 'payment_gateway',
      provider: '',
      method: 'card',
      charge_id: 'ch_20240311_0001',
      receipt_num: null,
      comments: '',
      unapplied_reason: 'the order is canceled',
      void_reason: '',
      executor_id: 'lakeside-finance',
      completed_time: '2024-03-11 09:30:00',
      ctime: '2024-03-11 09:30:05',
      closed_period: '',
      matched_time: '2024-03-14 10:05:00',
      void_time: '',
      void_closed_period: '',
      allocations: [],
      orders: [],
    }),
  },
  errors: ['userNotFound', 'orderNotFound', 'payerNotFound'],

  async handle({ db, organization }, { state, sort, payer_id, ...input }) {
    const filter = { ...moneyFilterOf(input, organization), payer_id, isDescending: sort === 'newest' }
    await refuseMissing(db, filter)
    ;(await findPayersOf(db, input.corp_id, [{ input: { payer_id } }]))({ payer_id })
    const { page, page_size } = filter
    const { total, list } = await findPaymentPage<Static<typeof PaymentRow>>(db, { ...filter, state })
    return { total, page, page_size, list }
  },
})
