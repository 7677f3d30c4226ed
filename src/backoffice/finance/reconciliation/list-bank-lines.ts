import { endpoint } from '../../../contract/endpoint.ts'
import {
  described,
  Id,
  Money,
  NullableDay,
  NullableInteger,
  NullableString,
  namedObject,
  OrganizationId,
  oneOf,
  optionalLine,
} from '../../../contract/fields.ts'
import { pageOf, pageParameters, windowOf } from '../../../contract/paging.ts'
import { Type } from '../../../contract/type.ts'
import type { Queryable } from '../../../database/database.ts'
import { orderReferencesIn } from '../../../orders/payment-requests/order-reference.ts'
import { examplePage } from '../../figure-rows.ts'
import { proposalRules } from '../matching/match-rules.ts'
import { proposeMatches } from '../matching/propose-matches.ts'
import { Amount } from './bank-accounts.ts'
import { BankLineRow, exampleLine, lineStates } from './bank-line-row.ts'
import { type BankLine, findBankLines, findReferencedOrders } from './bank-line-store.ts'
import { bankOperation, exampleBank } from './bank-operation.ts'
import { knownAccount, knownStatement, todayOf } from './known-records.ts'

const Proposal = namedObject('BankLineProposal', {
  line_id: Id,
  payment_ids: described(Type.Array(Id), 'Payments without a line; empty for an instalment'),
  order_id: described(NullableString, 'The order whose next instalment the line pays, to book it there'),
  sub_order_id: NullableString,
  user_name: described(NullableString, 'Current name of the person of the order'),
  score: Type.Number({ description: 'Certainty, below 1' }),
  rule: oneOf(
    proposalRules,
    'amount: a payment of the amount; name_and_amount: whose person the line names; payments_of_day: all payments of a provider on a day; instalment: the next instalment of a person or payer that the line names',
  ),
  days: described(NullableInteger, 'Days between the line and the payment'),
  others: Type.Integer({ description: 'Other payments or instalments that also fit' }),
  provider: described(NullableString, 'Of payments_of_day; "" for none'),
  day: described(NullableDay, 'Of payments_of_day'),
})

/** The worklist of reconciliation. */
export const listBankLines = endpoint({
  ...bankOperation,
  id: 'listBankLines',
  method: 'GET',
  path: '/api/v5/entity/finance/bank/line/list',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List statement lines, oldest first',
  description: 'With state open, this is the worklist. `price` is the sum over all pages.',
  input: Type.Object({
    corp_id: OrganizationId,
    account_id: Type.Optional(described(Id, 'Only lines of this account')),
    statement_id: Type.Optional(described(Id, 'Only lines of this statement')),
    state: Type.Optional(oneOf(lineStates)),
    amount: Type.Optional(Amount),
    search: optionalLine(undefined, 'A part of the payer, the charge, the reference or the description'),
    with_proposals: Type.Optional(
      Type.Boolean({ description: 'Whether to propose payments for open lines' }),
    ),
    ...pageParameters,
  }),
  data: Type.Object({
    price: described(Money, 'Sum of the lines of all pages; mixes currencies unless an account is named'),
    proposals: Type.Array(Proposal),
    requested: Type.Array(
      namedObject('BankLineRequest', {
        line_id: Id,
        reference: Type.String(),
        order_id: Id,
        user_name: described(NullableString, 'Current name of the person of the order'),
      }),
      { description: 'Orders whose payment requests the open lines name; only with proposals' },
    ),
    ...pageOf(BankLineRow).properties,
  }),
  example: {
    input: { corp_id: exampleBank.corp_id, state: 'open', search: 'Sample Bank' },
    data: { price: 1_280_000, proposals: [], requested: [], ...examplePage, list: [exampleLine] },
  },
  errors: ['bankAccountNotFound', 'statementNotFound'],

  async handle(context, { corp_id, account_id, statement_id, state, amount, search, ...input }) {
    const { db, organization } = context
    const { page, page_size, ...window } = windowOf(input)
    if (account_id !== undefined) await knownAccount(db, corp_id, account_id)
    if (statement_id !== undefined) await knownStatement(db, corp_id, statement_id)
    const filters = { account_id, statement_id, state, amount, text: search || undefined }
    const query = { corp_id, today: todayOf(context), ...filters }
    const { total, price, list } = await findBankLines(db, query, window)
    const open = list.filter((line) => line.state === 'open').map(({ line_id }) => line_id)
    const scope = { corp_id, time_zone: organization.time_zone, lineIds: open }
    const proposals = input.with_proposals && open.length > 0 ? await proposeMatches(db, scope) : []
    const requested = input.with_proposals ? await requestedOrders(db, corp_id, list) : []
    return { price, proposals, requested, total, page, page_size, list }
  },
})

/** The orders whose references the open lines name. */
async function requestedOrders(db: Queryable, corp_id: string, lines: BankLine[]) {
  const named = lines
    .filter(({ state, price }) => state === 'open' && price > 0)
    .flatMap(({ line_id, reference, description }) =>
      orderReferencesIn(`${reference ?? ''} ${description ?? ''}`).map((each) => ({
        line_id,
        reference: each,
      })),
    )
  const orders = await findReferencedOrders(db, corp_id, [
    ...new Set(named.map(({ reference }) => reference)),
  ])
  return named.flatMap(({ line_id, reference }) =>
    orders.filter((order) => order.reference === reference).map((order) => ({ line_id, ...order })),
  )
}
