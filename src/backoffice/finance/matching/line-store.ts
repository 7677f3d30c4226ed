import type { Queryable } from '../../../database/database.ts'
import { insertionOf } from '../../../database/insert-rows.ts'
import { sql } from '../../../database/sql.ts'
import type { IdentifiedLine } from './statement-line.ts'

const lineColumns = {
  line_id: 'text',
  provider: 'text',
  charge_id: 'text',
  reference: 'text',
  description: 'text',
  price: 'bigint',
  currency: 'text',
  value_date: 'date',
  ctime: 'timestamptz',
} as const

/** Inserts lines that are not stored yet, and returns their number. */
export async function insertLines(
  on: Queryable,
  corp_id: string,
  lines: IdentifiedLine[],
  now: Date,
): Promise<number> {
  return on.transaction(async (tx) => {
    const rows = await tx.query<{ line_id: string }>(sql`
      ${insertionOf(
        'statement_lines',
        lineColumns,
        corp_id,
        lines.map((line) => ({ ...line, ctime: now })),
      )}
      on conflict (corp_id, line_id) do nothing
      returning line_id`)
    // The audit needs no content: a stored line never changes.
    tx.note(...rows.map(({ line_id }) => ({ record_type: 'statement_lines', record_id: line_id })))
    return rows.length
  })
}

/** A line with its current match. */
export interface StoredLine extends IdentifiedLine {
  match_id: string | null
  payment_ids: string[]
  reason: string | null
}

/** In the order of the ids. */
export async function findLines(on: Queryable, corp_id: string, lineIds: string[]): Promise<StoredLine[]> {
  return on.query<StoredLine>(sql`
    select l.line_id, l.provider, l.charge_id, l.reference, l.description, l.price, l.currency,
           l.value_date::text as value_date, m.match_id, coalesce(m.payment_ids, '{}') as payment_ids, m.reason
      from unnest(${lineIds}::text[]) with ordinality as wanted(line_id, place)
      join statement_lines l on l.corp_id = ${corp_id} and l.line_id = wanted.line_id
      left join lateral (
        select m.match_id, m.reason, array_agg(m.payment_id order by m.payment_id) as payment_ids
          from statement_matches m
         where m.corp_id = ${corp_id} and m.line_id = l.line_id
           and not exists (select from statement_match_undos u where u.corp_id = ${corp_id} and u.match_id = m.match_id)
         group by m.match_id, m.reason) m on true
     order by wanted.place`)
}
