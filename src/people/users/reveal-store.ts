import type { Queryable } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { sql } from '../../database/sql.ts'

/**
 * Counts a reveal of a member of staff in an hour. The row lock serializes their reveals until the commit. A server whose
 * clock is behind does not reset the count to an earlier hour.
 */
export async function countReveal(
  tx: Queryable,
  { corp_id, staff_id, hour }: { corp_id: string; staff_id: string; hour: Date },
): Promise<number> {
  const rows = await tx.query<{ reveals: number }>(sql`
    insert into reveal_hours as counted (corp_id, staff_id, hour, reveals)
    values (${corp_id}, ${staff_id}, ${hour}, 1)
    on conflict (corp_id, staff_id) do update
       set hour = greatest(counted.hour, excluded.hour),
           reveals = case when counted.hour >= excluded.hour then counted.reveals + 1 else 1 end
    returning reveals`)
  return firstRow(rows).reveals
}
