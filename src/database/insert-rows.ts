import { raw, type Statement, sql } from './sql.ts'

/** What the types of columns are in a row; any of them may be null where the column allows it. */
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

/** A row on its way into a table: instants may be text, which keeps the microseconds that a Date would lose. */
export type InsertedRow<C extends Columns> = {
  -readonly [Name in keyof C]: Cells[C[Name]] | (C[Name] extends 'timestamptz' ? string : never) | null
}

/** Inserts any number of rows in one statement. The organization is the caller's, whatever the rows say. */
export async function insertRows<C extends Columns>(
  on: { query(statement: Statement): Promise<unknown> },
  table: string,
  columns: C,
  corp_id: string,
  rows: InsertedRow<C>[],
): Promise<void> {
  if (rows.length > 0) await on.query(sql`${insertionOf(table, columns, corp_id, rows)} ${notByCopy}`)
}

/** The same as statements, for a pipeline: one, or none where there is nothing to insert. */
export function insertingRows<C extends Columns>(
  table: string,
  columns: C,
  corp_id: string,
  rows: InsertedRow<C>[],
): Statement[] {
  return rows.length > 0 ? [sql`${insertionOf(table, columns, corp_id, rows)} ${notByCopy}`] : []
}

/**
 * Ends an insertion that says nothing of conflicts: Citus would turn one that returns nothing either into a COPY, which
 * row-level security forbids.
 */
export const notByCopy = raw('returning 1')

/** The same as a statement, for whoever has more to say about conflicts. */
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
