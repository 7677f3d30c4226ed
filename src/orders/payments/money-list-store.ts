import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql, timestamp, timestampOrEmpty } from '../../database/sql.ts'
import { joinBalance, paymentState } from '../ledger/balance-store.ts'
import { receiptNumber } from '../ledger/receipt-store.ts'
import type { PaymentState } from '../rules/payment-balance.ts'
import { refundLinesOf } from './refund-store.ts'

/** The records that a filter names. */
export interface NamedRecords {
  corp_id: string
  user_id?: string
  order_id?: string
}

/** The filter and page of a list. */
export interface MoneyFilter extends NamedRecords {
  method?: string
  provider?: string
  /** Of payments only. */
  payer_id?: string
  from?: Date
  until?: Date
  page: number
  page_size: number
  /** Whether the newest comes first. */
  isDescending?: boolean
  timeZone: string
}

/** A list of payments or refunds `f`, sorted by completed_time. */
interface MoneyList {
  table: string
  key: string
  /** The ids to include, or to exclude: the smaller of both sets. */
  among?: Statement
  without?: Statement
}

function factsFrom({ table }: MoneyList, filter: MoneyFilter): Statement {
  const { corp_id, from, until, method, provider, payer_id, user_id, order_id } = filter
  const only = (column: string, value: string | undefined) =>
    value === undefined ? raw('') : sql`and ${raw(column)} = ${value}`
  const isPayment = table === 'payments'
  return sql`
      from ${raw(table)} f
     where f.corp_id = ${corp_id} ${only('f.method', method)} ${only('f.provider', provider)}
           ${only('f.payer_id', payer_id)}
           ${order_id === undefined ? raw('') : sql`and ${ofOrders(corp_id, sql`o.order_id = ${order_id}`, isPayment)}`}
           ${user_id === undefined ? raw('') : sql`and ${ofOrders(corp_id, sql`o.user_id = ${user_id}`, isPayment)}`}
           ${from === undefined ? raw('') : sql`and f.completed_time >= ${from}`}
           ${until === undefined ? raw('') : sql`and f.completed_time < ${until}`}`
}

/** Whether a fact `f` was reported for one of these orders, or a payment has money on one: lists follow the money. */
function ofOrders(corp_id: string, which: Statement, isPayment: boolean): Statement {
  const orders = sql`select o.order_id from orders o where o.corp_id = ${corp_id} and ${which}`
  const reported = sql`f.order_id in (${orders})`
  if (!isPayment) return reported
  return sql`
    (${reported} or f.payment_id in (
       select a.payment_id from payment_allocations a
        where a.corp_id = ${corp_id} and a.order_id in (${orders})
        group by a.payment_id, a.order_id having sum(a.price) <> 0))`
}

/** The named record that does not exist. */
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

/** Finds the page first, then reads the columns of its rows only. */
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

/**
 * Payments that may not be applied, which are few: no order took them, they count for nothing, a line was reversed, or
 * they were refunded. Each of them is found by an index.
 */
function inState(corp_id: string, state: PaymentState | undefined): Pick<MoneyList, 'among' | 'without'> {
  if (state === undefined) return {}
  const others = sql`
    select f.payment_id
      from (select f.payment_id, f.order_price from payments f
             where f.corp_id = ${corp_id} and (f.unapplied_reason is not null or f.order_price = 0)
            union
            select p.payment_id, p.order_price from payments p
             where p.corp_id = ${corp_id}
               and p.payment_id in (select a.payment_id from payment_allocations a where a.corp_id = ${corp_id} and a.price < 0
                                    union select b.payment_id from refund_allocations b where b.corp_id = ${corp_id})) f
      ${joinBalance({ corp_id })}`
  if (state === 'applied') return { without: sql`${others} where ${paymentState} <> 'applied'` }
  return { among: sql`${others} where ${paymentState} = ${state}` }
}

/** The name of a user `u`; "" if there is none. */
const userName = raw(`coalesce(nullif(u.name, ''), trim(concat_ws(' ', u.first_name, u.last_name)), '')`)

/** The closed period that the value date of a fact `f` belongs to, if a fact was posted later. Reversed closings do not count. */
const closedPeriodBefore = (corp_id: string, posted: string) => sql`
  coalesce((select min(c.until) from closings c
             where c.corp_id = ${corp_id} and c.as_of >= f.completed_time and c.as_of < ${raw(posted)}
               and not exists (select from closing_reversals v
                                where v.corp_id = ${corp_id} and v.closing_number = c.number))::text, '')`

