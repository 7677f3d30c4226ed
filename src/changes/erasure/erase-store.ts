import type { Queryable, Surveyor } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { survey } from '../../database/survey.ts'
import { type FactTable, factTables } from '../../orders/ledger/chain/fact-tables.ts'

/** All ids of the person, and the ids of the records about them. */
export interface Forgotten {
  corp_id: string
  user_ids: string[]
  record_ids: string[]
  order_ids: string[]
  payer_ids: string[]
}

export async function isErased(on: Queryable, corp_id: string, user_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select 1 from erased_users where corp_id = ${corp_id} and user_id = ${user_id}`)
  return rows.length > 0
}

export function insertingErased(
  corp_id: string,
  user_ids: string[],
  { executor_id, reason, now, number }: { executor_id: string; reason: string; now: Date; number: number },
): Statement {
  const [person_id] = user_ids
  return sql`
    insert into erased_users (corp_id, user_id, executor_id, reason, at, number, person_id)
    select ${corp_id}, id, ${executor_id}, ${reason}, ${now}::timestamptz, ${number}::bigint, ${person_id}
      from unnest(${user_ids}::text[]) as id
    on conflict (corp_id, user_id) do nothing`
}

/** Removes copies of personal data that are part of other records. */
export function forgetting(forgotten: Forgotten): Statement[] {
  const { corp_id, user_ids, order_ids, payer_ids } = forgotten
  return [
    sql`delete from user_events where corp_id = ${corp_id} and user_id = any(${user_ids}::text[])`,
    sql`
      delete from audit_personal
       where corp_id = ${corp_id} and person_id = any(${[...user_ids, ...payer_ids]}::text[])`,
    sql`delete from mails where corp_id = ${corp_id} and person_id = any(${[...user_ids, ...payer_ids]}::text[])`,
    // The hash covers the whole row, including personal data.
    sql`
      update order_import_rows set row_hash = '', members = members - '{remark,payment_comments}'::text[]
       where corp_id = ${corp_id} and order_id = any(${order_ids}::text[])`,
    ...forgettingTexts(forgotten),
    ...(user_ids.length > 0 ? forgettingDocuments(forgotten) : []),
    ...forgettingChanges(forgotten),
    keepingUndoable(forgotten),
  ]
}

/** Texts on orders. Versions keep only digests, whose salt is removed from the orders. */
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
      update payment_requests set note = ''
       where corp_id = ${corp_id} and order_id = any(${order_ids}::text[])`,
    sql`
      update payment_requests set revoked_at = now()
       where corp_id = ${corp_id} and order_id = any(${order_ids}::text[]) and revoked_at is null`,
    sql`
      update approval_requests set input = input - 'reason'
       where corp_id = ${corp_id} and order_id = any(${order_ids}::text[])`,
    sql`
      update approval_decisions d set reason = ''
        from approval_requests r
       where d.corp_id = ${corp_id} and d.reason is not null
         and r.corp_id = ${corp_id} and r.request_id = d.request_id and r.order_id = any(${order_ids}::text[])`,
  ]
}

/** Documents keep number, lines and sums. */
function forgettingDocuments({ corp_id, user_ids, order_ids }: Forgotten): Statement[] {
  return [
    // A receipt over orders of several people keeps the name of its payer.
    sql`
      update documents set personal = personal - 'student'
       where corp_id = ${corp_id} and kind = 'receipt' and subject_id in (
         select a.payment_id from payment_allocations a
          where a.corp_id = ${corp_id} and a.order_id = any(${order_ids}::text[]))`,
    sql`
      update documents set personal = '{}'
       where corp_id = ${corp_id} and (order_id = any(${order_ids}::text[]) or payer_id in (
         select y.payer_id from payers y where y.corp_id = ${corp_id} and y.user_id = any(${user_ids}::text[])))`,
  ]
}

/** Erasure makes a new version of each order. Batches adopt it, so that an import can still be undone. */
export function keepingUndoable({ corp_id, order_ids }: Pick<Forgotten, 'corp_id' | 'order_ids'>): Statement {
  return sql`
    update change_batch_records r set after = jsonb_set(r.after, '{version}', (o.version + 1)::text::jsonb)
      from orders o
     where o.corp_id = ${corp_id} and o.order_id = any(${order_ids}::text[])
       and r.corp_id = ${corp_id} and r.record_type = 'orders' and r.record_id = o.order_id
       and (r.after->>'version')::integer = o.version`
}

/**
 * Removes images of changes: an undo can no longer restore the person, nor the data that a merge gave to another
 * user.
 */
