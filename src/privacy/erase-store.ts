import type { Queryable } from '../database/database.ts'
import { raw, type Statement, sql } from '../database/sql.ts'
import { type FactTable, factTables } from '../orders/chain/fact-tables.ts'

/** Who is forgotten: all ids and contacts that the person had, and the records about them. */
export interface Forgotten {
  corp_id: string
  user_ids: string[]
  record_ids: string[]
  order_ids: string[]
  /** Numbers and addresses. */
  contacts: string[]
  names: string[]
}

export async function isErased(on: Queryable, corp_id: string, user_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select 1 from erased_users where corp_id = ${corp_id} and user_id = ${user_id}`)
  return rows.length > 0
}

export function insertingErased(
  corp_id: string,
  user_ids: string[],
  { executor_id, reason, now }: { executor_id: string; reason: string; now: Date },
): Statement {
  return sql`
    insert into erased_users (corp_id, user_id, executor_id, reason, at)
    select ${corp_id}, id, ${executor_id}, ${reason}, ${now}::timestamptz from unnest(${user_ids}::text[]) as id
    on conflict (corp_id, user_id) do nothing`
}

/** Takes away what was copied of a person, wherever that is not a record of its own. */
export function forgetting(forgotten: Forgotten): Statement[] {
  const { corp_id, user_ids, order_ids } = forgotten
  return [
    sql`delete from user_events where corp_id = ${corp_id} and user_id = any(${user_ids}::text[])`,
    sql`delete from audit_personal where corp_id = ${corp_id} and person_id = any(${user_ids}::text[])`,
    // Of the whole row, the person included.
    sql`
      update order_import_rows set row_hash = '' where corp_id = ${corp_id} and order_id = any(${order_ids}::text[])`,
    ...forgettingTexts(forgotten),
    forgettingStatements(forgotten),
    forgettingChanges(forgotten),
    keepingUndoable(forgotten),
    ...forgettingFiles(forgotten),
    forgettingAnswers(forgotten),
  ]
}

/** What people wrote on the orders. Versions hold digests, with the salt that the orders forget. */
function forgettingTexts({ corp_id, order_ids }: Forgotten): Statement[] {
  const emptying = (table: string, order: string, text: string) => sql`
    update ${raw(table)} set ${raw(text)} = ''
     where corp_id = ${corp_id} and ${raw(order)} = any(${order_ids}::text[]) and ${raw(text)} is not null`
  return [
    emptying('order_versions', 'order_id', 'reason'),
    ...Object.entries<FactTable>(factTables).flatMap(([table, { order, text }]) =>
      text === undefined ? [] : [emptying(table, order, text)],
    ),
    sql`
      update refund_requests set input = input - 'reason'
       where corp_id = ${corp_id} and order_id = any(${order_ids}::text[])`,
    sql`
      update refund_decisions d set reason = ''
        from refund_requests r
       where d.corp_id = ${corp_id} and d.reason is not null
         and r.corp_id = ${corp_id} and r.request_id = d.request_id and r.order_id = any(${order_ids}::text[])`,
  ]
}

/** What banks told with the money of the orders, or of the person by number or address. */
function forgettingStatements({ corp_id, order_ids, contacts }: Forgotten): Statement {
  return sql`
    update statement_lines l set description = null, reference = null
     where l.corp_id = ${corp_id} and (l.description is not null or l.reference is not null)
       and (exists (
              select from statement_matches m
                join payments p on p.corp_id = ${corp_id} and p.payment_id = m.payment_id
               where m.corp_id = ${corp_id} and m.line_id = l.line_id and p.order_id = any(${order_ids}::text[]))
            or exists (
              select from unnest(${contacts}::text[]) as contact
               where strpos(lower(concat_ws(' ', l.description, l.reference)), lower(contact)) > 0))`
}

/** An undo cannot put back what is forgotten here. It includes what merges of the person gave to somebody else. */
function forgettingChanges({ corp_id, user_ids, record_ids }: Forgotten): Statement {
  return sql`
    update change_batch_records
       set before = null, after = null, left_alone = '{"reason": "was erased", "members": []}'
     where corp_id = ${corp_id} and record_type <> 'orders'
       and (record_id = any(${[...user_ids, ...record_ids]}::text[])
            or before->>'user_id' = any(${user_ids}::text[]) or after->>'user_id' = any(${user_ids}::text[])
            or record_type = 'users' and batch_id in (
              select m.batch_id from change_batch_records m
               where m.corp_id = ${corp_id} and m.record_type = 'merged_users' and m.record_id = any(${user_ids}::text[])))`
}

/** Erasure makes a new version of each order. Batches take it over: an import that made the order can still be undone. */
function keepingUndoable({ corp_id, order_ids }: Forgotten): Statement {
  return sql`
    update change_batch_records r set after = jsonb_set(r.after, '{version}', (o.version + 1)::text::jsonb)
      from orders o
     where o.corp_id = ${corp_id} and o.order_id = any(${order_ids}::text[])
       and r.corp_id = ${corp_id} and r.record_type = 'orders' and r.record_id = o.order_id
       and (r.after->>'version')::integer = o.version`
}

/** Files that were imported are not needed any more; rows that were rejected may have told of the person. */
function forgettingFiles({ corp_id, contacts, names }: Forgotten): Statement[] {
  const told = [...contacts, ...names]
  return [
    sql`
      delete from lead_import_pieces p
       where p.corp_id = ${corp_id} and exists (
         select from lead_imports i
          where i.corp_id = ${corp_id} and i.import_id = p.import_id and i.state in ('done', 'refused'))`,
    sql`
      update lead_import_rows r set cells = null, reason = 'was erased'
       where r.corp_id = ${corp_id} and r.cells is not null and exists (
         select from unnest(${told}::text[]) as told where strpos(lower(r.cells::text), lower(told)) > 0)`,
    sql`
      update lead_imports i set file_name = 'erased'
       where i.corp_id = ${corp_id} and exists (
         select from unnest(${told}::text[]) as told where strpos(lower(i.file_name), lower(told)) > 0)`,
  ]
}

function forgettingAnswers({ corp_id, user_ids, order_ids, contacts }: Forgotten): Statement {
  return sql`
    delete from idempotency_keys k
     where k.corp_id = ${corp_id} and exists (
       select from unnest(${[...user_ids, ...order_ids, ...contacts]}::text[]) as told where strpos(k.response, told) > 0)`
}

/** Views of lists that were kept, to be looked through. */
export async function findKeptViews(
  on: Queryable,
  corp_id: string,
): Promise<{ view_id: string; name: string; filters: string }[]> {
  return on.query(sql`select view_id, name, filters from console_views where corp_id = ${corp_id}`)
}

export function droppingViews(corp_id: string, viewIds: string[]): Statement {
  return sql`delete from console_views where corp_id = ${corp_id} and view_id = any(${viewIds}::text[])`
}

/** Counts of what nobody has any more; a facet may tell of a person. Parts tell that something has changed. */
export function dropEmptyCounts(corp_id: string): Statement {
  return sql`delete from facet_counts where corp_id = ${corp_id} and rows = 0 and part = ''`
}