const closedPeriod = (corp_id: string) => sql`${closedPeriodBefore(corp_id, 'f.ctime')} as closed_period`

/** When a statement line confirmed a payment or refund `f`. */
const joinMatch = (corp_id: string, key: 'payment_id' | 'refund_id') => sql`
  left join lateral (
    select max(m.at) as at from statement_matches m
     where m.corp_id = ${corp_id} and m.${raw(key)} = f.${raw(key)}
       and not exists (select from statement_match_undos u
                        where u.corp_id = ${corp_id} and u.match_id = m.match_id)) matched on true`

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
      f.payment_id, f.order_id, coalesce(f.sub_order_id, '') as sub_order_id, coalesce(o.user_id, '') as user_id,
      ${userName} as user_name, coalesce(f.payer_id, '') as payer_id, coalesce(payer.name, '') as payer_name, ${paymentState} as state,
      f.price, f.currency, f.exchange_rate, f.rate, f.order_price, o.currency as order_currency,
      (balance.held - balance.applied)::bigint as unapplied_price,
      balance.refunded::bigint as refund_price, f.source, f.provider, coalesce(f.method, '') as method,
      coalesce(f.charge_id, '') as charge_id, coalesce(f.receipt_num, (
        select ${receiptNumber} from receipts r where r.corp_id = ${corp_id} and r.payment_id = f.payment_id)) as receipt_num,
      coalesce(f.comments, '') as comments,
      coalesce(f.unapplied_reason, '') as unapplied_reason,
      coalesce(voiding.reason, '') as void_reason,
      coalesce(f.executor_id, '') as executor_id, ${timestamp('f.completed_time', timeZone)} as completed_time,
      ${timestamp('f.ctime', timeZone)} as ctime, ${closedPeriod(corp_id)},
      ${timestampOrEmpty('matched.at', timeZone)} as matched_time,
      ${timestampOrEmpty('voiding.at', timeZone)} as void_time,
      ${closedPeriodBefore(corp_id, 'voiding.at')} as void_closed_period,
      coalesce((select json_agg(json_build_object('order_id', line.order_id, 'sub_order_id', line.sub_order_id,
                                                  'price', line.price)
                                order by line.place, line.sub_order_id)
                  from (select a.order_id, a.sub_order_id, min(a.line) as place, sum(a.price) as price
                          from payment_allocations a
                         where a.corp_id = ${corp_id} and a.payment_id = f.payment_id
                         group by a.order_id, a.sub_order_id having sum(a.price) <> 0) line), '[]') as allocations,
      coalesce((select json_agg(json_build_object('order_id', w.order_id, 'user_name', ${userName}) order by w.order_id)
                  from (select a.order_id from payment_allocations a
                         where a.corp_id = ${corp_id} and a.payment_id = f.payment_id
                         group by a.order_id having sum(a.price) <> 0) line
                  join orders w on w.corp_id = ${corp_id} and w.order_id = line.order_id
                  left join users u on u.corp_id = ${corp_id} and u.user_id = w.user_id), '[]') as orders`,
    sql`
      ${joinBalance({ corp_id })}
      left join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
      left join payers payer on payer.corp_id = ${corp_id} and payer.payer_id = f.payer_id
      left join lateral (
        select v.reason, v.at from payment_voids v
         where v.corp_id = ${corp_id} and v.payment_id = f.payment_id and balance.voided > 0
         order by v.at desc limit 1) voiding on true
      ${joinMatch(corp_id, 'payment_id')}`,
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
      coalesce(o.user_id, '') as user_id, f.kind as as, f.price, o.currency as order_currency,
      coalesce((select v.price from refund_reversals v
                 where v.corp_id = ${corp_id} and v.refund_id = f.refund_id), 0)::bigint as reversed_price, f.returned_price, f.currency, f.exchange_rate, f.rate, f.provider,
      coalesce(f.method, '') as method, coalesce(f.charge_id, '') as charge_id, coalesce(f.reason, '') as reason,
      coalesce(f.executor_id, '') as executor_id, ${timestamp('f.completed_time', timeZone)} as completed_time,
      ${timestamp('f.ctime', timeZone)} as ctime, ${closedPeriod(corp_id)},
      ${timestampOrEmpty('matched.at', timeZone)} as matched_time,
      ${refundLinesOf(corp_id, 'f')} as allocations`,
    joinMatch(corp_id, 'refund_id'),
  )
}
