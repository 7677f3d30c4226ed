import { raw, type Statement, sql } from './sql.ts'

/** TypeScript types of column types. Any may be null where the column allows it. */
interface Cells {
  text: string
  'text[]': string[]
  integer: number
  bigint: number
  /** Of any length, as it is written. */
  numeric: string
  'double precision': number
  boolean: boolean
  jsonb: object
  timestamptz: Date
  /** YYYY-MM-DD, of no zone. */
  date: string
}

export type Columns = Record<string, keyof Cells>
export type NewRow<C extends Columns> = { -readonly [Name in keyof C]: Cells[C[Name]] | null }

/** A row to insert. Instants may be text, which keeps microseconds that a Date would lose. */
export type InsertedRow<C extends Columns> = {
  -readonly [Name in keyof C]: Cells[C[Name]] | (C[Name] extends 'timestamptz' ? string : never) | null
}

/** Inserts rows in one statement. `corp_id` is that of the caller, not of the rows. */
export async function insertRows<C extends Columns>(
  on: { query(statement: Statement): Promise<unknown> },
  table: string,
  columns: C,
  corp_id: string,
  rows: InsertedRow<C>[],
): Promise<void> {
  if (rows.length > 0) await on.query(sql`${insertionOf(table, columns, corp_id, rows)} ${notByCopy}`)
}

/** The same as statements for a pipeline: one, or none if there are no rows. */
export function insertingRows<C extends Columns>(
  table: string,
  columns: C,
  corp_id: string,
  rows: InsertedRow<C>[],
): Statement[] {
  return rows.length > 0 ? [sql`${insertionOf(table, columns, corp_id, rows)} ${notByCopy}`] : []
}

/**
 * Ends an insert without a conflict clause. Citus turns an insert that returns nothing into a COPY, which row-level
 * security forbids.
 */
export const notByCopy = raw('returning 1')

/** The same as a statement, for callers that add a conflict clause. */
export function insertionOf<C extends Columns>(
  table: string,
  columns: C,
  corp_id: string,
  rows: InsertedRow<C>[],
): Statement {
  const names = raw(Object.keys(columns).join(', '))
  const typed = raw(
    Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join(', '),
  )
  return sql`
    insert into ${raw(table)} (corp_id, ${names})
    select ${corp_id}, ${names} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(${typed})`
}

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
