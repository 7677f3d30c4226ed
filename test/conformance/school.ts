import { inject } from 'vitest'
import { unnamedIssuer } from '../../src/access/organizations/issuer-store.ts'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import { closePeriod } from '../../src/backoffice/finance/close-period.ts'
import { newId } from '../../src/contract/new-id.ts'
import type { OrderStatus } from '../../src/contract/order-statuses.ts'
import { insertPlainOrders, plainOrder, projectPlainOrders } from '../harness/orders.ts'
import { waitFor } from '../harness/process.ts'
import type { Credentials, TestServer } from '../harness/server.ts'

/** Records of one organization that operations can be called on. */
export interface School {
  corp_id: string
  account: Credentials
  user_id: string
  lead_id: string
  order_id: string
  /** A sub-order of that order. */
  sub_order_id: string
  /** A payment of any order. */
  payment_id: string
  payer_id: string
  course_id: string
  /** An active tag group. */
  tags_group_id: string
  attribute: string
  category: string
  /** Another group, to be changed and deactivated without an effect on the first. */
  entity_id: string
  pool: string
  /** A lead file whose commit never continues. */
  import_id: string
  /** Lead files during and after their upload. */
  uploading_id: string
  uploaded_id: string
  /** A requested export that failed. */
  export_id: string
  /** An invoice. */
  document_id: string
  event_id: string
  /** A webhook endpoint with a dead delivery of that event. */
  endpoint_id: string
  delivery_id: string
  /** A batch without changes. */
  batch_id: string
  /** A merge that moved nothing, and an unused user. */
  merge_id: string
  merged_user_id: string
  /** A refund that waits for a second person. */
  request_id: string
  /** A bank account and a statement of it. */
  account_id: string
  statement_id: string
  /** Statement files during and after their upload. */
  bank_upload_id: string
  file_id: string
  /** Orders for operations that change one for good. */
  stock?: OrderStock
}

export interface OrderStock {
  /** An untouched order of version 1. */
  nextOpen(): string
  /** An unclaimed user in the public pool. */
  nextPublic(): string
  /** An order that has been paid; its sub-order has the same id. */
  paid: string
  /** A batch that was not undone yet. */
  nextBatch(): string
  nextMerge(): string
  /** A refused lead file, which does not count as waiting. */
  nextFile(): string
  /** A refund without a decision. */
  nextRequest(): string
  /** An open request for payment. Its token is its id. */
  nextPaymentRequest(): string
  /** An untouched order with an allocated payment. */
  nextPaid(): { order_id: string; payment_id: string }
  /** An unallocated payment. */
  nextUnapplied(): string
  /** Entries to reverse, and an order in another currency. */
  nextRefund(): string
  nextVoid(): string
  nextTransfer(): string
  nextWrittenOff(): string
  foreign: string
  /** An open line of a statement, of 1000 in the currency CNY. */
  nextLine(): string
  /** Open lines of two accounts, of −1000 and 1000. */
  nextPayout(): { line_id: string; other_line_id: string }
}

