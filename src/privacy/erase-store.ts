import type { Queryable } from '../database/database.ts'
import { type Statement, sql } from '../database/sql.ts'

/** Who is forgotten: all ids and contacts that the person had, and the records about them. */
export interface Forgotten {
  corp_id: string
  user_ids: string[]
  record_ids: string[]
  order_ids: string[]
  /** Numbers and addresses. */
  contacts: string[]
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
    sql`
      update orders
         set kept_copy_digest = user_copy_digest, user_copy = '{}', user_copy_salt = null
       where corp_id = ${corp_id} and order_id = any(${order_ids}::text[]) and kept_copy_digest is null`,
    // Of the whole row, the person included.
    sql`
      update order_import_rows set row_hash = '' where corp_id = ${corp_id} and order_id = any(${order_ids}::text[])`,
    forgettingChanges(forgotten),
    ...forgettingFiles(forgotten),
    forgettingAnswers(forgotten),
  ]
}

/** What changes were, they can no longer be put back to. */
function forgettingChanges({ corp_id, user_ids, record_ids }: Forgotten): Statement {
  return sql`
    update change_batch_records
       set before = null, after = null, left_alone = '{"reason": "was erased", "members": []}'
     where corp_id = ${corp_id} and record_type <> 'orders'
       and (record_id = any(${[...user_ids, ...record_ids]}::text[])
            or before->>'user_id' = any(${user_ids}::text[]) or after->>'user_id' = any(${user_ids}::text[]))`
}

/** Files that were imported are not needed any more; rows that were rejected may have told of the person. */
function forgettingFiles({ corp_id, contacts }: Forgotten): Statement[] {
  return [
    sql`
      delete from lead_import_pieces p
       where p.corp_id = ${corp_id} and exists (
         select from lead_imports i
          where i.corp_id = ${corp_id} and i.import_id = p.import_id and i.state in ('done', 'refused'))`,
    sql`
      update lead_import_rows r set cells = null, reason = 'was erased'
       where r.corp_id = ${corp_id} and r.cells is not null and exists (
         select from unnest(${contacts}::text[]) as contact
          where strpos(lower(r.cells::text), lower(contact)) > 0)`,
  ]
}

function forgettingAnswers({ corp_id, user_ids, contacts }: Forgotten): Statement {
  return sql`
    delete from idempotency_keys k
     where k.corp_id = ${corp_id} and exists (
       select from unnest(${[...user_ids, ...contacts]}::text[]) as told where strpos(k.response, told) > 0)`
}

/** Counts of what nobody has any more; a facet may tell of a person. */
export function dropEmptyCounts(corp_id: string): Statement {
  return sql`delete from facet_counts where corp_id = ${corp_id} and rows = 0`
}
