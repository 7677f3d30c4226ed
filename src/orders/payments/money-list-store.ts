import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { timestamp } from '../../database/sql-time.ts'
import { receiptNumber } from '../ledger/receipt-store.ts'
import type { PaymentState } from './payment-states.ts'

/** Records that a list is asked for by. */
export interface NamedRecords {
  corp_id: string
  user_id?: string
  order_id?: string
}

/** What is asked of a list: whose, of when, and which page. */
export interface MoneyFilter extends NamedRecords {
  method?: string
  provider?: string
  from?: Date
  until?: Date
  page: number
  page_size: number
  /** Whether the newest come first. */
  isDescending?: boolean
  timeZone: string
}

/** Facts of money `f` that a list is asked for, by the time they were completed; `o` is the order they were told for. */
interface MoneyList {
  table: string
  key: string
  /** The ids of the only facts that are asked for, or of those that are not: few, whichever. */
  among?: Statement
  without?: Statement
}

/** Orders are looked into for their users alone, so that facts are counted along the index of their times. */
function factsFrom({ table }: MoneyList, filter: MoneyFilter): Statement {
  const { corp_id, from, until, method, provider, user_id, order_id } = filter
  const only = (column: string, value: string | undefined) =>
    value === undefined ? raw('') : sql`and ${raw(column)} = ${value}`
  const orders = sql`join orders o on o.corp_id = ${corp_id} and o.order_id = f.order_id and o.user_id = ${user_id ?? ''}`
  return sql`
      from ${raw(table)} f
      ${user_id === undefined ? raw('') : orders}
     where f.corp_id = ${corp_id} ${only('f.method', method)} ${only('f.provider', provider)}
           ${only('f.order_id', order_id)}
           ${from === undefined ? raw('') : sql`and f.completed_time >= ${from}`}
           ${until === undefined ? raw('') : sql`and f.completed_time < ${until}`}`
}

/** Which of the records that a filter names do not exist. */
export async function findMissing(
  on: Queryable,
  { corp_id, user_id, order_id }: NamedRecords,
): Promise<'user' | 'order' | undefined> {
  const [row] = await on.query<{ is_user: boolean; is_order: boolean }>(sql`
    select exists (select from users u where u.corp_id = ${corp_id} and u.user_id = ${user_id ?? ''}) as is_user,
           exists (select from orders o where o.corp_id = ${corp_id} and o.order_id = ${order_id ?? ''}) as is_order`)
  if (user_id !== undefined && !row!.is_user) return 'user'
  return order_id !== undefined && !row!.is_order ? 'order' : undefined
}

/** The page is found first, and what its rows show is read for them alone. */
async function pageOf<Row extends object>(
  on: Queryable,
  list: MoneyList,
  filter: MoneyFilter,
  columns: Statement,
  joined: Statement = raw(''),
): Promise<{ total: number; list: Row[] }> {
  const { corp_id, page, page_size } = filter
  const { among, without } = list
  const key = raw(list.key)
  const direction = raw(filter.isDescending ? 'desc' : 'asc')
  const facts = factsFrom(list, filter)
  const inside = among ? sql`and f.${key} in (${among})` : raw('')
  const outside = without ? sql`and f.${key} not in (${without})` : raw('')
  const less = without ? sql`- (select count(*) ${facts} and f.${key} in (${without}))` : raw('')
  const [[counted], rows] = await on.pipeline<[{ total: number }, Row]>([
    sql`select (select count(*) ${facts} ${inside}) ${less} as total`,
    sql`
      select ${columns}
        from (select f.${key}, f.completed_time ${facts} ${inside} ${outside}
               order by f.completed_time ${direction}, f.${key} ${direction} limit ${page_size} offset ${page * page_size}) place
        join ${raw(list.table)} f on f.corp_id = ${corp_id} and f.${key} = place.${key}
        join orders o on o.corp_id = ${corp_id} and o.order_id = f.order_id
        ${joined}
       order by place.completed_time ${direction}, place.${key} ${direction}`,
  ])
  return { total: counted!.total, list: rows }
}

const voided = (corp_id: string) => sql`
  exists (select from payment_voids v where v.corp_id = ${corp_id} and v.payment_id = f.payment_id)`

const applied = (corp_id: string) => sql`
  coalesce((select sum(a.price) from payment_allocations a where a.corp_id = ${corp_id} and a.payment_id = f.payment_id), 0)`

/** Of a payment that lies on no order: whether nothing of it is left. */
const goneBack = (corp_id: string) => sql`
  (f.order_price > 0
   and f.order_price <= (select sum(r.price) from refunds r where r.corp_id = ${corp_id} and r.payment_id = f.payment_id))`

/** The rule of a payment's state. */
const stateOf = (corp_id: string) => sql`
  case when ${voided(corp_id)} then 'void' when ${applied(corp_id)} > 0 then 'applied'
       when ${goneBack(corp_id)} then 'refunded' else 'unapplied' end`

/**
 * Payments that may be unapplied, which are few: no order took them when they came, they count for nothing, or a line of
 * them was taken back. Each is found by an index of its own.
 */