/** Fills the stock of a school. */
export async function stockOrders(
  { database, db }: TestServer,
  school: School,
  stockSize = 500,
): Promise<OrderStock> {
  const { corp_id, user_id } = school
  const [paid, ...payable] = Array.from({ length: stockSize }, () => plainOrder({ status: 'success' }))
  const open = Array.from({ length: 2 * stockSize }, () => plainOrder())
  await insertPlainOrders(db.of(corp_id), corp_id, user_id, [paid!, ...payable, ...open])
  const applied = [paid!, ...payable].map(({ order_id }) => ({ order_id, payment_id: newId() }))
  const unapplied = applied.map(() => ({ order_id: paid!.order_id, payment_id: newId() }))
  await database.superuser.query(
    `insert into payments (corp_id, payment_id, order_id, price, currency, order_price, status, source, completed_time, ctime)
     select $1, payment_id, order_id, 1000000, 'CNY', 1000000, 'success', 'console', now(), now()
       from jsonb_to_recordset($2::jsonb) as p(order_id text, payment_id text) returning 1`,
    [corp_id, JSON.stringify([...applied, ...unapplied])],
  )
  const batches = Array.from({ length: stockSize }, () => newId())
  const merges = Array.from({ length: stockSize }, () => newId())
  await database.superuser.query(batchInsertion, [corp_id, batches, 'lead_import'])
  await database.superuser.query(batchInsertion, [corp_id, merges, 'user_merge'])
  const files = Array.from({ length: stockSize }, () => newId())
  await database.superuser.query(
    `insert into lead_imports (corp_id, import_id, file_name, state, bytes, executor_id, ctime, mtime)
     select $1, id, 'leads.csv', 'refused', 1830, 'tester', now(), now() from unnest($2::text[]) id returning 1`,
    [corp_id, files],
  )
  const people = Array.from({ length: stockSize }, () => newId())
  await database.superuser.query(
    `insert into users (corp_id, user_id, pool, ctime, mtime) select $1, id, 'public', now(), now() from unnest($2::text[]) id returning 1`,
    [corp_id, people],
  )
  await database.superuser.query(
    `insert into payment_allocations (corp_id, payment_id, order_id, sub_order_id, price, at, cause)
     select $1, payment_id, order_id, order_id, 1000000, now(), 'payment'
       from jsonb_to_recordset($2::jsonb) as p(order_id text, payment_id text) returning 1`,
    [corp_id, JSON.stringify(applied)],
  )
  const reversible = await insertReversible({ database, db }, school, Math.ceil(stockSize / 4))
  const requests = Array.from({ length: stockSize }, () => newId())
  await insertRequests(database, corp_id, paid!.order_id, requests)
  const paymentRequests = [...requests]
  const lines = Array.from({ length: stockSize }, () => newId())
  await insertLines(database, school, lines)
  const payouts = lines.slice(0, stockSize / 2).map((other_line_id) => ({ line_id: newId(), other_line_id }))
  await insertLines(
    database,
    await insertStatement(database, corp_id),
    payouts.map(({ line_id }) => line_id),
    -1000,
  )
  await insertClosing(database, corp_id)
  function next<One>(left: One[]): One {
    const one = left.pop()
    if (!one) throw new Error('The stock has been used up: raise stockSize')
    return one
  }
  return {
    paid: paid!.order_id,
    nextOpen: () => next(open).order_id,
    nextBatch: () => next(batches),
    nextMerge: () => next(merges),
    nextFile: () => next(files),
    nextRequest: () => next(requests),
    nextPaymentRequest: () => next(paymentRequests),
    nextPublic: () => next(people),
    nextPaid: () => next(applied),
    nextUnapplied: () => next(unapplied).payment_id,
    nextLine: () => next(lines),
    nextPayout: () => next(payouts),
    nextRefund: () => next(reversible.refunds),
    nextVoid: () => next(reversible.voids),
    nextTransfer: () => next(reversible.transfers),
    nextWrittenOff: () => next(reversible.writtenOff),
    foreign: reversible.foreign,
  }
}

/** A closing without movements, on the day of the examples. */
async function insertClosing({ superuser }: TestServer['database'], corp_id: string): Promise<void> {
  const { as_of, until, ...rest } = closePeriod.example.data
  const document = {
    ...rest,
    corp_id,
    number: 1,
    previous_hash: '',
    until,
    as_of,
    currencies: [],
    accounts: [],
  }
  await superuser.query(
    `insert into closings (corp_id, number, until, as_of, document, at) values ($1, 1, $2, $3, $4, now())
     on conflict do nothing`,
    [corp_id, until, as_of, JSON.stringify({ ...document, after: null })],
  )
}

