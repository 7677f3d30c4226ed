import { sql } from '../../database/sql.ts'
import { breachColumns, breachesOf, type Check } from './check-store.ts'

/**
 * The orders with a coupon are at most its uses, and their discounts at most its budget. An order that was expired or undone
 * had given its use back, and may have it again in addition: money that has arrived is not refused.
 */
const checkCoupons: Check = (corp_id) => sql`
  select null::text as order_id, c.coupon_id as subject, ${breachColumns}
    from coupons c
    cross join lateral (
      select count(*) as uses,
             coalesce(sum((line->>'price')::bigint) filter (where o.currency = c.budget_currency), 0) as price
        from orders o
        cross join lateral jsonb_array_elements(o.coupon_lines) line
       where o.corp_id = ${corp_id} and o.coupon_ids <> '{}' and line->>'coupon_id' = c.coupon_id
         and not o.is_deleted and o.status not in ('canceled', 'expired')
         and not exists (select from order_versions v
                          where v.corp_id = ${corp_id} and v.order_id = o.order_id
                            and (v.from_status = 'expired' or v.change = 'undone'))) used
    ${breachesOf([
      ['coupon: at most its uses', 'least(used.uses, c.max_uses)', 'used.uses'],
      ['coupon: at most its budget', 'least(used.price, c.budget_price)', 'used.price'],
    ])}
   where c.corp_id = ${corp_id}`

/** An order has only coupons of its school. */
const checkCouponsOfOrders: Check = (corp_id) => sql`
  select o.order_id, line->>'coupon_id' as subject, ${breachColumns}
    from orders o
    cross join lateral jsonb_array_elements(o.coupon_lines) line
    left join coupons c on c.corp_id = ${corp_id} and c.coupon_id = line->>'coupon_id'
    ${breachesOf([['coupon_lines: coupons of the school', "line->>'coupon_id'", 'c.coupon_id']])}
   where o.corp_id = ${corp_id} and o.coupon_ids <> '{}'`

/** Checks of coupons against the orders that have them. */
export const couponChecks: Check[] = [checkCoupons, checkCouponsOfOrders]
