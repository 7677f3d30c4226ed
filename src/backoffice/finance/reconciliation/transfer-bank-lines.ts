import { endpoint } from '../../../contract/endpoint.ts'
import { ApiError, invalid } from '../../../contract/errors.ts'
import { described, Id, Money, NullableString, OrganizationId } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import { majorText } from '../../../files/amounts.ts'
import { takeInstants } from '../../../orders/ledger/ledger-clock-store.ts'
import { setLineStates } from '../matching/line-store.ts'
import { noCounterpart } from '../matching/match-lines.ts'
import { insertMatches } from '../matching/match-store.ts'
import { BankLineRow, exampleLine, noEntry } from './bank-line-row.ts'
import { type BankLine, findBankLines } from './bank-line-store.ts'
import { bankOperation, exampleBank } from './bank-operation.ts'
import { todayOf } from './known-records.ts'

const { corp_id, line_id, match_id, other_line_id } = exampleBank

/** Matches lines of two accounts: money that went from one to the other, such as the payout of a gateway. */
export const transferBankLines = endpoint({
  ...bankOperation,
  id: 'transferBankLines',
  method: 'POST',
  path: '/api/v5/entity/finance/bank/line/transfer',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Match lines of two accounts as a transfer or payout',
  description:
    'An outgoing line of one account and an incoming line of another. If less arrived in the same currency, the difference is a ' +
    'fee of the receiving line. In another currency, the answer states the rate.',
  input: Type.Object({
    corp_id: OrganizationId,
    line_id: described(Id, 'The open outgoing line'),
    other_line_id: described(Id, 'The open incoming line of another account'),
  }),
  data: Type.Object({
    list: Type.Array(BankLineRow),
    difference_price: described(
      Money,
      'Amount that did not arrive, in the currency of both; 0 for two currencies',
    ),
    rate: described(
      NullableString,
      'Units of the receiving currency for one unit of the other; null for one currency',
    ),
  }),
  example: {
    input: { corp_id, line_id: other_line_id, other_line_id: line_id },
    data: {
      list: [
        {
          ...{ ...exampleLine, price: -1_280_000, state: 'matched', match_id, rule: 'transfer' },
          entries: [
            {
              ...{ ...noEntry, kind: 'transfer', price: -1_280_000 },
              ...{ transfer_line_id: other_line_id, transfer_price: 1_280_000, transfer_currency: 'CNY' },
            },
          ],
        },
      ],
      difference_price: 0,
      rate: null,
    },
  },
  errors: ['stateForbids'],

  async handle(context, { corp_id, line_id, other_line_id }) {
    const lineIds = [line_id, other_line_id]
    const query = { corp_id, lineIds, today: todayOf(context) }
    return context.db.transaction(async (tx) => {
      const [at] = await takeInstants(tx, corp_id, 1)
      const { list } = await findBankLines(tx, query, { limit: 2, offset: 0 })
      const lineOf = (id: string, param: string) => {
        const line = list.find((each) => each.line_id === id)
        if (!line) throw invalid(param, 'names a line that does not exist')
        if (line.state !== 'open')
          throw new ApiError('stateForbids', { msg: `The line ${id} is ${line.state}. Unmatch it first.` })
        return line
      }
      const [from, to] = [lineOf(line_id, 'line_id'), lineOf(other_line_id, 'other_line_id')]
      refuseOthers(from, to)
      const isOneCurrency = from.currency === to.currency
      const difference_price = isOneCurrency ? -from.price - to.price : 0
      const rate = isOneCurrency ? null : rateOf(from, to)
      const match = {
        ...noCounterpart,
        match_id: context.newId(),
        executor_id: context.account.app_id,
        at: at!,
        rule: 'transfer',
        reason: null,
      }
      const received = to.price + difference_price
      await insertMatches(tx, corp_id, [
        { ...match, line_id, seq: 0, kind: 'transfer', transfer_line_id: other_line_id, price: from.price },
        {
          ...match,
          line_id: other_line_id,
          seq: 1,
          kind: 'transfer',
          transfer_line_id: line_id,
          price: received,
        },
        ...(difference_price === 0
          ? []
          : [{ ...match, line_id: other_line_id, seq: 2, kind: 'fee', price: -difference_price }]),
      ])
      await setLineStates(tx, corp_id, lineIds, 'matched')
      const changed = await findBankLines(tx, query, { limit: 2, offset: 0 })
      return { list: changed.list, difference_price, rate }
    })
  },
})

function refuseOthers(from: BankLine, to: BankLine): void {
  if (from.price >= 0) throw invalid('line_id', 'must be an outgoing line')
  if (to.price <= 0) throw invalid('other_line_id', 'must be an incoming line')
  if (from.account_id === to.account_id) throw invalid('other_line_id', 'must be a line of another account')
  if (from.currency === to.currency && to.price > -from.price)
    throw invalid('other_line_id', 'must not be more than the outgoing line')
}

/** With six decimals, rounded down. Integers only. */
function rateOf(from: BankLine, to: BankLine): string {
  const major = ({ price, currency }: BankLine) => {
    const [whole, decimals = ''] = majorText(BigInt(Math.abs(price)), currency).split('.')
    return BigInt(whole + decimals.padEnd(6, '0'))
  }
  const scaled = (major(to) * 1_000_000n) / major(from)
  const digits = String(scaled).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}
