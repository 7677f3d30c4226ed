import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'

export interface Zoned {
  corp_id: string
  time_zone: string
}

/**
 * The zone that texts are rendered in. Read in the transaction of the change, under the ledger's clock, which a change
 * of the zone holds too: what a server remembers of an organization may be a second old.
 */
export async function zoneOf(tx: Queryable, corp_id: string): Promise<string> {
  const [row] = await tx.query<{ time_zone: string }>(sql`
    select time_zone from organizations where corp_id = ${corp_id}`)
  return row!.time_zone
}

export interface RenderedOrder {
  order_id: string
  detail: string
  list_row: string
}

export interface RenderedSubOrder {
  sub_order_id: string
  row_start: string
  used_slots: number
}

/** What is counted of a record: its status, and the days of both its times. */
const counted = raw('status, ctime_day, mtime_day')

/** Counts both ways in which a list may be ordered, by status and in all, by day and by month. */
function moveCounts(
  corp_id: string,
  list: 'orders' | 'sub_orders',
  after: Statement,
  before?: Statement,
): Statement {
  const gone = before ? sql`union all select -1, ${counted} from ${before}` : raw('')
  return sql`
    insert into list_counts as kept (corp_id, list, time, status, span, day, rows)
    select ${corp_id}, ${list}, kind.time, of_status.status, of_span.span, of_span.day, sum(n)
      from (select 1 as n, ${counted} from ${after} ${gone}) change
     cross join lateral (values ('ctime', ctime_day), ('mtime', mtime_day)) kind(time, day)
     cross join lateral (values (change.status), ('')) of_status(status)
     cross join lateral (values ('day', kind.day), ('month', date_trunc('month', kind.day)::date)) of_span(span, day)
     group by kind.time, of_status.status, of_span.span, of_span.day
    having sum(n) <> 0
    on conflict (corp_id, list, time, status, span, day) do update set rows = kept.rows + excluded.rows`
}

/** The texts of orders beside the orders themselves, and what they are counted under. */
function orderTexts({ corp_id, time_zone }: Zoned, documents: RenderedOrder[]): Statement {
  return sql`
      select o.order_id, o.status, (o.ctime at time zone ${time_zone}::text)::date as ctime_day,
             (o.mtime at time zone ${time_zone}::text)::date as mtime_day, text.detail, text.list_row
        from unnest(${documents.map(({ order_id }) => order_id)}::text[], ${documents.map(({ detail }) => detail)}::text[],
                    ${documents.map(({ list_row }) => list_row)}::text[]) as text(order_id, detail, list_row)
        join orders o on o.corp_id = ${corp_id} and o.order_id = text.order_id`
}

function insertOrderTexts(corp_id: string, from: Statement): Statement {
  return sql`
      insert into order_read_model (corp_id, order_id, detail, list_row, ${counted})
      select ${corp_id}, order_id, detail, list_row, ${counted} from ${from}`
}

/** Stores the texts of orders and moves their counts along: one statement, so that both or neither happen. */
export async function storeRenderedOrders(
  tx: Queryable,
  organization: Zoned,
  documents: RenderedOrder[],
): Promise<void> {
  const { corp_id } = organization
  const ids = documents.map(({ order_id }) => order_id)
  await tx.query(sql`
    with before as (
      select ${counted} from order_read_model where corp_id = ${corp_id} and order_id = any(${ids})),
    after as (${orderTexts(organization, documents)}),
    stored as (${insertOrderTexts(corp_id, raw('after'))}
      on conflict (corp_id, order_id) do update
         set detail = excluded.detail, list_row = excluded.list_row, status = excluded.status,
             ctime_day = excluded.ctime_day, mtime_day = excluded.mtime_day)
    ${moveCounts(corp_id, 'orders', raw('after'), raw('before'))}`)
}