function forgettingChanges({ corp_id, user_ids, record_ids, order_ids }: Forgotten): Statement[] {
  const forgetting = raw(`
    update change_batch_records
       set before = null, after = null, left_alone = '{"reason": "was erased", "members": []}'`)
  return [
    sql`
      ${forgetting}
       where corp_id = ${corp_id} and record_type not in ('orders', 'order_import_rows')
         and (record_id = any(${[...user_ids, ...record_ids]}::text[])
              or before->>'user_id' = any(${user_ids}::text[]) or after->>'user_id' = any(${user_ids}::text[])
              or record_type = 'users' and batch_id in (
                select m.batch_id from change_batch_records m
                 where m.corp_id = ${corp_id} and m.record_type = 'merged_users'
                   and m.record_id = any(${user_ids}::text[])))`,
    // Imported rows are found by the number of the order in the file. A deleted order gives up its number.
    sql`
      ${forgetting}
       where corp_id = ${corp_id} and record_type = 'order_import_rows' and record_id in (
         select external_id from orders where corp_id = ${corp_id} and order_id = any(${order_ids}::text[])
         union all
         select c.record_id from change_batch_records c
          where c.corp_id = ${corp_id} and c.record_type = 'order_import_rows'
            and c.before->>'order_id' = any(${order_ids}::text[]))`,
  ]
}

/** Uploaded files that were imported are no longer needed. */
export function forgettingImported(corp_id: string): Statement {
  return sql`
    delete from lead_import_pieces p
     where p.corp_id = ${corp_id} and exists (
       select from lead_imports i where i.corp_id = ${corp_id} and i.import_id = p.import_id and i.state = 'done')`
}

/** Responses stored for Idempotency-Keys. */
export function forgettingAnswers(corp_id: string, words: string[]): Statement {
  return sql`
    delete from idempotency_keys k
     where k.corp_id = ${corp_id} and exists (
       select from unnest(${words}::text[]) as word where strpos(k.response, word) > 0)`
}

/** Snapshots of lists, stored for paging. */
export async function findKeptViews(
  on: Queryable,
  corp_id: string,
): Promise<{ view_id: string; name: string; filters: string }[]> {
  return on.query(sql`select view_id, name, filters from console_views where corp_id = ${corp_id}`)
}

export function droppingViews(corp_id: string, viewIds: string[]): Statement {
  return sql`delete from console_views where corp_id = ${corp_id} and view_id = any(${viewIds}::text[])`
}

/**
 * Counts of facets that no record has any more, because a facet may name a person. Parts stay: they announce changes.
 */
export function dropEmptyCounts(corp_id: string): Statement {
  return sql`delete from facet_counts where corp_id = ${corp_id} and rows = 0 and part = ''`
}

/** Months after which users without orders are erased; undefined means never. */
export async function findLeadMonths(on: Queryable, corp_id: string): Promise<number | undefined> {
  const [row] = await on.query<{ lead_months: number }>(sql`
    select lead_months from retention_rules where corp_id = ${corp_id}`)
  return row?.lead_months
}

/** The organizations with a retention period. */
export async function findCorpIdsWithRetention(on: Surveyor): Promise<string[]> {
  return on.corpIds(survey`select r.corp_id from retention_rules r`)
}

export async function storeLeadMonths(on: Queryable, corp_id: string, months: number | null): Promise<void> {
  await on.transaction(async (tx) => {
    const before = { lead_months: (await findLeadMonths(tx, corp_id)) ?? null }
    await tx.query(
      months === null
        ? sql`delete from retention_rules where corp_id = ${corp_id}`
        : sql`
            insert into retention_rules (corp_id, lead_months) values (${corp_id}, ${months})
            on conflict (corp_id) do update set lead_months = excluded.lead_months`,
    )
    tx.note({ record_type: 'retention_rules', record_id: corp_id, before, after: { lead_months: months } })
  })
}

/** Users without orders and without activity since then, oldest first. */
export async function findForgettable(
  on: Queryable,
  corp_id: string,
  since: Date,
  limit: number,
): Promise<{ user_id: string; ctime: Date }[]> {
  return on.query(sql`
    select u.user_id, u.ctime from users u
     where u.corp_id = ${corp_id} and u.ctime < ${since} and u.mtime < ${since}
       and not exists (select from orders o where o.corp_id = ${corp_id} and o.user_id = u.user_id)
       and not exists (select from leads l
                        where l.corp_id = ${corp_id} and l.user_id = u.user_id and l.ctime >= ${since})
       and not exists (select from user_follow_ups f
                        where f.corp_id = ${corp_id} and f.user_id = u.user_id and f.ctime >= ${since})
     order by u.ctime, u.user_id limit ${limit}`)
}
