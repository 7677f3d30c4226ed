import type { Queryable, RowsByName } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { type Columns, insertionOf, type NewRow } from '../../database/insert-rows.ts'
import { microseconds, raw, type Statement, sql } from '../../database/sql.ts'
import type { NamedUser } from '../../people/users/user-facets.ts'
import { clearingFacets } from '../../search/facet-store.ts'
import type { CountChange, CountedRow } from './count-rows.ts'

export interface Zoned {
  corp_id: string
  time_zone: string
}

const orderModelColumns = {
  order_id: 'text',
  status: 'text',
  is_deleted: 'boolean',
  ctime_day: 'date',
  mtime_day: 'date',
  detail: 'text',
  list_row: 'text',
  facets: 'text',
  renderer: 'text',
} as const

const subOrderModelColumns = {
  sub_order_id: 'text',
  order_id: 'text',
  status: 'text',
  ctime_day: 'date',
  mtime_day: 'date',
  row_start: 'text',
  used_slots: 'integer',
  unpaid_price: 'bigint',
  renderer: 'text',
} as const

type Row<C extends Columns> = { [Name in keyof NewRow<C>]: NonNullable<NewRow<C>[Name]> }
export type OrderModelRow = Row<typeof orderModelColumns>
export type SubOrderModelRow = Row<typeof subOrderModelColumns>

/** The read model of orders, as far as an update needs it. */
export interface StoredModel {
  /**
   * The zone that rows are rendered in. It is read under the ledger's clock, which a change of the zone locks too. A
   * server's cache of the organization may be a second old.
   */
  time_zone: string
  fingerprint: string | null
  /** The fingerprint of the code that rebuilds the model at present. */
  rebuilder: string | null
  orders: KnownOrder[]
  subOrders: KnownSubOrder[]
}

type KnownSubOrder = CountedRow & { order_id: string; sub_order_id: string }
/** With its facets as JSON. */
type KnownOrder = CountedRow & { order_id: string; facets: string }

export async function findModel(tx: Queryable, corp_id: string, orderIds: string[]): Promise<StoredModel> {
  return modelOf(await tx.pipeline<ModelRows>(findingModel(corp_id, orderIds)))
}

export type ModelRows = {
  versions: Pick<StoredModel, 'time_zone' | 'fingerprint' | 'rebuilder'>
  orders: KnownOrder
  subOrders: KnownSubOrder
}

export function findingModel(corp_id: string, orderIds: string[]) {
  return {
    versions: sql`
      select z.time_zone, (select v.fingerprint from derived_data_versions v where v.corp_id = ${corp_id} and v.name = 'orders') as fingerprint,
             (select v.rebuilder from derived_data_versions v where v.corp_id = ${corp_id} and v.name = 'orders') as rebuilder
        from organizations z where z.corp_id = ${corp_id}`,
    orders: sql`
      select order_id, status, is_deleted, ctime_day::text, mtime_day::text, facets
        from order_read_model where corp_id = ${corp_id} and order_id = any(${orderIds})`,
    subOrders: sql`
      select order_id, sub_order_id, status, ctime_day::text, mtime_day::text
        from financial_read_model where corp_id = ${corp_id} and order_id = any(${orderIds})`,
  }
}

export function modelOf({ versions, orders, subOrders }: RowsByName<ModelRows>): StoredModel {
  return { ...firstRow(versions), orders, subOrders }
}

/** The zone of an organization, and the fingerprint of the code that rendered its read model. */
export async function findModelVersion(
  on: Queryable,
  corp_id: string,
): Promise<{ time_zone: string; fingerprint: string | null }> {
  return findModel(on, corp_id, [])
}

export function storingOrderRows(corp_id: string, rows: OrderModelRow[]): Statement[] {
  return upserting('order_read_model', 'order_id', orderModelColumns, corp_id, rows)
}

export function storingSubOrderRows(corp_id: string, rows: SubOrderModelRow[]): Statement[] {
  return upserting('financial_read_model', 'sub_order_id', subOrderModelColumns, corp_id, rows)
}

/** JSON texts: they have many quotation marks and no control characters. */
const jsonTexts = new Set(['detail', 'list_row', 'facets', 'row_start'])
const separator = '\u001f'

/** The values of a column as an array. Escaping every quotation mark would take longer than rendering the rows. */
function arrayOf(name: string, type: string, values: unknown[]): Statement {
  if (jsonTexts.has(name)) return sql`string_to_array(${values.join(separator)}, chr(31))`
  return sql`${values}::${raw(type)}[]`
}

/**
 * Rows are sent column by column, which is faster for long texts than one JSON document. An unchanged row is not written:
 * most changes affect few sub-orders.
 */
