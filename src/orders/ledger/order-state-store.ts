import type { Queryable, RowsByName, Surveyor } from '../../database/database.ts'
import { microseconds, type Statement, sql } from '../../database/sql.ts'
import { survey } from '../../database/survey.ts'
import { type Allocation, sum } from '../rules/allocation.ts'
import { type OrderState, type SubOrder, subOrderChanged } from '../rules/order-rules.ts'
import { expirableStatuses } from '../rules/status.ts'
import type { LedgerInstant } from './ledger-clock-store.ts'
import { insertingSubOrders, newSubOrder } from './order-write-store.ts'

/** Orders by their ids. */
export type OrderStates = Map<string, OrderState>

const stateColumns = sql`
  o.order_id, o.status, o.currency, o.listed_price, o.discounted_price, o.service_charge, o.foreign_service_charge,
  o.total_price, o.coupon_ids, o.coupon_lines, o.version, ${microseconds('o.completed_time')} as completed_time,
  ${microseconds('o.expired_time')} as expired_time`

type OrderOfState = Omit<OrderState, 'subOrders' | 'allocations'>
type Owned<Part> = Part & { order_id: string }
/** A sub-order without the sums of its allocations. */
type ReadSubOrder = Omit<SubOrder, 'paid' | 'payments'>

/** A locked order, which may be deleted, or the account of a payer. */
type LockedOrder = OrderOfState & { is_deleted: boolean; is_account: boolean }

export type LockedRows = {
  orders: LockedOrder
  subOrders: Owned<ReadSubOrder>
  allocations: Owned<Allocation>
}

/** Locks orders and reads them. Locks are taken in the order of ids, so that two callers never deadlock. */
export function lockingStates(corp_id: string, orderIds: string[]) {
  return {
    orders: sql`
      select ${stateColumns}, o.is_deleted, o.type = 'account' as is_account from orders o
       where o.corp_id = ${corp_id} and o.order_id = any(${orderIds}) order by o.order_id for update`,
    // Separate statements: one that waits for a lock would see sums from before the wait.
    subOrders: sql`${subOrdersOf(corp_id, orderIds)} order by s.seq`,
    allocations: sql`${allocationsOf(corp_id, orderIds)} order by min(p.completed_time), a.payment_id`,
  }
}

/** The states of locked orders. A deleted order or an account has one only if it is included. */
export function statesOf(
  { orders, subOrders, allocations }: RowsByName<LockedRows>,
  included: { deleted: Set<string>; accounts: Set<string> },
): OrderStates {
  const ownSubOrders = Map.groupBy(subOrders, ({ order_id }) => order_id)
  const ownAllocations = Map.groupBy(allocations, ({ order_id }) => order_id)
  const shown = orders.filter(
    ({ is_deleted, is_account, order_id }) =>
      !is_deleted || included[is_account ? 'accounts' : 'deleted'].has(order_id),
  )
  return new Map(
    shown.map(({ is_deleted: _, is_account: __, ...order }) => {
      const { order_id } = order
      return [order_id, stateOf(order, ownSubOrders.get(order_id) ?? [], ownAllocations.get(order_id) ?? [])]
    }),
  )
}

function stateOf(
  order: OrderOfState,
  subOrders: Owned<ReadSubOrder>[],
  allocations: Allocation[],
): OrderState {
  const ofSubOrders = Map.groupBy(allocations, ({ sub_order_id }) => sub_order_id)
  return {
    ...order,
    subOrders: subOrders.map(({ order_id: _, ...subOrder }) => {
      const own = ofSubOrders.get(subOrder.sub_order_id) ?? []
      return { ...subOrder, paid: sum(own), payments: own.length }
    }),
    allocations: allocations.map(placed),
  }
}

/** Reads states without a lock, in one snapshot. */
export async function readStates(on: Queryable, corp_id: string, orderIds: string[]): Promise<OrderStates> {
  type ReadState = OrderOfState & { subOrders: Owned<ReadSubOrder>[]; allocations: Allocation[] }
  const orders = await on.query<ReadState>(sql`
    select ${stateColumns},
           coalesce((select json_agg(to_json(s) order by s.seq) from (${subOrdersOf(corp_id, orderIds)}) s
                      where s.order_id = o.order_id), '[]') as "subOrders",
           coalesce((select json_agg(to_json(a) order by a.completed_time, a.payment_id)
                       from (${allocationsOf(corp_id, orderIds)}) a where a.order_id = o.order_id), '[]') as allocations
      from orders o
     where o.corp_id = ${corp_id} and o.order_id = any(${orderIds}) and not o.is_deleted`)
  return new Map(
    orders.map(({ subOrders, allocations, ...order }) => [
      order.order_id,
      stateOf(order, subOrders, allocations),
    ]),
  )
}

