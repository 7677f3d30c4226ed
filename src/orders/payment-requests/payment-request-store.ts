import type { Queryable } from '../../database/database.ts'
import { raw, sql, timestamp, timestampOrEmpty } from '../../database/sql.ts'

export interface PaymentRequest {
  payment_request_id: string
  order_id: string
  reference: string
  price: number
  currency: string
  held_price: number
  note: string
  is_expired: boolean
  is_revoked: boolean
  expires: string
  opened: string
  revoked: string
  executor_id: string
  ctime: string
}

/** The reference of an order. Returns undefined if the proposed one belongs to another order. */
export async function findOrStoreReference(
  tx: Queryable,
  corp_id: string,
  order_id: string,
  proposed: string,
  now: Date,
): Promise<string | undefined> {
  await tx.query(sql`
    insert into payment_references (corp_id, reference, order_id, ctime)
    values (${corp_id}, ${proposed}, ${order_id}, ${now})
    on conflict do nothing`)
  const [row] = await tx.query<{ reference: string }>(sql`
    select reference from payment_references where corp_id = ${corp_id} and order_id = ${order_id}`)
  return row?.reference
}

export interface NewRequest {
  payment_request_id: string
  order_id: string
  token_hash: string
  price: number
  currency: string
  held_price: number
  note: string
  expires_at: Date
  executor_id: string
}

export async function insertRequest(
  tx: Queryable,
  corp_id: string,
  made: NewRequest,
  now: Date,
): Promise<void> {
  const { payment_request_id, order_id, token_hash, price, currency, held_price, note, expires_at } = made
  await tx.query(sql`
    insert into payment_requests (corp_id, payment_request_id, order_id, token_hash, price, currency, held_price, note,
                                  expires_at, executor_id, ctime)
    values (${corp_id}, ${payment_request_id}, ${order_id}, ${token_hash}, ${price}, ${currency}, ${held_price}, ${note},
            ${expires_at}, ${made.executor_id}, ${now})`)
  const after = { payment_request_id, order_id, price, currency, expires_at: expires_at.toISOString() }
  tx.note({ record_type: 'payment_requests', record_id: payment_request_id, after })
}

/** The requests of an order that can still be opened. */
export async function countOpenRequests(
  tx: Queryable,
  corp_id: string,
  order_id: string,
  now: Date,
): Promise<number> {
  const rows = await tx.query<{ requests: number }>(sql`
    select count(*)::integer as requests from payment_requests
     where corp_id = ${corp_id} and order_id = ${order_id} and revoked_at is null and expires_at > ${now}`)
  return rows[0]?.requests ?? 0
}

const columns = (now: Date, timeZone: string) => sql`
  q.payment_request_id, q.order_id, f.reference, q.price, q.currency, q.held_price, q.note,
  q.expires_at <= ${now} as is_expired, q.revoked_at is not null as is_revoked,
  ${timestamp('q.expires_at', timeZone)} as expires, ${timestampOrEmpty('q.opened_at', timeZone)} as opened,
  ${timestampOrEmpty('q.revoked_at', timeZone)} as revoked, coalesce(q.executor_id, '') as executor_id,
  ${timestamp('q.ctime', timeZone)} as ctime`