function upserting<C extends Columns>(
  table: string,
  key: keyof C & string,
  columns: C,
  corp_id: string,
  rows: Row<C>[],
): Statement[] {
  if (rows.length === 0) return []
  const names = Object.keys(columns)
  const arrays = Object.entries(columns)
    .map(([name, type]) =>
      arrayOf(
        name,
        type,
        rows.map((row) => row[name as keyof C]),
      ),
    )
    .reduce((all, array) => sql`${all}, ${array}`)
  const rest = names.filter((name) => name !== key)
  const sets = rest.map((name) => `${name} = excluded.${name}`)
  const differs = rest.map((name) => `stored.${name} is distinct from excluded.${name}`)
  return [
    sql`
      insert into ${raw(table)} as stored (corp_id, ${raw(names.join(', '))})
      select ${corp_id}, ${raw(names.map((name) => `r.${name}`).join(', '))}
        from unnest(${arrays}) as r(${raw(names.join(', '))})
      on conflict (corp_id, ${raw(key)}) do update set ${raw(sets.join(', '))}
       where ${raw(differs.join(' or '))}`,
  ]
}

export function deletingSubOrderRows(corp_id: string, sub_order_ids: string[]): Statement[] {
  if (sub_order_ids.length === 0) return []
  return [
    sql`delete from financial_read_model where corp_id = ${corp_id} and sub_order_id = any(${sub_order_ids})`,
  ]
}

const countColumns = {
  list: 'text',
  time: 'text',
  status: 'text',
  span: 'text',
  day: 'date',
  rows: 'bigint',
} as const

export function storingCountChanges(corp_id: string, changes: CountChange[]): Statement[] {
  if (changes.length === 0) return []
  return [
    sql`
      ${insertionOf('list_counts as stored', countColumns, corp_id, changes)}
      on conflict (corp_id, list, time, status, span, day) do update set rows = stored.rows + excluded.rows`,
  ]
}

/** The first days of the months that have orders, sub-orders or counts of them. */
export async function countedMonths(on: Queryable, { corp_id, time_zone }: Zoned): Promise<string[]> {
  const ends = (table: string, time: string) => sql`
    select (min(t.${raw(time)}) at time zone ${time_zone}::text)::date as first, (max(t.${raw(time)}) at time zone ${time_zone}::text)::date as last
      from ${raw(table)} t where t.corp_id = ${corp_id}`
  const rows = await on.query<{ month: string }>(sql`
    select generate_series(date_trunc('month', min(ends.first)), date_trunc('month', max(ends.last)), interval '1 month')::date::text as month
      from (${ends('orders', 'ctime')} union all ${ends('orders', 'mtime')} union all
            ${ends('sub_orders', 'ctime')} union all ${ends('sub_orders', 'mtime')} union all
            select min(k.day), max(k.day) from list_counts k where k.corp_id = ${corp_id}) ends`)
  return rows.map(({ month }) => month)
}

/** Counts the rows of a month again. The caller holds the ledger clock. */
export function recountingMonth({ corp_id, time_zone }: Zoned, month: string): Statement {
  const first = sql`(${month}::timestamp at time zone ${time_zone}::text)`
  const end = sql`((${month}::timestamp + interval '1 month') at time zone ${time_zone}::text)`
  const rowsOf = (list: 'orders' | 'sub_orders', time: 'ctime' | 'mtime') => sql`
    select ${raw(`'${list}'`)} as list, ${raw(`'${time}'`)} as time, t.status, (t.${raw(time)} at time zone ${time_zone}::text)::date as day
      from ${raw(list)} t
     where t.corp_id = ${corp_id} and t.${raw(time)} >= ${first} and t.${raw(time)} < ${end} ${raw(list === 'orders' ? 'and not t.is_deleted' : '')}`
  return sql`
    insert into list_counts as stored (corp_id, list, time, status, span, day, rows)
    select ${corp_id}, c.list, c.time, c.status, c.span, c.day, sum(c.rows)::bigint
      from (select r.list, r.time, under.status, spanned.span, spanned.day, count(*) as rows
              from (${rowsOf('orders', 'ctime')} union all ${rowsOf('orders', 'mtime')} union all
                    ${rowsOf('sub_orders', 'ctime')} union all ${rowsOf('sub_orders', 'mtime')}) r
             cross join lateral (values (r.status), ('')) under(status)
             cross join lateral (values ('day', r.day), ('month', ${month}::date)) spanned(span, day)
             group by r.list, r.time, under.status, spanned.span, spanned.day
            union all
            select k.list, k.time, k.status, k.span, k.day, -k.rows from list_counts k
             where k.corp_id = ${corp_id} and k.day >= ${month}::date and k.day < (${month}::date + interval '1 month')::date) c
     group by c.list, c.time, c.status, c.span, c.day having sum(c.rows) <> 0
     order by c.list, c.time, c.status, c.span, c.day
    on conflict (corp_id, list, time, status, span, day) do update set rows = stored.rows + excluded.rows`
}

