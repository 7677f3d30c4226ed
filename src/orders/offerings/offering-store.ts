import type { Queryable } from '../../database/database.ts'
import { type Columns, insertRows, type NewRow } from '../../database/insert-rows.ts'
import { raw, type Statement, sql, timestamp, timestampOrEmpty } from '../../database/sql.ts'

/** Rows of courses, batches and coupons, which differ in their columns only. */
export interface Offering<C extends Columns> {
  noun: 'course' | 'batch' | 'coupon'
  table: string
  id: string
  columns: C
}

export const courses = {
  noun: 'course',
  table: 'courses',
  id: 'course_id',
  columns: {
    course_code: 'text',
    name: 'text',
    school_name: 'text',
    program_code: 'text',
    product_family_or_lob_category: 'text',
    online_application_name: 'text',
    currency: 'text',
    listed_price: 'bigint',
    start_time: 'timestamptz',
    end_time: 'timestamptz',
    is_active: 'boolean',
  },
} as const satisfies Offering<Columns>

export const batches = {
  noun: 'batch',
  table: 'batches',
  id: 'batch_id',
  columns: { course_id: 'text', name: 'text', start_date: 'date', end_date: 'date', is_active: 'boolean' },
} as const satisfies Offering<Columns>

export const coupons = {
  noun: 'coupon',
  table: 'coupons',
  id: 'coupon_id',
  columns: {
    description: 'text',
    amount: 'bigint',
    currency: 'text',
    basis_points: 'integer',
    max_uses: 'integer',
    budget_price: 'bigint',
    budget_currency: 'text',
    valid_from: 'timestamptz',
    valid_until: 'timestamptz',
    is_active: 'boolean',
  },
} as const satisfies Offering<Columns>

export type Stored<C extends Columns> = { id: string; version: number; fields: NewRow<C> }
/** The key of an offering: columns that are unique together. */
export type Key = Record<string, string>

/** Finds and locks an offering. */
export async function lockOffering<C extends Columns>(
  tx: Queryable,
  { table, id, columns }: Offering<C>,
  corp_id: string,
  key: Key,
): Promise<Stored<C> | undefined> {
  const names = Object.entries(columns).map(([name, type]) => (type === 'date' ? `${name}::text` : name))
  const [row] = await tx.query<{ id: string; version: number } & NewRow<C>>(sql`
    select ${raw(id)} as id, version, ${raw(names.join(', '))}
      from ${raw(table)}
     where corp_id = ${corp_id} ${matching(key)}
       for no key update`)
  if (!row) return undefined
  const { id: found, version, ...fields } = row
  return { id: found, version, fields: fields as unknown as NewRow<C> }
}

/** False if the key exists already. */
export async function insertOffering<C extends Columns>(
  tx: Queryable,
  { table, id, columns }: Offering<C>,
  corp_id: string,
  row: { id: string; fields: NewRow<C>; now: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into ${raw(table)} (corp_id, ${raw(id)}, ${namesOf(columns)}, ctime, mtime)
    select ${corp_id}, ${row.id}, ${namesOf(columns)}, ${row.now}, ${row.now}
      from jsonb_to_recordset(${JSON.stringify([row.fields])}::jsonb) as r(${typesOf(columns)})
    on conflict do nothing
    returning version`)
  return rows.length === 1
}

export async function updateOffering<C extends Columns>(
  tx: Queryable,
  { table, id, columns }: Offering<C>,
  corp_id: string,
  row: { id: string; fields: NewRow<C>; now: Date },
): Promise<void> {
  const assignments = raw(
    Object.keys(columns)
      .map((name) => `${name} = r.${name}`)
      .join(', '),
  )
  await tx.query(sql`
    update ${raw(table)} t
       set ${assignments}, mtime = ${row.now}, version = version + 1
      from jsonb_to_recordset(${JSON.stringify([row.fields])}::jsonb) as r(${typesOf(columns)})
     where t.corp_id = ${corp_id} and t.${raw(id)} = ${row.id}`)
}

export async function isCourse(on: Queryable, corp_id: string, course_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select course_id from courses where corp_id = ${corp_id} and course_id = ${course_id}`)
  return rows.length === 1
}

export interface OfferingPage {
  corp_id: string
  is_active?: boolean
  course_id?: string
  page: number
  page_size: number
}

/** One statement, hence one snapshot: total and page come from the same set. */
export async function listOfferings<Row>(
  on: Queryable,
  offering: Offering<Columns>,
  filter: OfferingPage,
  timeZone: string,
): Promise<{ total: number; page: number; page_size: number; list: Row[] }> {
  const { corp_id, is_active, course_id, page, page_size } = filter
  const matched = sql`
    from ${raw(offering.table)} t
   where t.corp_id = ${corp_id} ${is_active === undefined ? raw('') : sql`and t.is_active = ${is_active}`}
         ${course_id === undefined ? raw('') : sql`and t.course_id = ${course_id}`}`
  const [answer] = await on.query<{ total: number; list: Row[] }>(sql`
    select (select count(*) ${matched}) as total, coalesce(json_agg(to_json(page)), '[]') as list
      from (select ${shown(offering, timeZone)} ${matched}
             order by t.ctime, t.${raw(offering.id)}
            offset ${page * page_size} limit ${page_size}) as page`)
  return { total: answer!.total, page, page_size, list: answer!.list }
}

/** Inserts many, with their times of creation. */
export async function insertOfferings<C extends Columns>(
  on: Queryable,
  offering: Offering<C>,
  corp_id: string,
  rows: (NewRow<C> & Record<string, unknown>)[],
): Promise<void> {
  const columns = {
    [offering.id]: 'text',
    ...offering.columns,
    ctime: 'timestamptz',
    mtime: 'timestamptz',
    version: 'integer',
  } as Columns
  await insertRows(on, offering.table, columns, corp_id, rows as NewRow<Columns>[])
}

/** Absent texts and times are shown as "", absent numbers as null. */
function shown({ id, columns }: Offering<Columns>, timeZone: string): Statement {
  const cells = Object.entries(columns).map(([name, type]) => {
    if (type === 'timestamptz') return sql`${timestampOrEmpty(`t.${name}`, timeZone)} as ${raw(name)}`
    if (type === 'text') return raw(`coalesce(t.${name}, '') as ${name}`)
    return raw(type === 'date' ? `coalesce(t.${name}::text, '') as ${name}` : `t.${name}`)
  })
  const all = cells.reduce((list, cell) => sql`${list}, ${cell}`, raw(`t.${id}`))
  return sql`${all}, ${timestamp('t.ctime', timeZone)} as ctime, ${timestamp('t.mtime', timeZone)} as mtime, t.version`
}

function matching(key: Key): Statement {
  return Object.entries(key).reduce((all, [name, value]) => sql`${all} and ${raw(name)} = ${value}`, raw(''))
}

function namesOf(columns: Columns): Statement {
  return raw(Object.keys(columns).join(', '))
}

function typesOf(columns: Columns): Statement {
  return raw(
    Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join(', '),
  )
}

export async function isBatch(on: Queryable, corp_id: string, batch_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select batch_id from batches where corp_id = ${corp_id} and batch_id = ${batch_id}`)
  return rows.length === 1
}

/** Limits a cached list that people pick from. */
const mostCourseNames = 10_000

export async function findCourseNames(
  on: Queryable,
  corp_id: string,
): Promise<{ course_code: string; name: string }[]> {
  return on.query<{ course_code: string; name: string }>(sql`
    select course_code, name from courses where corp_id = ${corp_id} order by course_code limit ${mostCourseNames}`)
}
