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

function columns(timeZone: string): Statement {
  return sql`
    d.document_id, d.kind, d.year, d.number, d.subject_id, d.revision, coalesce(d.order_id, '') as order_id, d.price,
    d.currency, d.content, d.personal, d.token, coalesce(d.executor_id, '') as executor_id,
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
    select ${columns(timeZone)} from documents d
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
    select ${columns(timeZone)} from documents d
     where d.corp_id = ${corp_id} and d.${raw(column!)} = ${value}`)
  return document
}

export interface DocumentFilter {
  corp_id: string
  kind?: DocumentKind
  order_id?: string
  from?: Date
  until?: Date
  limit: number
  offset: number
}

/** A page of documents, the newest first. */
export async function findDocumentPage(
  on: Queryable,
  { corp_id, kind, order_id, from, until, limit, offset }: DocumentFilter,
  timeZone: string,
): Promise<{ total: number; list: IssuedDocument[] }> {
  const only = (condition: Statement | undefined) => condition ?? raw('')
  const found = sql`
      from documents d
     where d.corp_id = ${corp_id} ${only(kind && sql`and d.kind = ${kind}`)}
           ${only(order_id === undefined ? undefined : sql`and d.order_id = ${order_id}`)}
           ${only(from && sql`and d.at >= ${from}`)} ${only(until && sql`and d.at < ${until}`)}`
  const [[counted], list] = await on.pipeline<[{ total: number }, IssuedDocument]>([
    sql`select count(*) as total ${found}`,
    sql`select ${columns(timeZone)} ${found} order by d.at desc, d.document_id desc limit ${limit} offset ${offset}`,
  ])
  return { total: counted!.total, list }
}
