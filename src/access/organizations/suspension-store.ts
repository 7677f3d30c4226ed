import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Since when an organization is suspended, and why; both null if it is in service. */
export interface Suspension {
  suspended_at: Date | null
  suspension_reason: string | null
}

/** Locks the organization: changes of its suspension follow each other. */
export async function lockSuspension(tx: Queryable, corp_id: string): Promise<Suspension | undefined> {
  const [row] = await tx.query<Suspension>(sql`
    select suspended_at, suspension_reason from organizations where corp_id = ${corp_id} for update`)
  return row
}

export async function setSuspension(
  tx: Queryable,
  corp_id: string,
  { suspended_at, suspension_reason }: Suspension,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update organizations
       set suspended_at = ${suspended_at}, suspension_reason = ${suspension_reason}, mtime = ${now}
     where corp_id = ${corp_id}
    returning corp_id`)
}

/** The suspended organizations. */
export async function listSuspensions(
  on: Queryable,
): Promise<{ corp_id: string; suspended_at: Date; suspension_reason: string }[]> {
  return on.query(sql`
    select corp_id, suspended_at, suspension_reason from organizations
     where suspended_at is not null order by corp_id`)
}
