import type { Queryable } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'
import { openLines, type Scope } from './pairing-store.ts'

/** A line, and the next instalment of an order whose person or payer the line names. */
export interface DueInstalment {
  line_id: string
  order_id: string
  sub_order_id: string
  user_name: string | null
}

/** Maximum number of instalments of one amount that are compared with a line, so that a page stays fast. */
const mostOfAnAmount = 2000

/** Instalments of the amount of a line, earliest deadline first. */
export async function findDueInstalments(on: Queryable, scope: Scope): Promise<DueInstalment[]> {
  const { corp_id } = scope
  return on.query<DueInstalment>(sql`
    with wanted as materialized (
      select l.line_id, l.currency, l.price,
             lower(normalize(concat_ws(' ', l.payer, l.reference, l.description), nfkc)) as text
        from (${openLines(scope)}) l),
    owed as materialized (
      select f.order_id, f.sub_order_id, f.unpaid_price, s.currency, s.payment_deadline,
             nullif(coalesce(u.name, concat_ws(' ', u.first_name, u.last_name)), '') as user_name,
             array(select y.name from payers y
                    where y.corp_id = ${corp_id}
                      and (y.user_id = o.user_id
                           or y.payer_id in (select p.payer_id from payments p
                                              where p.corp_id = ${corp_id} and p.order_id = o.order_id))) as payers
        from (select distinct w.price from wanted w) w
        cross join lateral (
          select f.order_id, f.sub_order_id, f.unpaid_price from financial_read_model f
           where f.corp_id = ${corp_id} and f.unpaid_price = w.price and f.unpaid_price > 0
           limit ${mostOfAnAmount}) f
        join sub_orders s on s.corp_id = ${corp_id} and s.sub_order_id = f.sub_order_id
        join orders o on o.corp_id = ${corp_id} and o.order_id = f.order_id
        join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
       where not exists (
         select from sub_orders e
           join financial_read_model ef on ef.corp_id = ${corp_id} and ef.sub_order_id = e.sub_order_id
          where e.corp_id = ${corp_id} and e.order_id = f.order_id and e.seq < s.seq and ef.unpaid_price > 0))
    select w.line_id, o.order_id, o.sub_order_id, o.user_name
      from wanted w
      join owed o on o.unpaid_price = w.price and o.currency = w.currency
     where exists (select from unnest(o.payers || o.user_name) as named(name)
                    where length(named.name) > 1 and strpos(w.text, lower(normalize(named.name, nfkc))) > 0)
     order by w.line_id, o.payment_deadline nulls last, o.sub_order_id`)
}
