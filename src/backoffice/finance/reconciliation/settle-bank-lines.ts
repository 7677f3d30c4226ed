import { endpoint } from '../../../contract/endpoint.ts'
import { ApiError, invalid } from '../../../contract/errors.ts'
import { described, Id, LongText, OrganizationId } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import type { Queryable } from '../../../database/database.ts'
import { takeInstants } from '../../../orders/ledger/ledger-clock-store.ts'
import { setLineStates } from '../matching/line-store.ts'
import { matchCertain } from '../matching/match-lines.ts'
import { insertMatches, undoMatches } from '../matching/match-store.ts'
import { BankLineRow, exampleLine } from './bank-line-row.ts'
import { findBankLines } from './bank-line-store.ts'
import { bankOperation, exampleBank } from './bank-operation.ts'
import { knownStatement } from './known-records.ts'

const mostLines = 500
const Lines = Type.Array(Id, { minItems: 1, maxItems: mostLines, uniqueItems: true })
const Changed = Type.Object({ list: Type.Array(BankLineRow) })
const { corp_id, line_id, match_id, statement_id } = exampleBank

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
    input: { corp_id, line_ids: [line_id], reason: 'Transfer between own accounts' },
    data: {
      list: [
        {
          ...exampleLine,
          state: 'ignored',
          match_id,
          reason: 'Transfer between own accounts',
          entries: [{ kind: 'ignored', payment_id: null, refund_id: null, price: exampleLine.price }],
        },
      ],
    },
  },
  errors: ['stateForbids'],

  async handle({ db, account, newId }, { corp_id, line_ids, reason }) {
    return db.transaction(async (tx) => {
      const [at] = await takeInstants(tx, corp_id, 1)
      const lines = await knownLines(tx, corp_id, line_ids)
      const taken = lines.find(({ state }) => state !== 'open')
      if (taken)
        throw new ApiError('stateForbids', {
          msg: `The line ${taken.line_id} is ${taken.state}. Unmatch it first.`,
        })
      const author = { executor_id: account.app_id, at: at!, reason }
      const ignored = { seq: 0, kind: 'ignored', payment_id: null, refund_id: null }
      await insertMatches(
        tx,
        corp_id,
        lines.map(({ line_id, price }) => ({ match_id: newId(), line_id, price, ...ignored, ...author })),
      )
      await setLineStates(tx, corp_id, line_ids, 'ignored')
      return { list: await knownLines(tx, corp_id, line_ids) }
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
    'in the ledger; void it there. An undone match is not made again automatically.',
  input: Type.Object({ corp_id: OrganizationId, line_ids: Lines }),
  data: Changed,
  example: { input: { corp_id, line_ids: [line_id] }, data: { list: [exampleLine] } },

  async handle({ db, account }, { corp_id, line_ids }) {
    return db.transaction(async (tx) => {
      await knownLines(tx, corp_id, line_ids)
      const [at] = await takeInstants(tx, corp_id, 1)
      await undoMatches(tx, corp_id, line_ids, { executor_id: account.app_id, at: at! })
      return { list: await knownLines(tx, corp_id, line_ids) }
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
    'Certain matches have the same charge, or the same reference and sum. Lines that a person unmatched stay open.',
  input: Type.Object({ corp_id: OrganizationId, statement_id: described(Id, 'The statement') }),
  data: Type.Object({ matched: Type.Integer({ description: 'Lines that were matched' }) }),
  example: { input: { corp_id, statement_id }, data: { matched: 1 } },
  errors: ['statementNotFound'],

  async handle({ db, organization, account, newId }, { corp_id, statement_id }) {
    await knownStatement(db, corp_id, statement_id)
    const matcher = { db, newId, executor_id: account.app_id }
    const matched = await matchCertain(matcher, { corp_id, time_zone: organization.time_zone, statement_id })
    return { matched }
  },
})

async function knownLines(on: Queryable, corp_id: string, lineIds: string[]) {
  const { list } = await findBankLines(on, { corp_id, lineIds }, { limit: mostLines, offset: 0 })
  if (list.length < lineIds.length) throw invalid('line_ids', 'name a line that does not exist')
  return list
}