/** Refunds, voids, transfers and write-offs that can be reversed, each of its own order. */
async function insertReversible(
  { database: { superuser }, db }: Pick<TestServer, 'database' | 'db'>,
  { corp_id, user_id }: School,
  count: number,
) {
  const orders = (status: OrderStatus = 'created') =>
    Array.from({ length: count }, () => plainOrder({ status }))
  const [refunded, voided, from, to] = [orders(), orders(), orders(), orders()]
  const [writtenOff, foreign] = [orders('success'), plainOrder()]
  const all = [...refunded, ...voided, ...from, ...to, ...writtenOff, foreign]
  await insertPlainOrders(db.of(corp_id), corp_id, user_id, all)
  const idsOf = (some: { order_id: string }[]) => some.map(({ order_id }) => order_id)
  // Each id is that of the order, its sub-order, its payment, its refund and its transfer.
  const run = (text: string, ...values: unknown[]) =>
    superuser.query(`${text} returning 1`, [corp_id, ...values])
  const payment = `
    insert into payments (corp_id, payment_id, order_id, price, currency, order_price, status, source, completed_time, ctime)
    select $1, id, id, 10, 'CNY', 10, 'success', 'console', now(), now() from unnest($2::text[]) id`
  for (const some of [refunded, voided, from]) await run(payment, idsOf(some))
  await run(
    `insert into refunds (corp_id, refund_id, order_id, payment_id, price, returned_price, currency, completed_time, ctime)
     select $1, id, id, id, 1, 1, 'CNY', now(), now() from unnest($2::text[]) id`,
    idsOf(refunded),
  )
  await run(
    `insert into refund_allocations (corp_id, refund_id, payment_id, order_id, sub_order_id, price, at)
     select $1, id, id, id, '', 1, now() from unnest($2::text[]) id`,
    idsOf(refunded),
  )
  await run(
    `insert into payment_voids (corp_id, payment_id, order_id, price, reason, at)
     select $1, id, id, 10, 'Bounced', now() from unnest($2::text[]) id`,
    idsOf(voided),
  )
  const moved = `
    insert into payment_allocations (corp_id, payment_id, order_id, sub_order_id, price, at, cause)
    select $1, p.payment_id, p.order_id, p.order_id, $4, $5::timestamptz, 'transfer'
      from unnest($2::text[], $3::text[]) p (payment_id, order_id)`
  await run(moved, idsOf(from), idsOf(from), 10, '2026-01-01')
  await run(moved, idsOf(from), idsOf(from), -1, '2026-01-02')
  await run(moved, idsOf(from), idsOf(to), 1, '2026-01-02')
  await run(
    `insert into order_transfers (corp_id, transfer_id, from_order_id, to_order_id, price, reason, at)
     select $1, f, f, t, 1, 'Moved', '2026-01-02' from unnest($2::text[], $3::text[]) x (f, t)`,
    idsOf(from),
    idsOf(to),
  )
  await run(
    `insert into order_write_offs (corp_id, order_id, sub_order_id, price, at)
     select $1, id, id, 1000, now() from unnest($2::text[]) id`,
    idsOf(writtenOff),
  )
  for (const table of ['orders', 'sub_orders'])
    await run(`update ${table} set currency = 'USD' where corp_id = $1 and order_id = $2`, foreign.order_id)
  return {
    refunds: idsOf(refunded),
    voids: idsOf(voided),
    transfers: idsOf(from),
    writtenOff: idsOf(writtenOff),
    foreign: foreign.order_id,
  }
}

/** Requested refunds of an order whose sub-order has the same id, and as many payment requests. */
async function insertRequests(
  { superuser }: TestServer['database'],
  corp_id: string,
  order_id: string,
  ids: string[],
): Promise<void> {
  const input = JSON.stringify({ corp_id, order_id, price: 1, reason: 'Agreed' })
  await superuser.query(
    `insert into approval_requests (corp_id, request_id, kind, order_id, price, currency, input, requested_by, at)
     select $1, id, 'refund', $2, 1, 'CNY', $3, 'tester', now() from unnest($4::text[]) as id returning 1`,
    [corp_id, order_id, input, ids],
  )
  await superuser.query(
    `insert into payment_requests (corp_id, payment_request_id, order_id, token_hash, price, currency, held_price, note,
                                   expires_at, ctime)
     select $1, id, $2, encode(sha256(id::bytea), 'hex'), 1, 'CNY', 0, '', '2999-01-01', now()
       from unnest($3::text[]) as id returning 1`,
    [corp_id, order_id, ids],
  )
  await superuser.query(
    `insert into payment_references (corp_id, reference, order_id, ctime) values ($1, $2, $2, now()) returning 1`,
    [corp_id, order_id],
  )
  // Requests are mailed to the person of the order.
  await superuser.query(
    `update users u set email = u.user_id || '@example.com' from orders o
      where o.corp_id = $1 and o.order_id = $2 and u.corp_id = $1 and u.user_id = o.user_id and u.email is null returning 1`,
    [corp_id, order_id],
  )
}

/** A statement of another account. */
async function insertStatement({ superuser }: TestServer['database'], corp_id: string) {
  const [account_id, statement_id] = [newId(), newId()]
  await superuser.query(
    `insert into bank_accounts (corp_id, account_id, name, provider, currency, opening_price, ctime)
     values ($1, $2, $2, '', 'CNY', 0, now())`,
    [corp_id, account_id],
  )
  await superuser.query(
    `insert into bank_statements (corp_id, statement_id, account_id, name, opening_price, closing_price, ctime)
     values ($1, $2, $3, $2, 0, 0, now())`,
    [corp_id, statement_id, account_id],
  )
  return { corp_id, account_id, statement_id }
}

