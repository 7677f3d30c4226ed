import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** The orders with a coupon in a currency, and the sum of its discounts. Canceled and expired orders use none. */
interface CouponUse {
  coupon_id: string
  currency: string
  uses: number
  price: number
}

export async function findCouponUses(
  on: Queryable,
  corp_id: string,
  coupon_ids: string[],
): Promise<CouponUse[]> {
  if (coupon_ids.length === 0) return []
  return on.query<CouponUse>(sql`
    select line->>'coupon_id' as coupon_id, o.currency, count(*)::integer as uses,
           sum((line->>'price')::bigint)::bigint as price
      from orders o
      cross join lateral jsonb_array_elements(o.coupon_lines) line
     where o.corp_id = ${corp_id} and o.coupon_ids <> '{}' and o.coupon_ids && ${coupon_ids}::text[]
       and line->>'coupon_id' = any(${coupon_ids}::text[])
       and not o.is_deleted and o.status not in ('canceled', 'expired')
     group by line->>'coupon_id', o.currency
     order by 1, 2`)
}
