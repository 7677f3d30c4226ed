import type { Queryable } from '../database/database.ts'
import { literal, sql } from '../database/sql.ts'

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

export interface OrderDocument {
  order_id: string
  detail: string
  list_row: string
}

export interface FinancialDocument {
  sub_order_id: string
  row_start: string
  used_slots: number
}

/** Both lists are counted by both times, by status and in all. */
function deltasBetween(before: string, after: string) {
  return literal(`
    select time, status, day, sum(n) as n
      from (select n, kind.time, counted.status, case kind.time when 'ctime' then ctime_day else mtime_day end as day
              from (select 1 as n, status, ctime_day, mtime_day from ${after}
                    union all select -1, status, ctime_day, mtime_day from ${before}) change
             cross join (values ('ctime'), ('mtime')) kind(time)
             cross join lateral (values (change.status), ('')) counted(status)) all_changes
     group by time, status, day
    having sum(n) <> 0`)
}

/** Stores the texts of orders and moves their counts along: one statement, so that both or neither happen. */
export async function storeOrderDocuments(
  tx: Queryable,
  { corp_id, time_zone }: Zoned,
  documents: OrderDocument[],
): Promise<void> {
  const ids = documents.map(({ order_id }) => order_id)
  await tx.query(sql`
    with before as (
      select order_id, status, ctime_day, mtime_day
        from order_documents where corp_id = ${corp_id} and order_id = any(${ids})),
    after as (
      select o.order_id, o.status, (o.ctime at time zone ${time_zone}::text)::date as ctime_day,
             (o.mtime at time zone ${time_zone}::text)::date as mtime_day, text.detail, text.list_row
        from unnest(${ids}::text[], ${documents.map(({ detail }) => detail)}::text[],
                    ${documents.map(({ list_row }) => list_row)}::text[]) as text(order_id, detail, list_row)
        join orders o on o.corp_id = ${corp_id} and o.order_id = text.order_id),
    stored as (
      insert into order_documents (corp_id, order_id, detail, list_row, status, ctime_day, mtime_day)
      select ${corp_id}, order_id, detail, list_row, status, ctime_day, mtime_day from after
      on conflict (corp_id, order_id) do update
         set detail = excluded.detail, list_row = excluded.list_row, status = excluded.status,
             ctime_day = excluded.ctime_day, mtime_day = excluded.mtime_day)
    insert into list_counts as kept (corp_id, list, time, status, day, rows)
    select ${corp_id}, 'orders', time, status, day, n from (${deltasBetween('before', 'after')}) deltas
    on conflict (corp_id, list, time, status, day) do update set rows = kept.rows + excluded.rows`)
}

/** The same for the sub-orders of these orders; the texts of those that are gone go with them. */
export async function storeFinancialDocuments(
  tx: Queryable,
  { corp_id, time_zone }: Zoned,
  orderIds: string[],
  documents: FinancialDocument[],
): Promise<void> {
  const ids = documents.map(({ sub_order_id }) => sub_order_id)
  await tx.query(sql`
    with before as (
      select sub_order_id, status, ctime_day, mtime_day
        from financial_documents where corp_id = ${corp_id} and order_id = any(${orderIds})),
    after as (
      select s.sub_order_id, s.order_id, s.status, (s.ctime at time zone ${time_zone}::text)::date as ctime_day,
             (s.mtime at time zone ${time_zone}::text)::date as mtime_day, text.row_start, text.used_slots
        from unnest(${ids}::text[], ${documents.map(({ row_start }) => row_start)}::text[],
                    ${documents.map(({ used_slots }) => used_slots)}::smallint[]) as text(sub_order_id, row_start, used_slots)
        join sub_orders s on s.corp_id = ${corp_id} and s.sub_order_id = text.sub_order_id),
    gone as (
      delete from financial_documents
       where corp_id = ${corp_id} and order_id = any(${orderIds}) and sub_order_id <> all(${ids})),
    stored as (
      insert into financial_documents (corp_id, sub_order_id, order_id, row_start, used_slots, status, ctime_day, mtime_day)
      select ${corp_id}, sub_order_id, order_id, row_start, used_slots, status, ctime_day, mtime_day from after
      on conflict (corp_id, sub_order_id) do update
         set row_start = excluded.row_start, used_slots = excluded.used_slots, status = excluded.status,
             ctime_day = excluded.ctime_day, mtime_day = excluded.mtime_day)
    insert into list_counts as kept (corp_id, list, time, status, day, rows)
    select ${corp_id}, 'sub_orders', time, status, day, n from (${deltasBetween('before', 'after')}) deltas
    on conflict (corp_id, list, time, status, day) do update set rows = kept.rows + excluded.rows`)
}

/** The ids of the next orders after one, for work through all of them. */
export async function orderIdsAfter(
  on: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await on.query<{ order_id: string }>(sql`
    select order_id from orders where corp_id = ${corp_id} and order_id > ${after} order by order_id limit ${limit}`)
  return rows.map(({ order_id }) => order_id)
}

export async function clearDerivations(tx: Queryable, corp_id: string): Promise<void> {
  await tx.query(sql`delete from list_counts where corp_id = ${corp_id}`)
  await tx.query(sql`delete from order_documents where corp_id = ${corp_id}`)
  await tx.query(sql`delete from financial_documents where corp_id = ${corp_id}`)
}

/** One text for all that is kept, so that two states can be compared: empty counts are as good as none. */
export async function derivationDigest(on: Queryable, corp_id: string): Promise<string> {
  const [row] = await on.query<{ digest: string }>(sql`
    select md5(concat(
      (select string_agg(md5(concat_ws('|', order_id, detail, list_row, status, ctime_day, mtime_day)), ',' order by order_id)
         from order_documents where corp_id = ${corp_id}),
      (select string_agg(md5(concat_ws('|', sub_order_id, order_id, row_start, used_slots, status, ctime_day, mtime_day)), ','
                         order by sub_order_id)
         from financial_documents where corp_id = ${corp_id}),
      (select string_agg(concat_ws('|', list, time, status, day, rows), ',' order by list, time, status, day)
         from list_counts where corp_id = ${corp_id} and rows <> 0))) as digest`)
  return row!.digest
}