/** Open lines of a statement, with numbers after those that calls send. */
async function insertLines(
  { superuser }: TestServer['database'],
  { corp_id, account_id, statement_id }: { corp_id: string; account_id: string; statement_id: string },
  ids: string[],
  price = 1000,
): Promise<void> {
  await superuser.query(
    `insert into statement_lines (corp_id, line_id, statement_id, number, provider, price, currency, value_date, ctime)
     select $1, id, $4, greatest(100000, (select max(l.number) from statement_lines l
                                           where l.corp_id = $1 and l.statement_id = $4)) + place, '', $3, 'CNY', '2026-10-14', now()
       from unnest($2::text[]) with ordinality as line(id, place) returning 1`,
    [corp_id, ids, price, statement_id],
  )
  await superuser.query(
    `insert into statement_line_states (corp_id, line_id, account_id, statement_id, state, value_date, price)
     select $1, id, $2, $3, 'open', '2026-10-14', $5 from unnest($4::text[]) as id returning 1`,
    [corp_id, account_id, statement_id, ids, price],
  )
  await superuser.query(
    `insert into statement_sums as sums (corp_id, account_id, statement_id, state, is_incoming, lines, price)
     values ($1, $2, $3, 'open', $4::bigint > 0, $5::integer, $4::bigint * $5::integer)
     on conflict (corp_id, statement_id, state, is_incoming)
     do update set lines = sums.lines + excluded.lines, price = sums.price + excluded.price`,
    [corp_id, account_id, statement_id, price, ids.length],
  )
}

const batchInsertion = `
  insert into change_batches (corp_id, batch_id, kind, root_kind, executor_id, is_complete, ctime, mtime)
  select $1, id, $3, $3, 'tester', true, now(), now() from unnest($2::text[]) as id returning 1`

/** Lead files and a batch of changes. The files have an endless lease, so no worker takes them. */
async function insertFiles({ superuser }: TestServer['database'], corp_id: string) {
  const ids = {
    import_id: newId(),
    uploading_id: newId(),
    uploaded_id: newId(),
    export_id: newId(),
    document_id: newId(),
    event_id: `${newId()}-1`,
    endpoint_id: newId(),
    batch_id: newId(),
    merge_id: newId(),
    merged_user_id: newId(),
    account_id: newId(),
    statement_id: newId(),
    payer_id: newId(),
    bank_upload_id: newId(),
    file_id: newId(),
  }
  await superuser.query(
    `insert into lead_imports (corp_id, import_id, file_name, state, bytes, received, executor_id, busy_until, ctime, mtime)
     select $1, id, 'leads.csv', state, 1830, received, 'tester', '2999-01-01', now(), now()
       from (values ($2, 'committing', 1830), ($3, 'uploading', 0), ($4, 'uploading', 1830)) as f (id, state, received) returning 1`,
    [corp_id, ids.import_id, ids.uploading_id, ids.uploaded_id],
  )
  await superuser.query(
    `insert into finance_exports (corp_id, export_id, what, format, as_of, state, token, executor_id, ctime)
     values ($1, $2, 'payments', 'csv', now(), 'failed', $2, 'tester', now())`,
    [corp_id, ids.export_id],
  )
  await superuser.query(`insert into event_feeds (corp_id, epoch, length, linked) values ($1, '0', 1, 0)`, [
    corp_id,
  ])
  await superuser.query(
    `insert into events (corp_id, seq, event_id, type, at, record_type, record_id, changed, related, actor_kind, actor_id)
     values ($1, 1, $2, 'ping', now(), 'webhook', $2, '[]', '{}', 'account', 'tester')`,
    [corp_id, ids.event_id],
  )
  await insertWebhook(superuser, corp_id, ids)
  await superuser.query(
    `insert into documents (corp_id, document_id, kind, year, number, subject_id, price, currency, content, personal,
                            token, executor_id, at)
     values ($1, $2, 'invoice', 2020, 1, $2, 100, 'CNY', $3, '{"payer": "Somebody"}', $2, 'tester', now())`,
    [
      corp_id,
      ids.document_id,
      JSON.stringify({ issuer: unnamedIssuer, lines: [], sums: [], plan: [], facts: [] }),
    ],
  )
  await superuser.query(
    `insert into bank_accounts (corp_id, account_id, name, provider, currency, opening_price, ctime)
     values ($1, $2, $2, '', 'CNY', 0, now())`,
    [corp_id, ids.account_id],
  )
  await superuser.query(
    `insert into bank_statements (corp_id, statement_id, account_id, name, opening_price, closing_price, ctime)
     values ($1, $2, $3, $2, 0, 0, now())`,
    [corp_id, ids.statement_id, ids.account_id],
  )
  await superuser.query(
    `insert into payers (corp_id, payer_id, kind, name, ctime, mtime) values ($1, $2, 'employer', 'Harbour', now(), now())`,
    [corp_id, ids.payer_id],
  )
  const statement = Buffer.from('date,amount\n2026-10-14,12800.00\n')
  await superuser.query(
    `insert into bank_files (corp_id, file_id, account_id, file_name, bytes, received, state, ctime, mtime)
     select $1, id, $2, 'october.csv', 32, received, 'uploading', now(), now()
       from (values ($3, 0), ($4, 32)) as f (id, received) returning 1`,
    [corp_id, ids.account_id, ids.bank_upload_id, ids.file_id],
  )
  await superuser.query(
    `insert into bank_file_pieces (corp_id, file_id, start, bytes) values ($1, $2, 0, $3)`,
    [corp_id, ids.file_id, statement],
  )
  await superuser.query(batchInsertion, [corp_id, [ids.batch_id], 'lead_import'])
  await superuser.query(batchInsertion, [corp_id, [ids.merge_id], 'user_merge'])
  await superuser.query(
    `insert into users (corp_id, user_id, pool, ctime, mtime) values ($1, $2, 'public', now(), now())`,
    [corp_id, ids.merged_user_id],
  )
  return { ...ids, delivery_id: `${ids.endpoint_id}-0` }
}

