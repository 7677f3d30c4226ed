import type { Queryable } from '../../../database/database.ts'
import { insertingRows, insertionOf } from '../../../database/insert-rows.ts'
import { sql } from '../../../database/sql.ts'
import { countingLines, type LineState, settingLineStates } from '../../../orders/ledger/line-state-store.ts'
import type { IdentifiedLine } from './statement-line.ts'

const lineColumns = {
  line_id: 'text',
  statement_id: 'text',
  number: 'integer',
  provider: 'text',
  charge_id: 'text',
  reference: 'text',
  payer: 'text',
  description: 'text',
  price: 'bigint',
  fee_price: 'bigint',
  payout_id: 'text',
  currency: 'text',
  value_date: 'date',
  ctime: 'timestamptz',
} as const

const stateColumns = {
  line_id: 'text',
  account_id: 'text',
  statement_id: 'text',
  state: 'text',
  value_date: 'date',
  price: 'bigint',
} as const

/** The statement of lines, and its account. */
export interface LinePlace {
  account_id: string
  statement_id: string
}

/** Inserts lines that are not stored yet, and returns their number. */
export async function insertLines(
  on: Queryable,
  corp_id: string,
  lines: (IdentifiedLine & { number: number })[],
  now: Date,
  { account_id, statement_id }: LinePlace,
): Promise<number> {
  return on.transaction(async (tx) => {
    const stored = lines.map((line) => ({ ...line, statement_id, ctime: now }))
    const rows = await tx.query<{ line_id: string }>(sql`
      ${insertionOf('statement_lines', lineColumns, corp_id, stored)}
      on conflict (corp_id, line_id) do nothing
      returning line_id`)
    const added = new Set(rows.map(({ line_id }) => line_id))
    const states = lines
      .filter(({ line_id }) => added.has(line_id))
      .map(({ line_id, value_date, price }) => ({
        ...{ line_id, value_date, price, account_id, statement_id, state: 'open' },
      }))
    await tx.pipeline([
      ...insertingRows('statement_line_states', stateColumns, corp_id, states),
      ...countingLines(corp_id, { account_id, statement_id }, states),
    ])
    // The audit needs no content: a stored line never changes.
    tx.note(...rows.map(({ line_id }) => ({ record_type: 'statement_lines', record_id: line_id })))
    return rows.length
  })
}

/** Sets the state of lines, which must follow from their matches. The caller holds the ledger's clock. */
export async function setLineStates(
  tx: Queryable,
  corp_id: string,
  lineIds: string[],
  state: LineState,
): Promise<void> {
  await tx.pipeline(settingLineStates(corp_id, sql`s.line_id = any(${lineIds}::text[])`, state))
}

/** In the order of the ids. */
export async function findLines(
  on: Queryable,
  corp_id: string,
  lineIds: string[],
): Promise<IdentifiedLine[]> {
  return on.query<IdentifiedLine>(sql`
    select l.line_id, l.provider, l.charge_id, l.reference, l.payer, l.description, l.price, l.fee_price, l.payout_id, l.currency,
           l.value_date::text as value_date
      from unnest(${lineIds}::text[]) with ordinality as wanted(line_id, place)
      join statement_lines l on l.corp_id = ${corp_id} and l.line_id = wanted.line_id
     order by wanted.place`)
}