/** A page of requests, the newest first. */
export async function findRequestPage(
  on: Queryable,
  { corp_id, order_id, limit, offset }: { corp_id: string; order_id?: string; limit: number; offset: number },
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<{ total: number; list: PaymentRequest[] }> {
  const ofOrder = order_id === undefined ? raw('') : sql`and q.order_id = ${order_id}`
  const [[counted], list] = await on.pipeline<[{ total: number }, PaymentRequest]>([
    sql`select count(*) as total from payment_requests q where q.corp_id = ${corp_id} ${ofOrder}`,
    sql`
      select ${columns(now, timeZone)}
        from payment_requests q
        join payment_references f on f.corp_id = ${corp_id} and f.order_id = q.order_id
       where q.corp_id = ${corp_id} ${ofOrder}
       order by q.ctime desc, q.payment_request_id desc limit ${limit} offset ${offset}`,
  ])
  return { total: counted!.total, list }
}

/** A request that can still be opened, by the hash of its token. */
export async function findOpenRequest(
  on: Queryable,
  corp_id: string,
  token_hash: string,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<PaymentRequest | undefined> {
  const [request] = await on.query<PaymentRequest>(sql`
    select ${columns(now, timeZone)}
      from payment_requests q
      join payment_references f on f.corp_id = ${corp_id} and f.order_id = q.order_id
     where q.corp_id = ${corp_id} and q.token_hash = ${token_hash} and q.revoked_at is null and q.expires_at > ${now}`)
  return request
}

/** Notes that the payer opened the page, at most once a minute. */
export async function noteOpening(
  on: Queryable,
  corp_id: string,
  payment_request_id: string,
  now: Date,
): Promise<void> {
  await on.query(sql`
    update payment_requests set opened_at = coalesce(opened_at, ${now}), last_opened_at = ${now}
     where corp_id = ${corp_id} and payment_request_id = ${payment_request_id}
       and (last_opened_at is null or last_opened_at < ${now}::timestamptz - interval '1 minute')`)
}

/** Revokes a request. Returns undefined if there is none, false if it is revoked already. */
export async function revokeRequest(
  tx: Queryable,
  corp_id: string,
  payment_request_id: string,
  { executor_id, now }: { executor_id: string; now: Date },
): Promise<boolean | undefined> {
  const rows = await tx.query(sql`
    update payment_requests set revoked_at = ${now}, revoked_by = ${executor_id}
     where corp_id = ${corp_id} and payment_request_id = ${payment_request_id} and revoked_at is null
    returning payment_request_id`)
  if (rows.length === 1) {
    const record = { record_type: 'payment_requests', record_id: payment_request_id }
    tx.note({ ...record, before: { is_revoked: false }, after: { is_revoked: true } })
    return true
  }
  const found = await tx.query(sql`
    select payment_request_id from payment_requests
     where corp_id = ${corp_id} and payment_request_id = ${payment_request_id}`)
  return found.length === 1 ? false : undefined
}

/** The data of the order that the page of a request shows. */
export interface RequestedOrder {
  course_name: string
  name: string
  first_name: string
}

export async function findRequestedOrder(
  on: Queryable,
  corp_id: string,
  order_id: string,
): Promise<RequestedOrder | undefined> {
  const [order] = await on.query<RequestedOrder>(sql`
    select coalesce(o.course_copy->>'course_name', '') as course_name, coalesce(u.name, '') as name,
           coalesce(u.first_name, '') as first_name
      from orders o join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
     where o.corp_id = ${corp_id} and o.order_id = ${order_id} and not o.is_deleted`)
  return order
}

/** The recipient of the mail of a payment request: the person of the order, or a payer. */
export interface MailRecipient {
  order_id: string
  person_id: string
  name: string
  email: string
}

/** The person stays locked, so that an erasure waits, and then removes the mail. */
export async function findMailRecipient(
  tx: Queryable,
  corp_id: string,
  order_id: string,
  payer_id: string | undefined,
): Promise<MailRecipient | undefined> {
  const [found] = await tx.query<MailRecipient>(
    payer_id === undefined
      ? sql`
        select o.order_id, u.user_id as person_id, coalesce(u.name, '') as name, coalesce(u.email, '') as email
          from orders o join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
         where o.corp_id = ${corp_id} and o.order_id = ${order_id} and not o.is_deleted for share of u`
      : sql`
        select ${order_id} as order_id, y.payer_id as person_id, y.name, coalesce(y.email, '') as email
          from payers y where y.corp_id = ${corp_id} and y.payer_id = ${payer_id} for share of y`,
  )
  return found
}