async function insertWebhook(
  superuser: TestServer['database']['superuser'],
  corp_id: string,
  { endpoint_id, event_id }: { endpoint_id: string; event_id: string },
): Promise<void> {
  const url = `https://hooks.example.com/${endpoint_id}`
  await superuser.query(
    `insert into webhook_endpoints (corp_id, endpoint_id, url, types, description, is_enabled, version, ctime, mtime)
     values ($1, $2, $3, '{*}', '', true, 1, now(), now())`,
    [corp_id, endpoint_id, url],
  )
  await superuser.query('insert into webhook_cursors (corp_id, endpoint_id, seq) values ($1, $2, 0)', [
    corp_id,
    endpoint_id,
  ])
  await superuser.query(
    `insert into webhook_deliveries (corp_id, endpoint_id, seq, event_id, type, state, failures, attempts, next_at, ctime, mtime)
     values ($1, $2, 0, $3, 'ping', 'dead', 10, 10, now(), now(), now())`,
    [corp_id, endpoint_id, event_id],
  )
}

/** The sample school, as stored. */
export async function sampleSchool({ database, sample }: TestServer): Promise<School> {
  const { rows } = await database.superuser.query(
    `select o.corp_id, o.order_id, s.sub_order_id, o.user_id, (select lead_id from leads where corp_id = $1 limit 1) as lead_id,
            (select p.payment_id from payments p where p.corp_id = $1 order by 1 limit 1) as payment_id,
            c.course_id, a.entity_id as tags_group_id, a.attribute, a.category, b.entity_id,
            (select pools[1] from organizations where corp_id = $1) as pool
       from orders o, sub_orders s, courses c, tag_groups a, tag_groups b
      where o.corp_id = $1 and not o.is_deleted and s.corp_id = $1 and s.order_id = o.order_id and c.corp_id = $1 and c.is_active
        and a.corp_id = $1 and a.is_active and not a.is_deleted and a.attribute = 'define'
        and b.corp_id = $1 and b.is_active and not b.is_deleted and b.attribute = 'define' and b.entity_id <> a.entity_id
      order by o.order_id, s.seq, c.course_id, a.entity_id, b.entity_id limit 1`,
    [sample.corp_id],
  )
  if (rows.length === 0)
    throw new Error('The sample school lacks an order, a course or two active tag groups of define.')
  const request_id = newId()
  await insertRequests(database, sample.corp_id, rows[0].order_id, [request_id])
  return { ...rows[0], ...(await insertFiles(database, sample.corp_id)), request_id, account: sample }
}