function placed({ payment_id, sub_order_id, price, refunded }: Allocation): Allocation {
  return { payment_id, sub_order_id, price, refunded }
}

/** Locks an order unless it does not exist or another transaction holds it. */
export async function lockOrderIfFree(tx: Queryable, corp_id: string, order_id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select order_id from orders where corp_id = ${corp_id} and order_id = ${order_id} and not is_deleted
       for update skip locked`)
  return rows.length === 1
}

function subOrdersOf(corp_id: string, orderIds: string[]): Statement {
  return sql`
    select s.order_id, s.sub_order_id, s.seq, s.type, s.status, s.total_price,
           ${microseconds('s.payment_deadline')} as payment_deadline, ${microseconds('s.completed_time')} as completed_time,
           coalesce(back.price, 0)::bigint as refunded, coalesce(back.credited_price, 0)::bigint as credited,
           coalesce(written_off.price, 0)::bigint as "writtenOff"
      from sub_orders s
      left join (select sub_order_id, sum(price) as price, sum(credited_price) as credited_price
                   from refund_allocations where corp_id = ${corp_id} and order_id = any(${orderIds}) group by sub_order_id) back
        on back.sub_order_id = s.sub_order_id
      left join (select sub_order_id, sum(price) as price
                   from order_write_offs where corp_id = ${corp_id} and order_id = any(${orderIds}) group by sub_order_id) written_off
        on written_off.sub_order_id = s.sub_order_id
     where s.corp_id = ${corp_id} and s.order_id = any(${orderIds})`
}

/** The allocations of payments to sub-orders of these orders, net of reversed ones. */
function allocationsOf(corp_id: string, orderIds: string[]): Statement {
  return sql`
    select a.order_id, a.sub_order_id, a.payment_id, sum(a.price)::bigint as price, min(p.completed_time) as completed_time,
           coalesce((select sum(b.price) from refund_allocations b
                      where b.corp_id = ${corp_id} and b.sub_order_id = a.sub_order_id
                        and b.payment_id = a.payment_id), 0)::bigint as refunded
      from payment_allocations a
      join payments p on p.corp_id = ${corp_id} and p.payment_id = a.payment_id
     where a.corp_id = ${corp_id} and a.order_id = any(${orderIds})
     group by a.order_id, a.sub_order_id, a.payment_id
    having sum(a.price) <> 0`
}

/** Members of an order that no rule reads. A change may set them; undefined keeps the present value. */
export interface OrderFields {
  external_id?: string
  is_deleted?: boolean
  user_id?: string
  contract_id?: string
  business_id?: string
  product_id?: string
  receipt_url?: string
  application_fee_status?: string
  invoice_ids?: string[]
  share_proportion?: Record<string, number>
  course_start_time?: Date
  course_end_time?: Date
  is_payment_changed?: boolean
  is_transferred?: boolean
  transferred_id?: string
}

/** An order before and after a change. */
export interface ChangedOrder {
  before: OrderState
  after: OrderState
  fields?: OrderFields
  /** Whether the copy of the user is erased. Versions keep its digest. */
  erasesCopy?: boolean
  at: LedgerInstant
}

/**
 * Stores changed orders. The version of the order increases by one, and so does that of every sub-order that changed or
 * whose row in the financial list did: the row shows the user and the copy.
 */
export function storingStates(corp_id: string, changed: ChangedOrder[]): Statement[] {
  const plans = changed.map(planChange)
  const orders = changed.map(({ after, fields, at }) => {
    const { subOrders: _, allocations: __, ...order } = after
    return { ...order, ...fields, is_locked: order.status === 'locked', at }
  })
  const subOrders = plans.flatMap((plan) => plan.changed)
  const storing = sql`
    with changed_sub_orders as (
      update sub_orders s
         set seq = new.seq, type = new.type, status = new.status, total_price = new.total_price,
             payment_deadline = new.payment_deadline, completed_time = new.completed_time, mtime = new.at,
             version = s.version + 1
        from jsonb_to_recordset(${JSON.stringify(subOrders)}::jsonb)
             as new(sub_order_id text, seq integer, type text, status text, total_price bigint,
                    payment_deadline timestamptz, completed_time timestamptz, at timestamptz)
       where s.corp_id = ${corp_id} and s.sub_order_id = any(${subOrders.map(({ sub_order_id }) => sub_order_id)})
         and s.sub_order_id = new.sub_order_id)
    update orders o
       set status = new.status, is_locked = new.is_locked, completed_time = new.completed_time,
           expired_time = new.expired_time, listed_price = new.listed_price, discounted_price = new.discounted_price,
           service_charge = new.service_charge, foreign_service_charge = new.foreign_service_charge,
           total_price = new.total_price, coupon_ids = new.coupon_ids, coupon_lines = new.coupon_lines,
           user_id = coalesce(new.user_id, o.user_id),
           external_id = coalesce(new.external_id, o.external_id),
           is_deleted = coalesce(new.is_deleted, o.is_deleted),
           contract_id = coalesce(new.contract_id, o.contract_id),
           business_id = coalesce(new.business_id, o.business_id),
           product_id = coalesce(new.product_id, o.product_id),
           receipt_url = coalesce(new.receipt_url, o.receipt_url),
           application_fee_status = coalesce(new.application_fee_status, o.application_fee_status),
           invoice_ids = coalesce(new.invoice_ids, o.invoice_ids),
           share_proportion = coalesce(new.share_proportion, o.share_proportion),
           course_start_time = coalesce(new.course_start_time, o.course_start_time),
           course_end_time = coalesce(new.course_end_time, o.course_end_time),
           is_payment_changed = coalesce(new.is_payment_changed, o.is_payment_changed),
           is_transferred = coalesce(new.is_transferred, o.is_transferred),
           transferred_id = coalesce(new.transferred_id, o.transferred_id),
           mtime = new.at, version = o.version + 1
      from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb)
           as new(order_id text, status text, is_locked boolean, completed_time timestamptz, expired_time timestamptz,
                  listed_price bigint, discounted_price bigint, service_charge bigint, foreign_service_charge bigint,
                  total_price bigint, coupon_ids text[], coupon_lines jsonb, user_id text, external_id text, is_deleted boolean, contract_id text, business_id text, product_id text,
                  receipt_url text, application_fee_status text, invoice_ids text[], share_proportion jsonb,
                  course_start_time timestamptz, course_end_time timestamptz, is_payment_changed boolean, is_transferred boolean,
                  transferred_id text, at timestamptz)
     where o.corp_id = ${corp_id} and o.order_id = any(${orders.map(({ order_id }) => order_id)})
       and o.order_id = new.order_id`
  const erased = changed.filter(({ erasesCopy }) => erasesCopy).map(({ after }) => after.order_id)
  return [
    ...makingRoom(
      corp_id,
      plans.flatMap(({ gone }) => gone),
      plans.flatMap(({ moved }) => moved),
    ),
    storing,
    ...erasingCopies(corp_id, erased),
    ...insertingSubOrders(
      corp_id,
      plans.flatMap(({ made }) => made),
    ),
  ]
}

/** A separate statement: in the update above, the digest of each copy would be computed again. */
function erasingCopies(corp_id: string, orderIds: string[]): Statement[] {
  if (orderIds.length === 0) return []
  return [
    sql`
      update orders
         set kept_copy_digest = user_copy_digest, user_copy = '{}', user_copy_salt = null
       where corp_id = ${corp_id} and order_id = any(${orderIds}) and kept_copy_digest is null`,
  ]
}

/** The sub-orders of a changed order that are removed, renumbered, changed and added. */
function planChange({ before, after, fields, erasesCopy, at }: ChangedOrder) {
  const showsAnother = erasesCopy || fields?.user_id !== undefined
  const existing = new Map(before.subOrders.map((subOrder) => [subOrder.sub_order_id, subOrder]))
  const staying = new Set(after.subOrders.map(({ sub_order_id }) => sub_order_id))
  return {
    gone: [...existing.keys()].filter((id) => !staying.has(id)),
    moved: after.subOrders
      .filter(
        ({ sub_order_id, seq }) => existing.has(sub_order_id) && existing.get(sub_order_id)!.seq !== seq,
      )
      .map(({ sub_order_id }) => sub_order_id),
    changed: after.subOrders
      .filter((subOrder) => {
        const old = existing.get(subOrder.sub_order_id)
        return old && (showsAnother || subOrderChanged(old, subOrder))
      })
      .map((subOrder) => ({ ...subOrder, at })),
    made: after.subOrders
      .filter(({ sub_order_id }) => !existing.has(sub_order_id))
      .map((subOrder) => newSubOrder(after, subOrder, at)),
  }
}

/** Deletes removed sub-orders, which hold no money, and frees the numbers of renumbered ones, since seq is unique. */
function makingRoom(corp_id: string, gone: string[], moved: string[]): Statement[] {
  const leaving = sql`delete from sub_orders where corp_id = ${corp_id} and sub_order_id = any(${gone})`
  const stepping = sql`
    update sub_orders set seq = seq + 1000 where corp_id = ${corp_id} and sub_order_id = any(${moved})`
  return [...(gone.length > 0 ? [leaving] : []), ...(moved.length > 0 ? [stepping] : [])]
}

export async function isOrder(on: Queryable, corp_id: string, order_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select order_id from orders where corp_id = ${corp_id} and order_id = ${order_id} and not is_deleted`)
  return rows.length === 1
}

