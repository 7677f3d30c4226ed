import { newId } from '../../contract/new-id.ts'
import type { OrderStatus } from '../../contract/order-statuses.ts'
import type { Queryable } from '../../database/database.ts'
import { notByCopy } from '../../database/insert-rows.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { facetDerivation } from '../../search/facet-store.ts'
import { orderFacets, userFacet } from './user-facets.ts'

/** Updates the order facets of the users of these orders. */
export function notingUsersOfOrders(corp_id: string, orderIds: string[]): Statement {
  return notingOrders(
    corp_id,
    sql`
      select distinct u.user_id, u.ctime
        from orders o join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
       where o.corp_id = ${corp_id} and o.order_id = any(${orderIds}::text[])`,
  )
}

/** Updates the order facets of these users. */
export async function noteOrdersOfUsers(tx: Queryable, corp_id: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  await tx.query(
    notingOrders(
      corp_id,
      sql`
        select u.user_id, u.ctime from users u where u.corp_id = ${corp_id} and u.user_id = any(${userIds}::text[])`,
    ),
  )
}

export async function findUsersOfOrders(
  on: Queryable,
  corp_id: string,
  orderIds: string[],
): Promise<string[]> {
  const rows = await on.query<{ user_id: string }>(sql`
    select distinct user_id from orders where corp_id = ${corp_id} and order_id = any(${orderIds}::text[])`)
  return rows.map(({ user_id }) => user_id)
}

/** The statuses of the orders of users. */
export async function findOrderStates(
  on: Queryable,
  corp_id: string,
  userIds: string[],
): Promise<{ user_id: string; status: OrderStatus }[]> {
  return on.query(sql`
    select distinct user_id, status from orders
     where corp_id = ${corp_id} and user_id = any(${userIds}::text[]) and not is_deleted`)
}

/** Derives the entries from orders in one statement. The caller holds the ledger clock, so that no other writer interferes. */
function notingOrders(corp_id: string, people: Statement): Statement {
  return sql`
    with people as materialized (${people}),
         wanted as materialized (
           select distinct p.user_id, p.ctime, 'order:' || o.status as facet
             from people p join orders o on o.corp_id = ${corp_id} and o.user_id = p.user_id and not o.is_deleted
           union all
           select p.user_id, p.ctime, ${userFacet.order('none')}
             from people p
            where not exists (select from orders o
                               where o.corp_id = ${corp_id} and o.user_id = p.user_id and not o.is_deleted)),
         removed as (
           delete from facet_entries f
            using people p
            where f.corp_id = ${corp_id} and f.list = 'users' and f.facet = any(${orderFacets}::text[])
              and f.time = p.ctime and f.id = p.user_id
              and (f.id, f.facet) not in (select w.user_id, w.facet from wanted w)
           returning f.facet, f.time, f.id, -1 as change),
         added as (
           insert into facet_entries (corp_id, list, facet, time, id, deriver)
           select ${corp_id}, 'users', w.facet, w.ctime, w.user_id, ${raw(String(facetDerivation))} from wanted w
           on conflict (corp_id, list, facet, time, id) do nothing
           returning facet, time, id, 1 as change)
    insert into facet_counts (corp_id, list, facet, day, part, rows, touched_times, touched_ids)
    select ${corp_id}, 'users', c.facet, (c.time at time zone 'UTC')::date, ${newId()}, sum(c.change),
           array_agg(c.time order by c.id), array_agg(c.id order by c.id)
      from (select facet, time, id, change from removed union all select facet, time, id, change from added) c
     group by c.facet, (c.time at time zone 'UTC')::date
    ${notByCopy}`
}
