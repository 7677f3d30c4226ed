import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** A member of staff created an account, granted its rights, or held its credentials. */
export interface AccessGrant {
  corp_id: string
  /** A member of staff or a program. */
  account_id: string
  /** The member of staff who did it. */
  granted_by: string
}

/** Idempotent. A grant to oneself is not recorded. */
export async function noteGrant(on: Queryable, grant: AccessGrant, now: Date): Promise<void> {
  if (grant.account_id === grant.granted_by) return
  await on.query(sql`
    insert into access_grants (corp_id, account_id, granted_by, at)
    values (${grant.corp_id}, ${grant.account_id}, ${grant.granted_by}, ${now})
    on conflict (corp_id, account_id, granted_by) do nothing`)
}

/** The grants to these accounts. An account that only the operator gave access to has none. */
export async function findGrantors(
  on: Queryable,
  corp_id: string,
  account_ids: string[],
): Promise<Omit<AccessGrant, 'corp_id'>[]> {
  return on.query<Omit<AccessGrant, 'corp_id'>>(sql`
    select account_id, granted_by from access_grants
     where corp_id = ${corp_id} and account_id = any(${account_ids})
     order by account_id, granted_by`)
}

/** Deletes the grants to a member of staff. Returns their grantors. */
export async function endGrants(on: Queryable, corp_id: string, account_id: string): Promise<string[]> {
  const rows = await on.query<{ granted_by: string }>(sql`
    delete from access_grants where corp_id = ${corp_id} and account_id = ${account_id}
    returning granted_by`)
  return rows.map(({ granted_by }) => granted_by).sort()
}