const waiting = raw('(f.unapplied_reason is not null or f.order_price = 0)')
const takenBack = (corp_id: string) => sql`
  select a.payment_id from payment_allocations a where a.corp_id = ${corp_id} and a.price < 0`

/** The payments in a state, by few in any case: what is applied is whatever is neither void nor on no order. */
function inState(corp_id: string, state: PaymentState | undefined): Pick<MoneyList, 'among' | 'without'> {
  const ofVoids = sql`select v.payment_id from payment_voids v where v.corp_id = ${corp_id}`
  const onNoOrder = sql`
    select f.payment_id
      from (select f.payment_id, f.order_price from payments f where f.corp_id = ${corp_id} and ${waiting}
            union
            select p.payment_id, p.order_price from payments p
             where p.corp_id = ${corp_id} and p.payment_id in (${takenBack(corp_id)})) f
     where not ${voided(corp_id)} and ${applied(corp_id)} <= 0`
  if (state === undefined) return {}
  if (state === 'void') return { among: ofVoids }
  if (state === 'applied') return { without: sql`${ofVoids} union all ${onNoOrder}` }
  const isBack = goneBack(corp_id)
  return {
    among:
      state === 'refunded'
        ? sql`${onNoOrder} and ${isBack}`
        : sql`${onNoOrder} and not coalesce(${isBack}, false)`,
  }
}

/** The closed period that a fact belongs to, though it was posted after it. */
const closedPeriod = (corp_id: string) => sql`
  coalesce((select min(c.until) from closings c
             where c.corp_id = ${corp_id} and c.as_of >= f.completed_time and c.as_of < f.ctime)::text, '') as closed_period`

export function findPaymentPage<Row extends object>(
  on: Queryable,
  filter: MoneyFilter & { state?: PaymentState },
): Promise<{ total: number; list: Row[] }> {
  const { corp_id, state, timeZone } = filter
  return pageOf<Row>(
    on,
    { table: 'payments', key: 'payment_id', ...inState(corp_id, state) },
    filter,
    sql`
      f.payment_id, f.order_id, coalesce(f.sub_order_id, '') as sub_order_id, o.user_id, ${stateOf(corp_id)} as state,
      f.price, f.currency, f.exchange_rate, f.rate, f.order_price, o.currency as order_currency,
      case when ${voided(corp_id)} then 0
           else f.order_price - ${applied(corp_id)} - back.price + back.applied end::bigint as unapplied_price,
      back.price as refund_price, f.source, f.provider, coalesce(f.method, '') as method,
      coalesce(f.charge_id, '') as charge_id, coalesce(f.receipt_num, (
        select ${receiptNumber} from receipts r where r.corp_id = ${corp_id} and r.payment_id = f.payment_id)) as receipt_num,
      coalesce(f.comments, '') as comments,
      coalesce(f.unapplied_reason, '') as unapplied_reason,
      coalesce((select v.reason from payment_voids v
                 where v.corp_id = ${corp_id} and v.payment_id = f.payment_id), '') as void_reason,
      coalesce(f.executor_id, '') as executor_id, ${timestamp('f.completed_time', timeZone)} as completed_time,
      ${timestamp('f.ctime', timeZone)} as ctime, ${closedPeriod(corp_id)},
      coalesce((select json_agg(json_build_object('sub_order_id', line.sub_order_id, 'price', line.price)
                                order by line.place, line.sub_order_id)
                  from (select a.sub_order_id, min(a.line) as place, sum(a.price) as price from payment_allocations a
                         where a.corp_id = ${corp_id} and a.payment_id = f.payment_id
                         group by a.sub_order_id having sum(a.price) <> 0) line), '[]') as allocations`,
    sql`
      cross join lateral (
        select coalesce(sum(r.price), 0)::bigint as price,
               coalesce(sum((select sum(b.price) from refund_allocations b
                              where b.corp_id = ${corp_id} and b.refund_id = r.refund_id)), 0)::bigint as applied
          from refunds r where r.corp_id = ${corp_id} and r.payment_id = f.payment_id) back`,
  )
}

export function findRefundPage<Row extends object>(
  on: Queryable,
  filter: MoneyFilter,
): Promise<{ total: number; list: Row[] }> {
  const { corp_id, timeZone } = filter
  return pageOf<Row>(
    on,
    { table: 'refunds', key: 'refund_id' },
    filter,
    sql`
      f.refund_id, f.order_id, coalesce(f.sub_order_id, '') as sub_order_id, coalesce(f.payment_id, '') as payment_id,
      o.user_id, f.price, o.currency as order_currency, f.returned_price, f.currency, f.exchange_rate, f.rate, f.provider,
      coalesce(f.method, '') as method, coalesce(f.charge_id, '') as charge_id, coalesce(f.reason, '') as reason,
      coalesce(f.executor_id, '') as executor_id, ${timestamp('f.completed_time', timeZone)} as completed_time,
      ${timestamp('f.ctime', timeZone)} as ctime, ${closedPeriod(corp_id)},
      coalesce((select json_agg(json_build_object('sub_order_id', b.sub_order_id, 'price', b.price,
                                                  'surplus_price', b.surplus_price) order by b.line)
                  from refund_allocations b
                 where b.corp_id = ${corp_id} and b.refund_id = f.refund_id), '[]') as allocations`,
  )
}
