import { sql } from '../../../database/sql.ts'
import { joinBalance } from '../../../orders/ledger/balance-store.ts'
import type { Check } from '../check-store.ts'

/**
 * Per payer and currency: received less voided, refunded and moved equals allocated plus unallocated.
 */
const checkPayerSums: Check = (corp_id) => sql`
  select null::text as order_id, 'payer ' || sums.payer_id || ' in ' || sums.currency as subject,
         'payer: received less voided, refunded and moved is allocated and unallocated' as what,
         sums.held::text as expected, (sums.allocated + sums.unallocated)::text as found
    from (
      select entry.payer_id, entry.currency, sum(entry.price) as held, sum(entry.allocated) as allocated,
             sum(entry.unallocated) as unallocated
        from (
          select p.payer_id, o.currency, p.order_price as price, 0 as allocated, 0 as unallocated
            from payments p join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
           where p.corp_id = ${corp_id} and p.payer_id is not null
          union all
          select p.payer_id, o.currency, -v.price, 0, 0
            from payment_voids v join payments p on p.corp_id = ${corp_id} and p.payment_id = v.payment_id
            join orders o on o.corp_id = ${corp_id} and o.order_id = v.order_id
           where v.corp_id = ${corp_id} and p.payer_id is not null
          union all
          select p.payer_id, o.currency, -m.price, 0, 0
            from payment_moves m join payments p on p.corp_id = ${corp_id} and p.payment_id = m.payment_id
            join orders o on o.corp_id = ${corp_id} and o.order_id = m.order_id
           where m.corp_id = ${corp_id} and p.payer_id is not null
          union all
          select p.payer_id, o.currency, -b.price, case when b.sub_order_id = '' then 0 else -b.price end, 0
            from refund_allocations b join payments p on p.corp_id = ${corp_id} and p.payment_id = b.payment_id
            join orders o on o.corp_id = ${corp_id} and o.order_id = b.order_id
           where b.corp_id = ${corp_id} and p.payer_id is not null
          union all
          select p.payer_id, o.currency, 0, a.price, 0
            from payment_allocations a join payments p on p.corp_id = ${corp_id} and p.payment_id = a.payment_id
            join orders o on o.corp_id = ${corp_id} and o.order_id = a.order_id
           where a.corp_id = ${corp_id} and p.payer_id is not null
          union all
          select f.payer_id, o.currency, 0, 0, greatest(0, balance.held - balance.applied)
            from payments f join orders o on o.corp_id = ${corp_id} and o.order_id = f.order_id
            ${joinBalance({ corp_id })}
           where f.corp_id = ${corp_id} and f.payer_id is not null) entry
       group by entry.payer_id, entry.currency) sums
   where sums.held <> sums.allocated + sums.unallocated`

/** Money on the account of a payer has a payer, so that somebody can be asked about it. */
const checkAccountPayers: Check = (corp_id) => sql`
  select p.order_id, p.payment_id as subject, 'payer: money on an account has one' as what, 'a payer' as expected,
         'none' as found
    from payments p join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
   where p.corp_id = ${corp_id} and o.type = 'account' and p.payer_id is null`

/** A cash-up counts every line, and gives a reason for each difference. */
const checkCashUps: Check = (corp_id) => sql`
  select null::text as order_id, 'cash-up ' || l.cash_up_id || ' ' || l.method as subject,
         'cash-up: a difference has a reason' as what, 'a reason' as expected, 'none' as found
    from cash_up_lines l
   where l.corp_id = ${corp_id} and l.counted_price <> l.taken_price - l.returned_price and l.reason is null`

/** Checks of payers and cash-ups. */
export const payerChecks: Check[] = [checkPayerSums, checkAccountPayers, checkCashUps]