/** The next order ids after `after`, up to `upTo`. */
export async function orderIdsAfter(
  on: Queryable,
  corp_id: string,
  { after, upTo, limit }: { after: string; upTo?: string | undefined; limit: number },
): Promise<string[]> {
  const end = upTo === undefined ? raw('') : sql`and order_id <= ${upTo}`
  const rows = await on.query<{ order_id: string }>(sql`
    select order_id from orders
     where corp_id = ${corp_id} and order_id > ${after} ${end} order by order_id limit ${limit}`)
  return rows.map(({ order_id }) => order_id)
}

export async function countOrders(on: Queryable, corp_id: string): Promise<number> {
  const rows = await on.query<{ orders: number }>(sql`
    select count(*) as orders from orders where corp_id = ${corp_id}`)
  return firstRow(rows).orders
}

export async function clearReadModel(tx: Queryable, corp_id: string): Promise<void> {
  await tx.pipeline(clearingFacets(corp_id, ['orders']))
  await tx.query(sql`delete from list_counts where corp_id = ${corp_id}`)
  await tx.query(sql`delete from order_read_model where corp_id = ${corp_id}`)
  await tx.query(sql`delete from financial_read_model where corp_id = ${corp_id}`)
}

/** A digest of the whole read model, to compare two states. A count of 0 equals no count. */
export async function readModelDigest(on: Queryable, corp_id: string): Promise<string> {
  const rows = await on.query<{ digest: string }>(sql`
    select md5(concat(
      (select string_agg(md5(concat_ws('|', order_id, detail, list_row, facets, status, is_deleted, ctime_day, mtime_day)), ','
                         order by order_id)
         from order_read_model where corp_id = ${corp_id}),
      (select string_agg(md5(concat_ws('|', sub_order_id, order_id, row_start, used_slots, unpaid_price, status, ctime_day, mtime_day)), ','
                         order by sub_order_id)
         from financial_read_model where corp_id = ${corp_id}),
      (select string_agg(concat_ws('|', list, time, status, span, day, rows), ',' order by list, time, status, span, day)
         from list_counts where corp_id = ${corp_id} and rows <> 0),
      (select md5(string_agg(concat_ws('|', facet, time, id), ',' order by facet, time, id))
         from facet_entries where corp_id = ${corp_id} and list = 'orders'),
      (select string_agg(concat_ws('|', facet, day, rows), ',' order by facet, day)
         from facet_counts where corp_id = ${corp_id} and list = 'orders' and rows <> 0))) as digest`)
  return firstRow(rows).digest
}

type HeldUser = NamedUser & { user_id: string }

/** Locks users and reads their orders. A transaction that refers to one of these users waits. */
export async function holdUsersForOrders(
  tx: Queryable,
  corp_id: string,
  userIds: string[],
): Promise<{ users: HeldUser[]; orders: { order_id: string; user_id: string }[] }> {
  return tx.pipeline<{ users: HeldUser; orders: { order_id: string; user_id: string } }>({
    users: sql`
      select user_id, name, first_name, last_name from users where corp_id = ${corp_id} and user_id = any(${userIds}::text[])
       order by user_id for update`,
    orders: sql`
      select order_id, user_id from orders
       where corp_id = ${corp_id} and user_id = any(${userIds}::text[]) order by order_id`,
  })
}

/** The facets of orders, and the instants of their creation. */
export async function facetsOfOrders(
  tx: Queryable,
  corp_id: string,
  orderIds: string[],
): Promise<{ order_id: string; facets: string; created_at: string }[]> {
  return tx.query(sql`
    select m.order_id, m.facets, ${microseconds('o.ctime')} as created_at
      from order_read_model m join orders o on o.corp_id = m.corp_id and o.order_id = m.order_id
     where m.corp_id = ${corp_id} and m.order_id = any(${orderIds}::text[])`)
}

export function storingFacets(corp_id: string, orders: { order_id: string; facets: string }[]): Statement {
  const [ids, facets] = [orders.map(({ order_id }) => order_id), orders.map((order) => order.facets)]
  return sql`
    update order_read_model as stored set facets = r.facets
      from unnest(${ids}::text[], ${facets}::text[]) as r(order_id, facets)
     where stored.corp_id = ${corp_id} and stored.order_id = r.order_id`
}
