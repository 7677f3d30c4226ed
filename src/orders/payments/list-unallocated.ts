import { endpoint } from '../../contract/endpoint.ts'
import {
  described,
  Id,
  Money,
  NullableBigInteger,
  namedObject,
  OrganizationId,
  Timestamp,
} from '../../contract/fields.ts'
import {
  dayParameters,
  instantsOf,
  pageOf,
  pageParameters,
  rangeIsNotReversed,
  windowOf,
} from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { Currency } from '../ledger/fields.ts'
import { findPayersOf } from '../payers/named-payers.ts'
import { findUnallocated } from './unallocated-store.ts'

const Text = Type.String()

const UnallocatedRow = namedObject('UnallocatedPayment', {
  payment_id: Id,
  order_id: described(
    Id,
    'The account of the payer, or the order that it was reported for: a refund names it',
  ),
  payer_id: Text,
  payer_name: Text,
  user_id: described(Text, 'The user that the payer is, or of the order; "" if nobody is known'),
  user_name: Text,
  price: described(Money, 'The received amount'),
  currency: Text,
  unallocated_price: described(Money, 'The part that no order has, in order_currency'),
  order_currency: Text,
  unapplied_reason: Text,
  method: Text,
  charge_id: Text,
  comments: Text,
  receipt_num: NullableBigInteger,
  completed_time: Timestamp,
})

/** Lists money that is not allocated to an order. */
export const listUnallocated = endpoint({
  id: 'listUnallocated',
  method: 'GET',
  path: '/api/v5/entity/payment/unallocated/list',
  group: 'Orders',
  since: 'Ver5.2026-11-18',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List unallocated money',
  description:
    'Payments with money that no order has, the oldest first: of payers, of persons, and of nobody. `totals` cover all pages. ' +
    'payment/apply allocates the money, payment/payer/update names its payer.',
  input: Type.Object({
    corp_id: OrganizationId,
    payer_id: Type.Optional(described(Id, 'Only of this payer')),
    currency: Type.Optional(Currency),
    ...dayParameters,
    ...pageParameters,
  }),
  rules: rangeIsNotReversed,
  data: Type.Object({
    ...pageOf(UnallocatedRow).properties,
    totals: Type.Array(
      namedObject('UnallocatedTotal', { currency: Text, payments: Type.Integer(), unallocated_price: Money }),
    ),
  }),
  example: {
    input: { corp_id: 'lakeside' },
    data: {
      total: 1,
      page: 0,
      page_size: 10,
      list: [
        {
          payment_id: '01a0121322587365aa30fc31c91b3d5f',
          order_id: '01906bce52507e7d9c7a520fbd98cd21-CNY',
          payer_id: '01906bce52507e7d9c7a520fbd98cd21',
          payer_name: 'Harbour Logistics Ltd',
          user_id: '',
          user_name: '',
          price: 2_000_000,
          currency: 'CNY',
          unallocated_price: 720_000,
          order_currency: 'CNY',
          unapplied_reason: 'no order has it yet',
          method: 'transfer',
          charge_id: 'bank_20261118_0001',
          comments: '',
          receipt_num: 202_600_000_001,
          completed_time: '2026-11-18 09:30:00',
        },
      ],
      totals: [{ currency: 'CNY', payments: 1, unallocated_price: 720_000 }],
    },
  },
  errors: ['payerNotFound'],

  async handle({ db, organization }, { corp_id, payer_id, currency, ...input }) {
    const { page, page_size, limit, offset } = windowOf(input)
    ;(await findPayersOf(db, corp_id, [{ input: { payer_id } }]))({ payer_id })
    const { time_zone: timeZone } = organization
    const filter = { corp_id, payer_id, currency, ...instantsOf(input, timeZone), timeZone, limit, offset }
    const { totals, list } = await findUnallocated<Static<typeof UnallocatedRow>>(db, filter)
    const total = totals.reduce((all, { payments }) => all + payments, 0)
    return { total, page, page_size, list, totals }
  },
})
