import type { Queryable } from './database.ts'
import { raw, sql } from './sql.ts'

/** What the types of columns are in a row; any of them may be null where the column allows it. */
interface Cells {
  text: string
  'text[]': string[]
  integer: number
  bigint: number
  'double precision': number
  boolean: boolean
  jsonb: object
  timestamptz: Date
  /** YYYY-MM-DD, of no zone. */
  date: string
}

export type Columns = Record<string, keyof Cells>
export type NewRow<C extends Columns> = { -readonly [Name in keyof C]: Cells[C[Name]] | null }

/** Inserts any number of rows in one statement. The organization is the caller's, whatever the rows say. */
export async function insertRows<C extends Columns>(
  on: Queryable,
  table: string,
  columns: C,
  corp_id: string,
  rows: NewRow<C>[],
): Promise<void> {
  const names = raw(Object.keys(columns).join(', '))
  const typed = raw(
    Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join(', '),
  )
  await on.query(sql`
    insert into ${raw(table)} (corp_id, ${names})
    select ${corp_id}, ${names} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(${typed})`)
}
