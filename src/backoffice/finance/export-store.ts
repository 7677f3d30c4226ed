import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import type { LedgerSubOrder } from '../../orders/listing/financial-row.ts'
import { copiedColumns, financialColumns } from '../../orders/listing/financial-store.ts'
import type { OrderFilter } from '../../orders/listing/order-filter.ts'
import { moneyOf } from '../../orders/listing/order-store.ts'

interface RowPlace {
  order_id: string
  version: number
  sub_order_id: string
  total: number
}

const batchSize = 500

/**
 * Sub-orders as of an instant, from the version of their order and the facts up to then. The cursor sorts only keys; the
 * rows are read in batches.
 */
export async function* readRowsAsOf(
  tx: Queryable,
  filter: OrderFilter,
  asOf: string,
  timeZone: string,
): AsyncGenerator<{ total: number; subOrders: LedgerSubOrder[] }> {
  await tx.query(sql`declare financial_rows no scroll cursor for ${placesOf(filter, asOf)}`)
  for (;;) {
    const places = await tx.query<RowPlace>(sql`fetch forward ${raw(String(batchSize))} from financial_rows`)
    if (places.length > 0) {
      yield {
        total: places[0]!.total,
        subOrders: await readPlaces(tx, filter.corp_id, places, asOf, timeZone),
      }
    }
    if (places.length < batchSize) return
  }
}

function placesOf(filter: OrderFilter, asOf: string): Statement {
  const time = raw(`s.${filter.timeColumn}`)
  return sql`
    select v.order_id, v.version, s.sub_order_id, count(*) over () as total
      from orders o
      cross join lateral (
        select v.order_id, v.version, v.record
          from order_versions v
         where v.corp_id = ${filter.corp_id} and v.order_id = o.order_id and v.at <= ${asOf}::timestamptz
         order by v.version desc limit 1) v
      cross join lateral jsonb_to_recordset(v.record->'sub_orders')
        as s(sub_order_id text, status text, ctime timestamptz, mtime timestamptz)
     where o.corp_id = ${filter.corp_id}
           ${filter.status === undefined ? raw('') : sql`and s.status = ${filter.status}`}
           ${filter.from === undefined ? raw('') : sql`and ${time} >= ${filter.from}`}
           ${filter.until === undefined ? raw('') : sql`and ${time} < ${filter.until}`}
     order by ${time}, s.sub_order_id`
}

async function readPlaces(
  tx: Queryable,
  corp_id: string,
  places: RowPlace[],
  asOf: string,
  timeZone: string,
): Promise<LedgerSubOrder[]> {
  const numbered = places.map(({ total: _, ...place }, position) => ({ ...place, position }))
  return tx.query<LedgerSubOrder>(sql`
    select ${financialColumns(timeZone, { asOf, corp_id })}, ${copiedColumns}
      from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb)
           as place(position integer, order_id text, version integer, sub_order_id text)
      join order_versions v on v.corp_id = ${corp_id} and v.order_id = place.order_id and v.version = place.version
      join orders copied on copied.corp_id = ${corp_id} and copied.order_id = place.order_id
      cross join lateral jsonb_to_record(v.record->'order' || jsonb_build_object('user_copy', copied.user_copy))
        as o(user_id text, currency text, exchange_rate bigint, user_copy jsonb, course_copy jsonb)
      join lateral jsonb_to_recordset(v.record->'sub_orders')
        as s(corp_id text, sub_order_id text, order_id text, type text, status text, currency text,
             total_price bigint, payment_deadline timestamptz, completed_time timestamptz, ctime timestamptz,
             mtime timestamptz)
        on s.sub_order_id = place.sub_order_id
      ${moneyOf({ asOf, corp_id })}
     where v.corp_id = ${corp_id}
     order by place.position`)
}