/** The currency of an order; undefined if there is no such order. */
export async function findCurrency(
  on: Queryable,
  corp_id: string,
  order_id: string,
): Promise<string | undefined> {
  const [order] = await on.query<{ currency: string }>(sql`
    select currency from orders where corp_id = ${corp_id} and order_id = ${order_id} and not is_deleted`)
  return order?.currency
}

/** The organizations with orders that expire now. */
export async function findCorpIdsWithOverdue(on: Surveyor, now: Date): Promise<string[]> {
  return on.corpIds(survey`
    select distinct o.corp_id
      from sub_orders s
      join orders o on o.corp_id = s.corp_id and o.order_id = s.order_id
     where s.status in ('unconfirmed', 'created', 'pending') and s.payment_deadline < ${now}
       and o.status = any(${expirableStatuses}) and not o.is_deleted
       and coalesce((select sum(a.price) from payment_allocations a
                      where a.corp_id = o.corp_id and a.order_id = o.order_id), 0) = 0`)
}

/** The next orders by id that have received nothing, can expire, and have an unpaid sub-order past its deadline. */
export async function findOverdue(
  on: Queryable,
  corp_id: string,
  now: Date,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await on.query<{ order_id: string }>(sql`
    -- Materialized: otherwise the planner reads all sub-orders in the order of order_id.
    with late as materialized (
      select distinct s.order_id from sub_orders s
       where s.corp_id = ${corp_id} and s.status in ('unconfirmed', 'created', 'pending') and s.payment_deadline < ${now}
         and s.order_id > ${after})
    select o.order_id
      from late join orders o on o.corp_id = ${corp_id} and o.order_id = late.order_id
     where o.status = any(${expirableStatuses}) and not o.is_deleted
       and coalesce((select sum(a.price) from payment_allocations a
                      where a.corp_id = ${corp_id} and a.order_id = o.order_id), 0) = 0
     order by o.order_id
     limit ${limit}`)
  return rows.map(({ order_id }) => order_id)
}

/** The members of an order that show whether it changed. */
export interface HeldOrder {
  order_id: string
  user_id: string
  external_id: string | null
  contract_id: string | null
  share_proportion: Record<string, number>
  is_deleted: boolean
  version: number
}

/** Locks orders, deleted ones included. */
export async function holdOrders(
  tx: Queryable,
  corp_id: string,
  orderIds: string[],
): Promise<Map<string, HeldOrder>> {
  const rows = await tx.query<HeldOrder>(sql`
    select order_id, user_id, external_id, contract_id, share_proportion, is_deleted, version from orders
     where corp_id = ${corp_id} and order_id = any(${orderIds}) order by order_id for update`)
  return new Map(rows.map((order) => [order.order_id, order]))
}
