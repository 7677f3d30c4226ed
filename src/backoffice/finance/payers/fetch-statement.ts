import { endpoint, type OrganizationContext } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import {
  described,
  Id,
  Money,
  NullableBigInteger,
  namedObject,
  OrganizationId,
  oneOf,
  Timestamp,
} from '../../../contract/fields.ts'
import {
  type DayRange,
  dayParameters,
  instantsOf,
  pageOf,
  pageParameters,
  rangeIsNotReversed,
  windowOf,
} from '../../../contract/paging.ts'
import { type Static, Type } from '../../../contract/type.ts'
import { majorText } from '../../../files/amounts.ts'
import { csvLines } from '../../../files/csv-lines.ts'
import { Currency } from '../../../orders/ledger/fields.ts'
import { exampleCorp, examplePayer, payerOperation } from '../../../orders/payers/payer-row.ts'
import { findPayer } from '../../../orders/payers/payer-store.ts'
import { entryKinds, findStatementEntries, type PayerBalance, readPayerBalances } from './statement-store.ts'

const Text = Type.String()

const Balance = namedObject('PayerBalance', {
  currency: Text,
  opening_price: described(Money, 'The money of the payer before the first day'),
  received_price: Money,
  voided_price: Money,
  moved_price: described(Money, 'Moved to orders in another currency'),
  refunded_price: Money,
  closing_price: described(Money, 'The money of the payer after the last day'),
  allocated_price: described(Money, 'The part of it that is on orders now'),
  unallocated_price: described(Money, 'The part that no order has now'),
})

const Entry = namedObject('StatementEntry', {
  at: described(Timestamp, 'When it was posted'),
  kind: oneOf(entryKinds),
  currency: Text,
  price: described(Money, 'Positive: the school received it; negative: it left'),
  balance: described(Money, 'The money of the payer after this entry'),
  payment_id: Id,
  refund_id: Text,
  receipt_num: NullableBigInteger,
  method: Text,
  charge_id: Text,
  comments: Text,
  completed_time: described(Timestamp, 'The reported time of the payment'),
  order_ids: described(Type.Array(Id), 'The orders that have the money now'),
})
type Entry = Static<typeof Entry>

const range = {
  corp_id: OrganizationId,
  payer_id: Id,
  ...dayParameters,
  currency: Type.Optional(Currency),
}

/** The statement of account of a payer. */
export const fetchPayerStatement = endpoint({
  ...payerOperation,
  id: 'fetchPayerStatement',
  method: 'GET',
  path: '/api/v5/entity/payer/statement/fetch',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Fetch the statement of account of a payer',
  description:
    'By day of posting, on the calendar of the organization. For each currency: opening balance + received − voided − ' +
    'moved − refunded = closing balance. Amounts are in the currency of the orders. Without days, it covers everything.',
  input: Type.Object({ ...range, ...pageParameters }),
  rules: rangeIsNotReversed,
  data: Type.Object({
    payer_id: Id,
    name: Text,
    balances: Type.Array(Balance),
    ...pageOf(Entry).properties,
  }),
  example: {
    input: { corp_id: exampleCorp, payer_id: examplePayer.payer_id, start_date: '2026-11-01' },
    data: {
      payer_id: examplePayer.payer_id,
      name: examplePayer.name,
      balances: [
        {
          currency: 'CNY',
          opening_price: 0,
          received_price: 2_000_000,
          voided_price: 0,
          moved_price: 0,
          refunded_price: 0,
          closing_price: 2_000_000,
          allocated_price: 1_280_000,
          unallocated_price: 720_000,
        },
      ],
      total: 1,
      page: 0,
      page_size: 10,
      list: [
        {
          at: '2026-11-18 09:30:05',
          kind: 'received',
          currency: 'CNY',
          price: 2_000_000,
          balance: 2_000_000,
          payment_id: '01a0121322587365aa30fc31c91b3d5f',
          refund_id: '',
          receipt_num: 202_600_000_001,
          method: 'transfer',
          charge_id: 'bank_20261118_0001',
          comments: '',
          completed_time: '2026-11-18 09:30:00',
          order_ids: ['01a00491d4087169b3c88f8f9813ae4a'],
        },
      ],
    },
  },
  errors: ['payerNotFound'],

  async handle(context, { payer_id, page, page_size, ...input }) {
    const window = windowOf({ page, page_size })
    const { name, balances, total, list } = await statementOf(context, { payer_id, ...input }, window)
    return { payer_id, name, balances, total, page: window.page, page_size: window.page_size, list }
  },
})

