import type { Queryable } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'

/** The deletion of an organization, from its request to its certificate. */
export interface Deletion {
  deletion_id: string
  corp_id: string
  requested_at: Date
  due_at: Date
  canceled_at: Date | null
  began_at: Date | null
  completed_at: Date | null
  heads: object | null
  deleted: Record<string, number>
}

const columns = raw(
  'deletion_id, corp_id, requested_at, due_at, canceled_at, began_at, completed_at, heads, deleted',
)

/** The deletion that is requested or under way. */
export async function findOpenDeletion(on: Queryable, corp_id: string): Promise<Deletion | undefined> {
  const [row] = await on.query<Deletion>(sql`
    select ${columns} from organization_deletions
     where corp_id = ${corp_id} and canceled_at is null and completed_at is null`)
  return row
}

/** The last deletion that was completed. */
export async function findCompletedDeletion(on: Queryable, corp_id: string): Promise<Deletion | undefined> {
  const [row] = await on.query<Deletion>(sql`
    select ${columns} from organization_deletions
     where corp_id = ${corp_id} and completed_at is not null order by completed_at desc limit 1`)
  return row
}

/** Those of these organizations that were deleted. */
export async function findDeleted(on: Queryable, corpIds: string[]): Promise<string[]> {
  const rows = await on.query<{ corp_id: string }>(sql`
    select distinct corp_id from organization_deletions
     where corp_id = any(${corpIds}::text[]) and completed_at is not null`)
  return rows.map(({ corp_id }) => corp_id)
}

/** The deletions that are requested or under way. */
export async function listOpenDeletions(on: Queryable): Promise<Deletion[]> {
  return on.query<Deletion>(sql`
    select ${columns} from organization_deletions
     where canceled_at is null and completed_at is null order by corp_id`)
}

export async function insertDeletion(
  tx: Queryable,
  {
    deletion_id,
    corp_id,
    requested_at,
    due_at,
  }: Pick<Deletion, 'deletion_id' | 'corp_id' | 'requested_at' | 'due_at'>,
): Promise<void> {
  await tx.query(sql`
    insert into organization_deletions (deletion_id, corp_id, requested_at, due_at)
    values (${deletion_id}, ${corp_id}, ${requested_at}, ${due_at})`)
}

export async function cancelDeletion(tx: Queryable, deletion_id: string, now: Date): Promise<void> {
  await tx.query(sql`
    update organization_deletions set canceled_at = ${now} where deletion_id = ${deletion_id}`)
}

export async function beginDeletion(
  tx: Queryable,
  deletion_id: string,
  heads: object,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update organization_deletions set began_at = ${now}, heads = ${JSON.stringify(heads)}::jsonb
     where deletion_id = ${deletion_id} and began_at is null`)
}

/** Adds to the counts, in the transaction of the deleted rows: a restart counts nothing twice. */
export async function addDeleted(
  tx: Queryable,
  deletion_id: string,
  table: string,
  rows: number,
): Promise<void> {
  await tx.query(sql`
    update organization_deletions
       set deleted = jsonb_set(deleted, array[${table}::text],
                               (coalesce((deleted ->> ${table}::text)::bigint, 0) + ${rows}::bigint)::text::jsonb)
     where deletion_id = ${deletion_id}`)
}

export async function completeDeletion(tx: Queryable, deletion_id: string, now: Date): Promise<Deletion> {
  const rows = await tx.query<Deletion>(sql`
    update organization_deletions set completed_at = ${now}
     where deletion_id = ${deletion_id} returning ${columns}`)
  return rows[0]!
}
