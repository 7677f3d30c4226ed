import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'
import { moneyOf } from '../../orders/listing/order-store.ts'
import { userFacet } from '../../people/users/user-facets.ts'

/** The total, and the first rows. */
export interface Waiting<Row> {
  total: number
  list: Row[]
}

/** The owner whose work is read; without one, that of everyone. */
export interface Asked {
  corp_id: string
  owner_id?: string
  timeZone: string
  limit: number
}

/** The record of a page of which only the total is wanted. */
export const idOfPage = sql`select page.id`

/** The newest users of a pool. The total comes from stored counts. */
export async function findInPool(on: Queryable, { corp_id, limit }: Asked, pool: string) {
  const ofPool = sql`f.corp_id = ${corp_id} and f.list = 'users' and f.facet = ${userFacet.pool(pool)}`
  return waiting<{ user_id: string }>(
    on,
    sql`select coalesce(sum(f.rows), 0)::bigint from facet_counts f where ${ofPool}`,
    sql`select f.id as user_id from facet_entries f where ${ofPool} order by f.time desc, f.id desc limit ${limit}`,
  )
}

/** Users of an owner without a follow-up. */
export async function findUntouched(
  on: Queryable,
  { corp_id, owner_id, limit }: Asked & { owner_id: string },
  pools: string[],
) {
  const untouched = sql`
      from facet_entries f
      join users u on u.corp_id = ${corp_id} and u.user_id = f.id
     where f.corp_id = ${corp_id} and f.list = 'users' and f.facet = ${userFacet.owner(owner_id)}
       and u.pool = any(${pools}::text[])
       and not exists (select from user_follow_ups c where c.corp_id = ${corp_id} and c.user_id = u.user_id)`
  return waiting<{ user_id: string }>(
    on,
    sql`select count(*) ${untouched}`,
    sql`select u.user_id ${untouched} order by f.time desc, f.id desc limit ${limit}`,
  )
}

export interface Callback {
  follow_up_id: string
  user_id: string
  name: string
  mobile: string
  content: string
  owner_id: string
  next_time: string
}

/** Calls that were agreed for a time before `until`. */
export async function findCallbacks(
  on: Queryable,
  { corp_id, owner_id, timeZone, limit }: Asked,
  until: Date,
): Promise<Waiting<Callback>> {
  const due = sql`
    c.corp_id = ${corp_id} and c.is_open and c.next_at < ${until}
    ${owner_id === undefined ? raw('') : sql`and c.owner_id = ${owner_id}`}`
  return waiting(
    on,
    sql`select count(*) from user_follow_ups c where ${due}`,
    sql`
      select c.follow_up_id, c.user_id, ${nameOf}, coalesce(u.mobile, '') as mobile, c.content,
             coalesce(c.owner_id, '') as owner_id, ${timestamp('c.next_at', timeZone)} as next_time
        from user_follow_ups c
        join users u on u.corp_id = ${corp_id} and u.user_id = c.user_id
       where ${due} order by c.next_at, c.follow_up_id limit ${limit}`,
  )
}

const nameOf = raw(`
  coalesce(u.name, nullif(concat_ws(' ', u.first_name, u.last_name), ''), '') as name`)

export interface Instalment {
  order_id: string
  sub_order_id: string
  user_id: string
  name: string
  seq: number
  currency: string
  unpaid_price: number
  payment_deadline: string
  /** A locked order takes no money. */
  is_locked: boolean
}

const owesNothing = raw(`('success', 'canceled', 'expired', 'tbd', 'unconfirmed')`)

