import type { Columns, NewRow } from './insert-rows.ts'
import { raw, type Statement, sql } from './sql.ts'

/** Rows that are sent along with a statement, to be read there under this alias; what is absent is null. */
export function sentRows<C extends Columns>(
  alias: string,
  columns: C,
  rows: Partial<NewRow<C>>[],
): Statement {
  const typed = Object.entries(columns).map((column) => column.join(' '))
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${raw(`${alias} (${typed.join(', ')})`)}`
}

/**
 * Looks up one record for each row on the left, by a unique index. The limit keeps the planner from reading the whole
 * table instead, which it would where it believes, from old statistics, that the table is small.
 */
export function eachFound(lookup: Statement): Statement {
  return sql`cross join lateral (${lookup} limit 1) found`
}
