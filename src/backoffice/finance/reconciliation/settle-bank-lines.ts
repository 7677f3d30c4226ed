import { endpoint } from '../../../contract/endpoint.ts'
import { ApiError, invalid } from '../../../contract/errors.ts'
import { described, Id, LongText, OrganizationId } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import type { Queryable } from '../../../database/database.ts'
import { takeInstants } from '../../../orders/ledger/ledger-clock-store.ts'
import { setLineStates } from '../matching/line-store.ts'
import { countCertain, matchCertainStep, noCounterpart } from '../matching/match-lines.ts'
import { insertMatches, undoMatches } from '../matching/match-store.ts'
import { BankLineRow, exampleLine, noEntry } from './bank-line-row.ts'
import { findBankLines } from './bank-line-store.ts'
import { bankOperation, exampleBank } from './bank-operation.ts'
import { knownAccount, knownStatement, todayOf } from './known-records.ts'

const mostLines = 500
/** Certain matches per call, so that a call takes seconds. */
const mostCertain = 5000
const Lines = Type.Array(Id, { minItems: 1, maxItems: mostLines, uniqueItems: true })
const Changed = Type.Object({ list: Type.Array(BankLineRow) })
const { corp_id, match_id, statement_id } = exampleBank

/** Ignores lines that concern no payment. */
export const ignoreBankLines = endpoint({
  ...bankOperation,
  id: 'ignoreBankLines',
  method: 'POST',
  path: '/api/v5/entity/finance/bank/line/ignore',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Ignore statement lines, with a reason',
  input: Type.Object({ corp_id: OrganizationId, line_ids: Lines, reason: LongText }),
  data: Changed,
  example: {
    input: {
      corp_id,
      line_ids: ['39e4f1693a0b439a8b8584ac6b031506'],
      reason: 'Transfer between own accounts',
    },
    data: {
      list: [
        {
          ...exampleLine,
          state: 'ignored',
          match_id,
          rule: 'ignored',
          reason: 'Transfer between own accounts',
          entries: [{ ...noEntry, kind: 'ignored', price: exampleLine.price }],
        },
      ],
    },
  },
  errors: ['stateForbids'],

  async handle(context, { corp_id, line_ids, reason }) {
    const { db, account, newId } = context
    const today = todayOf(context)
    return db.transaction(async (tx) => {
      const [at] = await takeInstants(tx, corp_id, 1)
      const lines = await knownLines(tx, corp_id, line_ids, today)
      const taken = lines.find(({ state }) => state !== 'open')
      if (taken)
        throw new ApiError('stateForbids', {
          msg: `The line ${taken.line_id} is ${taken.state}. Unmatch it first.`,
        })
      const author = { executor_id: account.app_id, at: at!, reason }
      const entries = lines.flatMap(({ line_id, price, fee_price }) => {
        const match = { match_id: newId(), line_id, rule: 'ignored', ...noCounterpart, ...author }
        const ignored = { ...match, seq: 0, kind: 'ignored', price: price || fee_price }
        // The fee of a gateway may take the whole amount. No entry is 0, so the fee is a separate entry.
        return price === 0 ? [ignored, { ...match, seq: 1, kind: 'fee', price: -fee_price }] : [ignored]
      })
      await insertMatches(tx, corp_id, entries)
      await setLineStates(tx, corp_id, line_ids, 'ignored')
      return { list: await knownLines(tx, corp_id, line_ids, today) }
    })
  },
})

/** Opens lines again. */
export const unmatchBankLines = endpoint({
  ...bankOperation,
  id: 'unmatchBankLines',
  method: 'POST',
  path: '/api/v5/entity/finance/bank/line/unmatch',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Unmatch statement lines',
  description:
    'Undoes matches, bookings and ignored lines, for all lines of the same match. A payment or refund that was booked stays ' +
    'in the ledger; void it there. An undone match is not repeated automatically.',
  input: Type.Object({ corp_id: OrganizationId, line_ids: Lines }),
  data: Changed,
  example: {
    input: { corp_id, line_ids: ['39e4f1693a0b439a8b8584ac6b031506'] },
    data: { list: [exampleLine] },
  },

  async handle(context, { corp_id, line_ids }) {
    const { db, account } = context
    const today = todayOf(context)
    return db.transaction(async (tx) => {
      await knownLines(tx, corp_id, line_ids, today)
      const [at] = await takeInstants(tx, corp_id, 1)
      await undoMatches(tx, corp_id, line_ids, { executor_id: account.app_id, at: at! })
      return { list: await knownLines(tx, corp_id, line_ids, today) }
    })
  },
})

/** Makes all certain matches of a statement. */
export const confirmCertainMatches = endpoint({
  ...bankOperation,
  id: 'confirmCertainMatches',
  method: 'POST',
  path: '/api/v5/entity/finance/bank/statement/confirm',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Confirm all certain matches of a statement',
  description:
    'Certain matches have the same charge, or the same reference and sum. A payout of a gateway is matched to the line of the ' +
    `bank that names it. Lines that a person unmatched stay open. A call matches about ${mostCertain} lines at most: repeat it while ` +
    '`remaining` is not 0.',
  input: Type.Object({
    corp_id: OrganizationId,
    statement_id: Type.Optional(described(Id, 'The statement')),
    account_id: Type.Optional(described(Id, 'All statements of this account')),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Only return the number of lines that would be matched; default false' }),
    ),
  }),
  data: Type.Object({
    matched: Type.Integer({ description: 'Lines that were matched' }),
    remaining: Type.Integer({
      description: 'Open lines that the next call examines; 0 if no certain match is left',
    }),
  }),
  example: { input: { corp_id, statement_id }, data: { matched: 1, remaining: 0 } },
  errors: ['bankAccountNotFound', 'statementNotFound'],
  rules: ({ statement_id, account_id }) =>
    statement_id === undefined && account_id === undefined
      ? [{ param: 'statement_id', reason: 'or account_id is required' }]
      : [],

  async handle(context, { corp_id, statement_id, account_id, dry_run }) {
    const { db, organization, account, newId } = context
    if (statement_id !== undefined) await knownStatement(db, corp_id, statement_id)
    if (account_id !== undefined) await knownAccount(db, corp_id, account_id)
    const scope = { corp_id, time_zone: organization.time_zone, statement_id, account_id }
    if (dry_run) {
      const matched = await countCertain(db, scope, mostCertain)
      return { matched, remaining: matched }
    }
    const matcher = { db, newId, executor_id: account.app_id }
    const { matched, isComplete } = await matchCertainStep(matcher, scope, mostCertain)
    if (isComplete) return { matched, remaining: 0 }
    const open = { corp_id, statement_id, account_id, state: 'open' as const, today: todayOf(context) }
    const { total } = await findBankLines(db, open, { limit: 1, offset: 0 })
    return { matched, remaining: total }
  },
})

async function knownLines(on: Queryable, corp_id: string, lineIds: string[], today: string) {
  const { list } = await findBankLines(on, { corp_id, lineIds, today }, { limit: mostLines, offset: 0 })
  if (list.length < lineIds.length) throw invalid('line_ids', 'name a line that does not exist')
  return list
}