/** Unpaid instalments that are due within a range, of all users or of those of an owner. */
export async function findInstalments(
  on: Queryable,
  { corp_id, owner_id, timeZone, limit }: Asked,
  { from, until }: { from?: Date; until: Date },
): Promise<Waiting<Instalment>> {
  const people =
    owner_id === undefined
      ? sql`users u`
      : sql`facet_entries f
        join users u on u.corp_id = ${corp_id} and u.user_id = f.id
         and f.corp_id = ${corp_id} and f.list = 'users' and f.facet = ${userFacet.owner(owner_id)}`
  const owed = sql`
      from ${people}
      join orders o on o.corp_id = ${corp_id} and o.user_id = u.user_id
      join sub_orders s on s.corp_id = ${corp_id} and s.order_id = o.order_id
     where u.corp_id = ${corp_id} and not o.is_deleted and o.status not in ${owesNothing}
       and s.status not in ${owesNothing} and s.completed_time is null and s.payment_deadline < ${until}
       ${from === undefined ? raw('') : sql`and s.payment_deadline >= ${from}`}`
  return waiting(
    on,
    sql`select count(*) ${owed}`,
    sql`
      select s.order_id, s.sub_order_id, place.user_id, ${raw(`coalesce(place.name, '') as name`)}, s.seq, s.currency,
             money.unpaid_price, ${timestamp('s.payment_deadline', timeZone)} as payment_deadline, place.is_locked
        from (select s.sub_order_id, o.user_id, coalesce(o.user_copy->>'name', u.name) as name,
                     o.status = 'locked' as is_locked ${owed}
               order by s.payment_deadline, s.sub_order_id limit ${limit}) place
        join sub_orders s on s.corp_id = ${corp_id} and s.sub_order_id = place.sub_order_id
        ${moneyOf({ corp_id })}
       order by s.payment_deadline, s.sub_order_id`,
  )
}

export interface WaitingImport {
  import_id: string
  file_name: string
  state: string
  refusal: string
  reject: number
  mtime: string
}

/** Lead files that wait for a decision: planned files to commit, and refused files. */
export async function findWaitingImports(
  on: Queryable,
  { corp_id, owner_id, timeZone, limit }: Asked,
): Promise<Waiting<WaitingImport>> {
  const open = sql`
    i.corp_id = ${corp_id} and i.state in ('planned', 'refused')
    ${owner_id === undefined ? raw('') : sql`and i.executor_id = ${owner_id}`}`
  return waiting(
    on,
    sql`select count(*) from lead_imports i where ${open}`,
    sql`
      select i.import_id, i.file_name, i.state, coalesce(i.refusal, '') as refusal,
             coalesce((i.plan->>'reject')::integer, 0) as reject, ${timestamp('i.mtime', timeZone)} as mtime
        from lead_imports i where ${open} order by i.mtime desc, i.import_id limit ${limit}`,
  )
}

interface OpenStatement {
  statement_id: string
  account_id: string
  name: string
  currency: string
  open_lines: number
  open_price: number
}

/** Bank statements with open lines, from the stored sums. */
export async function findOpenStatements(
  on: Queryable,
  { corp_id, limit }: Asked,
): Promise<Waiting<OpenStatement>> {
  const open = sql`
      from (select t.statement_id, sum(t.lines)::integer as open_lines, sum(t.price)::bigint as open_price
              from statement_sums t
             where t.corp_id = ${corp_id} and t.state = 'open'
             group by t.statement_id having sum(t.lines) > 0) sums
      join bank_statements s on s.corp_id = ${corp_id} and s.statement_id = sums.statement_id`
  return waiting(
    on,
    sql`select count(*) ${open}`,
    sql`
      select s.statement_id, s.account_id, s.name, a.currency, sums.open_lines, sums.open_price ${open}
        join bank_accounts a on a.corp_id = ${corp_id} and a.account_id = s.account_id
       order by s.ctime desc, s.statement_id limit ${limit}`,
  )
}

/** The steps by which a school begins, in the order of the work. */
export const firstSteps = ['school', 'staff', 'courses', 'people', 'orders'] as const
export type FirstStep = (typeof firstSteps)[number]

/** Whether a school has done each of its first steps. */
export async function findFirstSteps(on: Queryable, corp_id: string): Promise<Record<FirstStep, boolean>> {
  const [done] = await on.query<Record<FirstStep, boolean>>(sql`
    select exists (select from issuers i where i.corp_id = ${corp_id} and i.legal_name <> '') as school,
           exists (select from staff s where s.corp_id = ${corp_id} and s.role is not null offset 1) as staff,
           exists (select from courses c where c.corp_id = ${corp_id}) as courses,
           exists (select from users u where u.corp_id = ${corp_id}) as people,
           exists (select from orders o where o.corp_id = ${corp_id}) as orders`)
  return done!
}

async function waiting<Row extends object>(
  on: Queryable,
  total: Statement,
  rows: Statement,
): Promise<Waiting<Row>> {
  const [[counted], list] = await on.pipeline<[{ total: number }, Row]>([
    sql`select (${total}) as total`,
    rows,
  ])
  return { total: counted!.total, list }
}
