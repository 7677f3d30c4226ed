import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Ends what was granted to a member of staff, and says who had granted it. */
export async function endGrants(on: Queryable, corp_id: string, account_id: string): Promise<string[]> {
  const rows = await on.query<{ granted_by: string }>(sql`
    delete from access_grants where corp_id = ${corp_id} and account_id = ${account_id}
    returning granted_by`)
  return rows.map(({ granted_by }) => granted_by).sort()
}