/** A second school with its own records. */
export async function foundSchool({ database, db, sample }: TestServer): Promise<School> {
  const { corp_id, pools } = await createOrganization(database.owner, { name: 'Another school' }, new Date())
  const order = { order_id: newId(), sub_order_id: newId(), payment_id: newId(), course_id: newId() }
  const ids = { user_id: newId(), lead_id: newId(), ...order, tags_group_id: newId(), entity_id: newId() }
  const { superuser } = database
  await superuser.query(
    `insert into users (corp_id, user_id, pool, ctime, mtime) values ($1, $2, 'public', now(), now())`,
    [corp_id, ids.user_id],
  )
  await superuser.query(
    `insert into leads (corp_id, lead_id, user_id, app_id, fields, ctime) values ($1, $2, $3, 'test', '{}', now())`,
    [corp_id, ids.lead_id, ids.user_id],
  )
  for (const id of [ids.tags_group_id, ids.entity_id]) {
    await superuser.query(
      `insert into tag_groups (corp_id, entity_id, name, variable_name, description, attribute, category, type, ctime, mtime)
       values ($1, $2, 'Group', $2, 'A group', 'define', 'test', 'custom', now(), now())`,
      [corp_id, id],
    )
  }
  await superuser.query(
    `insert into orders (corp_id, order_id, user_id, type, source, status, currency, listed_price, discounted_price,
                         total_price, ctime, mtime)
     values ($1, $2, $3, 'course', 'console', 'created', 'CNY', 100, 100, 100, now(), now())`,
    [corp_id, ids.order_id, ids.user_id],
  )
  await superuser.query(
    `insert into sub_orders (corp_id, sub_order_id, order_id, seq, type, status, currency, total_price, ctime, mtime)
     values ($1, $2, $3, 1, 'full', 'created', 'CNY', 100, now(), now())`,
    [corp_id, ids.sub_order_id, ids.order_id],
  )
  await superuser.query(
    `insert into payments (corp_id, payment_id, order_id, price, currency, order_price, status, source, completed_time, ctime)
     values ($1, $2, $3, 10, 'CNY', 10, 'success', 'console', now(), now())`,
    [corp_id, ids.payment_id, ids.order_id],
  )
  await db.of(corp_id).transaction((tx) => projectPlainOrders(tx, corp_id, [ids.order_id]))
  await superuser.query(
    `insert into courses (corp_id, course_id, course_code, name, currency, listed_price, ctime, mtime)
     values ($1, $2, $2, 'A course', 'CNY', 100, now(), now())`,
    [corp_id, ids.course_id],
  )
  const files = await insertFiles(database, corp_id)
  const request_id = newId()
  await insertRequests(database, corp_id, ids.order_id, [request_id])
  return {
    ...ids,
    ...files,
    request_id,
    corp_id,
    account: sample,
    attribute: 'define',
    category: 'test',
    pool: pools[0]!,
  }
}

/**
 * The number of rows of every table and the transaction of its newest row, once background work has ended. An insertion
 * or a change brings a newer row, a deletion one row less.
 */
export async function fingerprint(server: TestServer): Promise<Record<string, string>> {
  await untilQuiet(server)
  const { superuser } = server.database
  const { rows: tables } = await superuser.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  )
  // Each node of a cluster numbers its own transactions, so the newest is not enough there.
  const written = inject('cluster') ? 'sum(t.xmin::text::bigint)' : `age('3'::xid) - min(age(t.xmin))`
  const prints = tables.map(
    ({ name }) => `select '${name}' as name, concat(count(*), ' ', ${written}) as print from "${name}" t`,
  )
  // Prepared under a name: planning it takes longer than running it.
  const text = prints.join(' union all ')
  const { rows } = await superuser.query<{ name: string; print: string }>({ name: 'fingerprint', text })
  return Object.fromEntries(rows.map(({ name, print }) => [name, print]))
}

/** Waits for the exports and lead files that calls have left to background work, except for the held ones of the stock. */
export async function untilQuiet({ database }: TestServer): Promise<void> {
  await waitFor(async () => {
    const { rowCount } = await database.superuser.query(
      `select from finance_exports where state in ('waiting', 'running')
       union all select from lead_imports where state in ('planning', 'committing') and busy_until < '2999-01-01'`,
    )
    return rowCount === 0
  })
}
