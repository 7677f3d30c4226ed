import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Statement lines with a text after an id, ordered by id. */
export async function linesAfter(
  on: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<{ line_id: string; text: string }[]> {
  return on.query(sql`
    select line_id, concat_ws(' ', payer, description, reference) as text from statement_lines
     where corp_id = ${corp_id} and line_id > ${after} and coalesce(description, payer, reference) is not null
     order by line_id limit ${limit}`)
}

export async function emptyLines(on: Queryable, corp_id: string, lineIds: string[]): Promise<void> {
  if (lineIds.length === 0) return
  await on.query(sql`
    update statement_lines set description = null, payer = null, reference = null
     where corp_id = ${corp_id} and line_id = any(${lineIds}::text[])`)
}

/** Rows after a given row that have kept their cells: rejected ones, and the first ones of plans. */
export async function rejectedRowsAfter(
  on: Queryable,
  corp_id: string,
  after: { import_id: string; row: number },
  limit: number,
): Promise<{ import_id: string; row: number; text: string }[]> {
  return on.query(sql`
    select import_id, row, coalesce(cells::text, '') as text from lead_import_rows
     where corp_id = ${corp_id} and (import_id, row) > (${after.import_id}, ${after.row}::integer)
       and (outcome in ('reject', 'erased') or cells is not null)
     order by import_id, row limit ${limit}`)
}

export async function emptyRejectedRows(
  on: Queryable,
  corp_id: string,
  rows: { import_id: string; row: number }[],
): Promise<void> {
  if (rows.length === 0) return
  await on.query(sql`
    update lead_import_rows r set cells = null, outcome = 'erased', reason = 'was erased'
      from unnest(${rows.map(({ import_id }) => import_id)}::text[], ${rows.map(({ row }) => row)}::integer[])
           as found (import_id, row)
     where r.corp_id = ${corp_id} and r.import_id = found.import_id and r.row = found.row`)
}