function financialTexts({ corp_id, time_zone }: Zoned, documents: RenderedSubOrder[]): Statement {
  return sql`
      select s.sub_order_id, s.order_id, s.status, (s.ctime at time zone ${time_zone}::text)::date as ctime_day,
             (s.mtime at time zone ${time_zone}::text)::date as mtime_day, text.row_start, text.used_slots
        from unnest(${documents.map(({ sub_order_id }) => sub_order_id)}::text[],
                    ${documents.map(({ row_start }) => row_start)}::text[],
                    ${documents.map(({ used_slots }) => used_slots)}::smallint[]) as text(sub_order_id, row_start, used_slots)
        join sub_orders s on s.corp_id = ${corp_id} and s.sub_order_id = text.sub_order_id`
}

function insertFinancialTexts(corp_id: string, from: Statement): Statement {
  return sql`
      insert into financial_read_model (corp_id, sub_order_id, order_id, row_start, used_slots, ${counted})
      select ${corp_id}, sub_order_id, order_id, row_start, used_slots, ${counted} from ${from}`
}

/** The same for the sub-orders of these orders; the texts of those that are gone go with them. */
export async function storeRenderedSubOrders(
  tx: Queryable,
  organization: Zoned,
  orderIds: string[],
  documents: RenderedSubOrder[],
): Promise<void> {
  const { corp_id } = organization
  const ids = documents.map(({ sub_order_id }) => sub_order_id)
  await tx.query(sql`
    with before as (
      select ${counted} from financial_read_model where corp_id = ${corp_id} and order_id = any(${orderIds})),
    after as (${financialTexts(organization, documents)}),
    gone as (
      delete from financial_read_model
       where corp_id = ${corp_id} and order_id = any(${orderIds}) and sub_order_id <> all(${ids})),
    stored as (${insertFinancialTexts(corp_id, raw('after'))}
      on conflict (corp_id, sub_order_id) do update
         set row_start = excluded.row_start, used_slots = excluded.used_slots, status = excluded.status,
             ctime_day = excluded.ctime_day, mtime_day = excluded.mtime_day)
    ${moveCounts(corp_id, 'sub_orders', raw('after'), raw('before'))}`)
}

/** Stores texts where there are none, and counts nothing: for whoever makes all of them anew, and counts at the end. */
export async function insertRendered(
  tx: Queryable,
  organization: Zoned,
  documents: RenderedOrder[],
  financial: RenderedSubOrder[],
): Promise<void> {
  const { corp_id } = organization
  await tx.query(insertOrderTexts(corp_id, sql`(${orderTexts(organization, documents)}) made`))
  await tx.query(insertFinancialTexts(corp_id, sql`(${financialTexts(organization, financial)}) made`))
}

/** Counts all documents, where nothing is counted yet. */
export async function countRendered(tx: Queryable, corp_id: string): Promise<void> {
  const all = (table: string) => sql`(select ${counted} from ${raw(table)} where corp_id = ${corp_id}) stored`
  await tx.query(moveCounts(corp_id, 'orders', all('order_read_model')))
  await tx.query(moveCounts(corp_id, 'sub_orders', all('financial_read_model')))
}

/** The ids of the next orders after one, for work through all of them or up to another. */
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

export async function clearReadModel(tx: Queryable, corp_id: string): Promise<void> {
  await tx.query(sql`delete from list_counts where corp_id = ${corp_id}`)
  await tx.query(sql`delete from order_read_model where corp_id = ${corp_id}`)
  await tx.query(sql`delete from financial_read_model where corp_id = ${corp_id}`)
}

/** One text for all that is kept, so that two states can be compared: empty counts are as good as none. */
export async function readModelDigest(on: Queryable, corp_id: string): Promise<string> {
  const [row] = await on.query<{ digest: string }>(sql`
    select md5(concat(
      (select string_agg(md5(concat_ws('|', order_id, detail, list_row, status, ctime_day, mtime_day)), ',' order by order_id)
         from order_read_model where corp_id = ${corp_id}),
      (select string_agg(md5(concat_ws('|', sub_order_id, order_id, row_start, used_slots, status, ctime_day, mtime_day)), ','
                         order by sub_order_id)
         from financial_read_model where corp_id = ${corp_id}),
      (select string_agg(concat_ws('|', list, time, status, span, day, rows), ',' order by list, time, status, span, day)
         from list_counts where corp_id = ${corp_id} and rows <> 0))) as digest`)
  return row!.digest
}
