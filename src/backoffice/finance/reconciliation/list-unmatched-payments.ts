import { endOfDay, startOfDay } from '../../../contract/days.ts'
import { endpoint } from '../../../contract/endpoint.ts'
import {
  described,
  Id,
  Money,
  NullableString,
  namedObject,
  OrganizationId,
  optionalLine,
  Timestamp,
} from '../../../contract/fields.ts'
import {
  dayParameters,
  pageOf,
  pageParameters,
  rangeIsNotReversed,
  windowOf,
} from '../../../contract/paging.ts'
import { Type } from '../../../contract/type.ts'
import { Currency } from '../../../orders/ledger/fields.ts'
import { fullName } from '../../../people/users/full-name.ts'
import { examplePage } from '../../figure-rows.ts'
import { Amount } from './bank-accounts.ts'
import { findUnmatchedPayments } from './bank-line-store.ts'
import { bankOperation, exampleBank } from './bank-operation.ts'

const defaultDays = 90

const UnmatchedPaymentRow = namedObject('UnmatchedPayment', {
  payment_id: Id,
  order_id: Id,
  user_id: described(Type.String(), 'Of the order; "" for the account of a payer'),
  user_name: described(Type.String(), 'Current name of the user, or of the payer'),
  price: Money,
  currency: Type.String(),
  provider: Type.String(),
  charge_id: NullableString,
  completed_time: Timestamp,
  age: Type.Integer({ description: 'Days since the payment' }),
})

/** Payments that no statement line confirms. */
export const listUnmatchedPayments = endpoint({
  ...bankOperation,
  id: 'listUnmatchedPayments',
  method: 'GET',
  path: '/api/v5/entity/finance/bank/payment/list',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List payments without a statement line, oldest first',
  description: `Without dates, payments of the last ${defaultDays} days.`,
  input: Type.Object({
    corp_id: OrganizationId,
    currency: Type.Optional(Currency),
    amount: Type.Optional(Amount),
    search: optionalLine(
      undefined,
      'A part of the name of the user or payer, the charge, or the id or external id of the order',
    ),
    ...dayParameters,
    ...pageParameters,
  }),
  rules: rangeIsNotReversed,
  data: Type.Object({
    totals: Type.Array(
      namedObject('UnmatchedTotal', { currency: Type.String(), payments: Type.Integer(), price: Money }),
      { description: 'Of all pages' },
    ),
    ...pageOf(UnmatchedPaymentRow).properties,
  }),
  example: {
    input: { corp_id: exampleBank.corp_id, currency: 'CNY', search: '林' },
    data: {
      totals: [{ currency: 'CNY', payments: 1, price: 1_280_000 }],
      ...examplePage,
      list: [
        {
          payment_id: exampleBank.payment_id,
          order_id: '01a00491d4087169b3c88f8f9813ae4a',
          user_id: '019672b93ea877f0b98a30ed5184dccd',
          user_name: '林晓',
          price: 1_280_000,
          currency: 'CNY',
          provider: '',
          charge_id: null,
          completed_time: '2026-10-13 09:30:00',
          age: 12,
        },
      ],
    },
  },

  async handle(
    { db, organization, now },
    { corp_id, currency, amount, search, start_date, end_date, ...input },
  ) {
    const { page, page_size, ...window } = windowOf(input)
    const timeZone = organization.time_zone
    const until = end_date === undefined ? now : endOfDay(end_date, timeZone)
    const from =
      start_date === undefined
        ? new Date(until.getTime() - defaultDays * 86_400_000)
        : startOfDay(start_date, timeZone)
    const query = { corp_id, timeZone, from, until, currency, price: amount, text: search || undefined }
    const { totals, list } = await findUnmatchedPayments(db, query, window)
    const total = totals.reduce((sum, { payments }) => sum + payments, 0)
    const rows = list.map(({ name, first_name, last_name, ...payment }) => ({
      ...payment,
      user_name: fullName({ name, first_name, last_name }),
    }))
    return { totals, total, page, page_size, list: rows }
  },
})