export interface PayerStatement {
  name: string
  balances: PayerBalance[]
  total: number
  list: Entry[]
}

/** Balances and entries in one snapshot, so that they add up. */
export async function statementOf(
  { db, organization }: Pick<OrganizationContext, 'db' | 'organization'>,
  { payer_id, currency, ...days }: DayRange & { payer_id: string; currency?: string },
  window: { limit: number; offset: number },
): Promise<PayerStatement> {
  const { corp_id, time_zone: timeZone } = organization
  return db.snapshot(async (on) => {
    const payer = await findPayer<{ name: string }>(on, corp_id, payer_id, timeZone)
    if (!payer) throw new ApiError('payerNotFound')
    const query = { corp_id, payer_id, currency, ...instantsOf(days, timeZone), timeZone }
    const balances = await readPayerBalances(on, query)
    const { total, list } = await findStatementEntries<Entry>(on, query, window)
    return { name: payer.name, balances, total, list }
  })
}

/** Entries of one file. */
const mostEntries = 10_000

/** The statement of account as a file. */
export const exportPayerStatement = endpoint({
  ...payerOperation,
  id: 'exportPayerStatement',
  method: 'GET',
  path: '/api/v5/entity/payer/statement/export',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Export the statement of account of a payer as CSV',
  description: `The text of a CSV file with amounts in major units. It has at most ${mostEntries} entries.`,
  input: Type.Object(range),
  rules: rangeIsNotReversed,
  data: Type.Object({ file_name: Text, entries: Type.Integer(), csv: Text }),
  example: {
    input: { corp_id: exampleCorp, payer_id: examplePayer.payer_id, start_date: '2026-11-01' },
    data: { file_name: 'statement.csv', entries: 0, csv: 'currency,at,kind\r\n' },
  },
  errors: ['payerNotFound', 'stateForbids'],

  async handle(context, input) {
    const statement = await statementOf(context, input, { limit: mostEntries, offset: 0 })
    if (statement.total > mostEntries)
      throw new ApiError('stateForbids', {
        msg: `The statement has ${statement.total} entries, and a file at most ${mostEntries}. Shorten the range of days.`,
        allowed: [],
      })
    const file_name = `statement-${input.payer_id}.csv`
    return { file_name, entries: statement.total, csv: statementCsv(statement) }
  },
})

const columns = [
  'currency',
  'at',
  'kind',
  'amount',
  'balance',
  'payment_id',
  'refund_id',
  'receipt_num',
] as const

/** Each currency begins with its opening balance and ends with its closing balance. */
export function statementCsv({ balances, list }: PayerStatement): string {
  const rows = balances.flatMap(({ currency, opening_price, closing_price }) => {
    // A number, because a text with a minus would be escaped as a formula.
    const amount = (price: number) => ({ decimal: majorText(BigInt(price), currency) })
    const balanceRow = (kind: string, price: number) => [
      ...[currency, '', kind, '', amount(price)],
      ...['', '', '', '', '', ''],
    ]
    return [
      balanceRow('opening', opening_price),
      ...list
        .filter((entry) => entry.currency === currency)
        .map(({ at, kind, price, balance, payment_id, refund_id, receipt_num, ...entry }) => [
          ...[currency, at, kind, amount(price), amount(balance), payment_id, refund_id],
          ...[String(receipt_num ?? ''), entry.method, entry.charge_id, entry.order_ids.join(' ')],
        ]),
      balanceRow('closing', closing_price),
    ]
  })
  return csvLines([[...columns, 'method', 'charge_id', 'order_ids'], ...rows], 'windows')
}
