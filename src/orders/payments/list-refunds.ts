import { endpoint } from '../../contract/endpoint.ts'
import { BigInteger, described, Id, Money, namedObject, oneOf, Timestamp } from '../../contract/fields.ts'
import { examplePage, pageOf, rangeIsNotReversed } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { RefundAllocation } from './create-refund.ts'
import { moneyFilterOf, moneyListInput, refuseMissing } from './money-filter.ts'
import { findRefundPage } from './money-list-store.ts'

const Text = Type.String()

const RefundRow = namedObject('RefundRow', {
  refund_id: Id,
  order_id: Id,
  sub_order_id: described(Text, 'The one that the caller named'),
  payment_id: described(Text, 'The one that the caller named'),
  user_id: described(Text, 'Of the order; "" for the account of a payer'),
  as: oneOf(['credit', 'return']),
  price: described(Money, 'Minor units of the order’s currency'),
  reversed_price: described(Money, 'The price if the refund was reversed, otherwise 0'),
  order_currency: Text,
  returned_price: described(Money, 'The returned amount, in minor units of its currency'),
  currency: Text,
  exchange_rate: described(BigInteger, 'The rate × 10,000'),
  rate: described(Text, 'The exact rate as a decimal'),
  provider: Text,
  method: Text,
  charge_id: Text,
  reason: Text,
  executor_id: Text,
  completed_time: described(Timestamp, 'The reported time of the refund'),
  ctime: described(Timestamp, 'The time of the ledger entry'),
  closed_period: described(
    Text,
    'The last day of the closed period that it belongs to, if it was posted later',
  ),
  matched_time: described(Timestamp, 'When a bank statement confirmed it; "" if none does'),
  allocations: Type.Array(RefundAllocation),
})

/** Lists refunds with their allocations. */
export const listRefunds = endpoint({
  id: 'listRefunds',
  method: 'GET',
  path: '/api/v5/entity/refund/list',
  group: 'Orders',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List refunds',
  description: 'Sorted by completed_time.',
  input: Type.Object(moneyListInput),
  rules: rangeIsNotReversed,
  data: pageOf(RefundRow),
  example: {
    input: { corp_id: 'lakeside', start_date: '2024-04-01', end_date: '2024-04-30' },
    data: examplePage<Static<typeof RefundRow>>({
      refund_id: '01a10ee6a1307fcabc7ed003b46ba6cc',
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      sub_order_id: '01a00491d408759aa7e124d4a9581a85',
      payment_id: '',
      user_id: '019672b93ea877f0b98a30ed5184dccd',
      as: 'credit',
      price: 100_000,
      reversed_price: 0,
      order_currency: 'CNY',
      returned_price: 100_000,
      currency: 'CNY',
      exchange_rate: 10_000,
      rate: '1',
      provider: '',
      method: 'transfer',
      charge_id: 're_20240402_0001',
      reason: 'Moved to the autumn batch',
      executor_id: 'lakeside-finance',
      completed_time: '2024-04-02 15:00:00',
      ctime: '2024-04-02 15:10:21',
      closed_period: '',
      matched_time: '2024-04-05 10:05:00',
      allocations: [
        {
          payment_id: '01a0121322587365aa30fc31c91b3d5f',
          sub_order_id: '01a00491d408759aa7e124d4a9581a85',
          price: 100_000,
          surplus_price: 0,
          credited_price: 100_000,
        },
      ],
    }),
  },
  errors: ['userNotFound', 'orderNotFound'],

  async handle({ db, organization }, input) {
    const filter = moneyFilterOf(input, organization)
    await refuseMissing(db, filter)
    const { page, page_size } = filter
    const { total, list } = await findRefundPage<Static<typeof RefundRow>>(db, filter)
    return { total, page, page_size, list }
  },
})
