import type { Columns, NewRow } from './insert-rows.ts'
import { raw, type Statement, sql } from './sql.ts'

/** What calls send to one statement, as rows; `n` is the place of each, so that its outcome finds back to it. */
export function sentRows<C extends Columns>(columns: C, rows: NewRow<C>[]): Statement {
  const names = raw(['n', ...Object.keys(columns)].join(', '))
  const typed = raw(['n integer', ...Object.entries(columns).map((column) => column.join(' '))].join(', '))
  const values = JSON.stringify(rows.map((row, n) => ({ n, ...row })))
  return sql`select ${names} from jsonb_to_recordset(${values}::jsonb) as s(${typed})`
}

/**
 * Looks up one record for each row on the left, by a unique index. The limit keeps the planner from reading the whole
 * table instead, which it would where it believes, from old statistics, that the table is small.
 */
export function eachFound(lookup: Statement): Statement {
  return sql`cross join lateral (${lookup} limit 1) found`
}
