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
import { pageOf, pageParameters, windowOf } from '../../../contract/paging.ts'
import { Type } from '../../../contract/type.ts'
import { Currency } from '../../../orders/ledger/fields.ts'
import { fullName } from '../../../people/users/full-name.ts'
import { examplePage } from '../../figure-rows.ts'
import { Amount } from './bank-accounts.ts'
import { bankOperation, exampleBank } from './bank-operation.ts'
import { findUnmatchedRefunds } from './unmatched-refund-store.ts'

const UnmatchedRefundRow = namedObject('UnmatchedRefund', {
  refund_id: Id,
  order_id: Id,
  user_id: described(Type.String(), 'Of the order; "" for the account of a payer'),
  user_name: described(Type.String(), 'Current name of the user'),
  price: described(Money, 'The returned amount, in minor units of its currency'),
  currency: Type.String(),
  charge_id: NullableString,
  reason: Type.String(),
  completed_time: Timestamp,
})

/** Refunds that no statement line confirms. */
export const listUnmatchedRefunds = endpoint({
  ...bankOperation,
  id: 'listUnmatchedRefunds',
  method: 'GET',
  path: '/api/v5/entity/finance/bank/refund/list',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List refunds without a statement line, oldest first',
  input: Type.Object({
    corp_id: OrganizationId,
    currency: Type.Optional(described(Currency, 'Of the returned amount')),
    amount: Type.Optional(Amount),
    search: optionalLine(
      undefined,
      'A part of the name of the user, the charge, or the id or external id of the order',
    ),
    ...pageParameters,
  }),
  data: pageOf(UnmatchedRefundRow),
  example: {
    input: { corp_id: exampleBank.corp_id, currency: 'CNY', amount: 100_000 },
    data: {
      ...examplePage,
      list: [
        {
          refund_id: '01a10ee6a1307fcabc7ed003b46ba6cc',
          order_id: '01a00491d4087169b3c88f8f9813ae4a',
          user_id: '019672b93ea877f0b98a30ed5184dccd',
          user_name: '林晓',
          price: 100_000,
          currency: 'CNY',
          charge_id: null,
          reason: 'Moved to the autumn batch',
          completed_time: '2026-10-13 15:00:00',
        },
      ],
    },
  },

  async handle({ db, organization }, { corp_id, currency, amount, search, ...input }) {
    const { page, page_size, ...window } = windowOf(input)
    const query = {
      corp_id,
      timeZone: organization.time_zone,
      currency,
      price: amount,
      text: search || undefined,
    }
    const { total, list } = await findUnmatchedRefunds(db, query, window)
    const rows = list.map(({ name, first_name, last_name, ...refund }) => ({
      ...refund,
      user_name: fullName({ name, first_name, last_name }),
    }))
    return { total, page, page_size, list: rows }
  },
})
