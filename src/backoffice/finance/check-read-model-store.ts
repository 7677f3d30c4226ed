import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { among, breachColumns, breachesOf, type Check, type Rule } from './check-store.ts'

/** A stored or expected row of the read model. */
export interface StoredRow {
  order_id: string
  /** The sub-order of a financial row. */
  subject: string | null
  what: string
  text: string
}

export async function storedRowsOf(tx: Queryable, corp_id: string, orderIds: string[]): Promise<StoredRow[]> {
  return tx.query<StoredRow>(sql`
    select d.order_id, null as subject, 'order_read_model.' || stored.what as what, stored.text
      from order_read_model d cross join lateral (values ('detail', d.detail), ('list_row', d.list_row), ('facets', d.facets)) stored(what, text)
     where d.corp_id = ${corp_id} and d.order_id = any(${orderIds})
    union all
    select f.order_id, f.sub_order_id, 'financial_read_model.row_start', concat_ws(' ', f.used_slots, f.unpaid_price, f.row_start)
      from financial_read_model f
     where f.corp_id = ${corp_id} and f.order_id = any(${orderIds})`)
}

const zone = (corp_id: string): Statement =>
  sql`(select z.time_zone from organizations z where z.corp_id = ${corp_id})`

/** Rules for the columns that rows are counted by. `d` is the row of the read model, and `r` its record. */
function keyRules(table: string, owner: string, corp_id: string, columns: string[]): Rule[] {
  const day = (time: string) => sql`(${raw(`r.${time}`)} at time zone ${zone(corp_id)})::date`
  return [
    ...columns.map((name): Rule => [`${table}.${name}: the ${owner}’s`, `r.${name}`, `d.${name}`]),
    [`${table}.ctime_day: the ${owner}’s`, day('ctime'), 'd.ctime_day'],
    [`${table}.mtime_day: the ${owner}’s`, day('mtime'), 'd.mtime_day'],
  ]
}

/** A row without its record fails every rule. */
const checkOrderRows: Check = (corp_id, orders) => sql`
  select d.order_id, null::text as subject, ${breachColumns}
    from order_read_model d
    left join orders r on r.corp_id = ${corp_id} and r.order_id = d.order_id
    ${breachesOf(keyRules('order_read_model', 'order', corp_id, ['status', 'is_deleted']))}
   where d.corp_id = ${corp_id} ${among('d.order_id', orders)}`

const checkSubOrderRows: Check = (corp_id, orders) => sql`
  select d.order_id, d.sub_order_id as subject, ${breachColumns}
    from financial_read_model d
    left join sub_orders r on r.corp_id = ${corp_id} and r.sub_order_id = d.sub_order_id
    ${breachesOf(keyRules('financial_read_model', 'sub-order', corp_id, ['order_id', 'status']))}
   where d.corp_id = ${corp_id} ${among('d.order_id', orders)}`

/**
 * Both lists have counts by both times, for each status and for '' (all), by day and by month. A count of 0 equals a
 * missing count. The check counts the visible records again.
 */
const checkCounts: Check = (corp_id) => sql`
  select null::text as order_id, concat_ws(' ', list, time, nullif(status, ''), span, day) as subject,
         'list_counts: number of rows' as what, coalesce(counted.rows, 0)::text as expected, coalesce(stored.rows, 0)::text as found
    from (select record.list, kind.time, under.status, spanned.span, spanned.day, count(*) as rows
            from (select 'orders' as list, o.status, o.ctime, o.mtime
                    from orders o where o.corp_id = ${corp_id} and not o.is_deleted
                  union all
                  select 'sub_orders', s.status, s.ctime, s.mtime
                    from sub_orders s where s.corp_id = ${corp_id}) record
           cross join ${zone(corp_id)} zone(name)
           cross join lateral (values ('ctime', (record.ctime at time zone zone.name)::date),
                                      ('mtime', (record.mtime at time zone zone.name)::date)) kind(time, day)
           cross join lateral (values (record.status), ('')) under(status)
           cross join lateral (values ('day', kind.day), ('month', date_trunc('month', kind.day)::date)) spanned(span, day)
           group by 1, 2, 3, 4, 5) counted
    full join (select c.list, c.time, c.status, c.span, c.day, c.rows
                 from list_counts c where c.corp_id = ${corp_id} and c.rows <> 0) stored
   using (list, time, status, span, day)
   where counted.rows is distinct from stored.rows`

/** Every facet of an order has exactly one entry, and there are no other entries. */
const checkFacetEntries: Check = (corp_id) => sql`
  select coalesce(wanted.order_id, found.id) as order_id, coalesce(wanted.facet, found.facet) as subject,
         'facet_entries: what the order is found by' as what,
         case when wanted.order_id is null then 'none' else 'one' end as expected,
         case when found.id is null then 'none' else 'one' end as found
    from (select d.order_id, facet.facet, date_trunc('milliseconds', o.ctime) as time
            from order_read_model d
            join orders o on o.corp_id = ${corp_id} and o.order_id = d.order_id
            cross join lateral jsonb_array_elements_text(d.facets::jsonb) as facet (facet)
           where d.corp_id = ${corp_id}) wanted
    full join (select f.id, f.facet, f.time from facet_entries f where f.corp_id = ${corp_id} and f.list = 'orders') found
      on found.id = wanted.order_id and found.facet = wanted.facet and found.time = wanted.time
   where wanted.order_id is null or found.id is null`

/** Checks of the keys of the read model. check-read-model compares the rendered rows. */
export const readModelChecks: Check[] = [checkOrderRows, checkSubOrderRows]

/** Checks of counts and facets, which concern all orders together. */
export const countChecks: Check[] = [checkCounts, checkFacetEntries]
