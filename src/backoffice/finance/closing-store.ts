import { createHash } from 'node:crypto'
import type { Queryable } from '../../database/database.ts'
import { microseconds, type Statement, sql } from '../../database/sql.ts'

/** A closing in force: one that is not reversed. */
export interface StoredClosing {
  number: number
  until: string
  as_of: string
  document: string
}

const columns = sql`c.number, c.until::text as until, ${microseconds('c.as_of')} as as_of, c.document`

/** Closings `c` of an organization that are not reversed. */
const inForce = (corp_id: string) => sql`
  from closings c
 where c.corp_id = ${corp_id}
   and not exists (select from closing_reversals v where v.corp_id = ${corp_id} and v.closing_number = c.number)`

export async function findClosing(
  on: Queryable,
  corp_id: string,
  until: string,
): Promise<StoredClosing | undefined> {
  const [closing] = await on.query<StoredClosing>(
    sql`select ${columns} ${inForce(corp_id)} and c.until = ${until}::date`,
  )
  return closing
}

export async function findLastClosing(on: Queryable, corp_id: string): Promise<StoredClosing | undefined> {
  const [closing] = await on.query<StoredClosing>(
    sql`select ${columns} ${inForce(corp_id)} order by c.until desc limit 1`,
  )
  return closing
}

/** The last day of the period whose closing has this instant. */
export async function findClosingAt(on: Queryable, corp_id: string, as_of: string): Promise<string | null> {
  const [closing] = await on.query<{ until: string }>(
    sql`select c.until::text as until ${inForce(corp_id)} and c.as_of = ${as_of}::timestamptz`,
  )
  return closing?.until ?? null
}

/** A closing, or a reversal, which has a closing_number. Both share one sequence of numbers. */
export interface ClosingEntry {
  number: number
  closing_number: number | null
  until: string | null
  as_of: string | null
  document: string
}

/** Closings and reversals in their order. */
export function findEntries(on: Queryable, corp_id: string): Promise<ClosingEntry[]> {
  return on.query<ClosingEntry>(sql`${entries(corp_id)} order by number`)
}

function entries(corp_id: string): Statement {
  return sql`
    select c.number, null::integer as closing_number, c.until::text as until, ${microseconds('c.as_of')} as as_of, c.document
      from closings c where c.corp_id = ${corp_id}
    union all
    select v.number, v.closing_number, null, null, v.document from closing_reversals v where v.corp_id = ${corp_id}`
}

/** The number and the hash of the last entry, which the next one refers to. */
export async function findLastEntry(
  on: Queryable,
  corp_id: string,
): Promise<{ number: number; hash: string }> {
  const [last] = await on.query<ClosingEntry>(sql`${entries(corp_id)} order by number desc limit 1`)
  return last ? { number: last.number, hash: hashOf(last.document) } : { number: 0, hash: '' }
}

export function hashOf(document: string): string {
  return createHash('sha256').update(document).digest('hex')
}

/** The newest first, each with its reversal if there is one. */
export async function findClosings(
  on: Queryable,
  corp_id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; closings: { document: string; reversal: string | null }[] }> {
  const [[counted], closings] = await on.pipeline<
    [{ total: number }, { document: string; reversal: string | null }]
  >([
    sql`select count(*)::integer as total from closings where corp_id = ${corp_id}`,
    sql`
      select c.document, v.document as reversal
        from closings c left join closing_reversals v on v.corp_id = ${corp_id} and v.closing_number = c.number
       where c.corp_id = ${corp_id}
       order by c.number desc limit ${limit} offset ${offset}`,
  ])
  return { total: counted!.total, closings }
}

export async function insertClosing(
  tx: Queryable,
  corp_id: string,
  closing: StoredClosing & { executor_id: string | null; at: string },
): Promise<void> {
  const { number, until, as_of, document, executor_id, at } = closing
  await tx.query(sql`
    insert into closings (corp_id, number, until, as_of, document, executor_id, at)
    values (${corp_id}, ${number}, ${until}::date, ${as_of}::timestamptz, ${document}, ${executor_id}, ${at}::timestamptz)`)
  tx.note({ record_type: 'closings', record_id: until, after: { number, as_of } })
}

export async function insertReversal(
  tx: Queryable,
  corp_id: string,
  reversal: {
    number: number
    closing_number: number
    until: string
    document: string
    executor_id: string
    at: string
    requested_by: string
  },
): Promise<void> {
  const { number, closing_number, until, document, executor_id, at, requested_by } = reversal
  await tx.query(sql`
    insert into closing_reversals (corp_id, number, closing_number, document, executor_id, at)
    values (${corp_id}, ${number}, ${closing_number}, ${document}, ${executor_id}, ${at}::timestamptz)`)
  tx.note({ record_type: 'closing_reversals', record_id: until, after: { closing_number, requested_by } })
}
