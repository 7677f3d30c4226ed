import type { Queryable } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'
import type { DocumentContent, DocumentDraft, DocumentKind, DocumentPersonal } from './document-content.ts'

/** A document as issued. */
export interface IssuedDocument {
  document_id: string
  kind: DocumentKind
  year: number
  number: number
  subject_id: string
  revision: number
  order_id: string
  /** The orders of the document; for a receipt, those with its payment. */
  order_ids: string[]
  payer_id: string
  price: number
  currency: string
  content: DocumentContent
  personal: DocumentPersonal
  token: string
  executor_id: string
  issued: string
}

/** The series of documents, which takes a lock. Receipts take the numbers of payments. */
export type Series = Exclude<DocumentKind, 'receipt'>

function columns(corp_id: string, timeZone: string): Statement {
  return sql`
    d.document_id, d.kind, d.year, d.number, d.subject_id, d.revision, coalesce(d.order_id, '') as order_id,
    case when d.kind = 'receipt'
         then array(select distinct a.order_id from payment_allocations a
                     where a.corp_id = ${corp_id} and a.payment_id = d.subject_id order by a.order_id)
         else array_remove(array[d.order_id], null) end as order_ids,
    coalesce(d.payer_id, '') as payer_id, d.price, d.currency, d.content, d.personal, d.token, coalesce(d.executor_id, '') as executor_id,
    ${timestamp('d.at', timeZone)} as issued`
}

/** Locks a series until the end of the transaction. Returns its last number. */
export async function lockSeries(
  tx: Queryable,
  corp_id: string,
  kind: Series,
  year: number,
): Promise<number> {
  const rows = await tx.query<{ number: number }>(sql`
    insert into document_series (corp_id, kind, year, number) values (${corp_id}, ${kind}, ${year}, 0)
    on conflict (corp_id, kind, year) do update set number = document_series.number
    returning number`)
  return firstRow(rows).number
}

export async function storeNumber(
  tx: Queryable,
  corp_id: string,
  { kind, year, number }: { kind: Series; year: number; number: number },
): Promise<void> {
  await tx.query(sql`
    update document_series set number = ${number}
     where corp_id = ${corp_id} and kind = ${kind} and year = ${year}`)
}

export interface NewDocument extends DocumentDraft {
  document_id: string
  kind: DocumentKind
  year: number
  number: number
  subject_id: string
  revision: number
  token: string
  executor_id: string
}

/** Inserts a document. Returns false if another transaction has issued it. */
export async function insertDocument(
  tx: Queryable,
  corp_id: string,
  made: NewDocument,
  now: Date,
): Promise<boolean> {
  const { document_id, kind, year, number, subject_id, revision, order_id, price, currency } = made
  const rows = await tx.query(sql`
    insert into documents (corp_id, document_id, kind, year, number, subject_id, revision, order_id, payer_id, price,
                           currency, content, personal, token, executor_id, at)
    values (${corp_id}, ${document_id}, ${kind}, ${year}, ${number}, ${subject_id}, ${revision}, ${order_id}, ${made.payer_id},
            ${price}, ${currency}, ${JSON.stringify(made.content)}::jsonb, ${JSON.stringify(made.personal)}::jsonb, ${made.token},
            ${made.executor_id}, ${now})
    on conflict do nothing
    returning document_id`)
  if (rows.length === 1)
    tx.note({
      record_type: 'documents',
      record_id: document_id,
      after: { document_id, kind, year, number, subject_id, revision, order_id, price, currency },
    })
  return rows.length === 1
}

/** The latest document of a payment, order or refund. */
export async function findLatest(
  on: Queryable,
  corp_id: string,
  { kind, subject_id }: { kind: DocumentKind; subject_id: string },
  timeZone: string,
): Promise<IssuedDocument | undefined> {
  const [document] = await on.query<IssuedDocument>(sql`
    select ${columns(corp_id, timeZone)} from documents d
     where d.corp_id = ${corp_id} and d.kind = ${kind} and d.subject_id = ${subject_id}
     order by d.revision desc limit 1`)
  return document
}

/** A document by its id, or by the token in the address of its file. */
export async function findDocument(
  on: Queryable,
  corp_id: string,
  by: { document_id: string } | { token: string },
  timeZone: string,
): Promise<IssuedDocument | undefined> {
  const [column, value] = 'token' in by ? ['token', by.token] : ['document_id', by.document_id]
  const [document] = await on.query<IssuedDocument>(sql`
    select ${columns(corp_id, timeZone)} from documents d
     where d.corp_id = ${corp_id} and d.${raw(column!)} = ${value}`)
  return document
}

export interface DocumentFilter {
  corp_id: string
  kind?: DocumentKind
  year?: number
  order_id?: string
  payer_id?: string
  /** The person of an order, or the payer that is this person. */
  user_id?: string
  from?: Date
  until?: Date
  limit: number
  offset: number
}

/** Whether a document `d` is about an order `o`. A receipt is about every order that took its payment. */
const aboutOrders = (corp_id: string, orders: Statement) => sql`
  (d.order_id in (select o.order_id from orders o where o.corp_id = ${corp_id} and ${orders})
   or d.kind = 'receipt' and d.subject_id in (
     select a.payment_id from payment_allocations a
       join orders o on o.corp_id = ${corp_id} and o.order_id = a.order_id
      where a.corp_id = ${corp_id} and ${orders}))`

function filtered({ corp_id, ...filter }: DocumentFilter): Statement {
  const { kind, year, order_id, payer_id, user_id, from, until } = filter
  const conditions = [
    kind !== undefined && sql`d.kind = ${kind}`,
    year !== undefined && sql`d.year = ${year}`,
    payer_id !== undefined && sql`d.payer_id = ${payer_id}`,
    order_id !== undefined && aboutOrders(corp_id, sql`o.order_id = ${order_id}`),
    user_id !== undefined &&
      sql`(${aboutOrders(corp_id, sql`o.user_id = ${user_id}`)} or d.payer_id in (
        select y.payer_id from payers y where y.corp_id = ${corp_id} and y.user_id = ${user_id}))`,
    from !== undefined && sql`d.at >= ${from}`,
    until !== undefined && sql`d.at < ${until}`,
  ].filter((condition) => condition !== false)
  return conditions.reduce(
    (all, condition) => sql`${all} and ${condition}`,
    sql`from documents d where d.corp_id = ${corp_id}`,
  )
}

/** A page of documents, the newest first. The place of the page is found in an index, before any content is read. */
export async function findDocumentPage(
  on: Queryable,
  filter: DocumentFilter,
  timeZone: string,
): Promise<{ total: number; list: IssuedDocument[] }> {
  const { corp_id, limit, offset } = filter
  const [[counted], list] = await on.pipeline<[{ total: number }, IssuedDocument]>([
    sql`select count(*) as total ${filtered(filter)}`,
    sql`
      select ${columns(corp_id, timeZone)}
        from (select d.document_id ${filtered(filter)}
               order by d.at desc, d.document_id desc limit ${limit} offset ${offset}) place
        join documents d on d.corp_id = ${corp_id} and d.document_id = place.document_id
       order by d.at desc, d.document_id desc`,
  ])
  return { total: counted!.total, list }
}
