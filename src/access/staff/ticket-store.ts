import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** True for the first sight; those that nobody could use any more are forgotten on the way. */
export async function noteSpent(
  on: Queryable,
  corp_id: string,
  ticket: { ticket_hash: string; ends_at: Date },
  now: Date,
): Promise<boolean> {
  const [, rows] = await on.pipeline<[object, { ticket_hash: string }]>([
    sql`delete from spent_tickets where corp_id = ${corp_id} and ends_at < ${now}`,
    sql`insert into spent_tickets (corp_id, ticket_hash, ends_at)
        values (${corp_id}, ${ticket.ticket_hash}, ${ticket.ends_at})
        on conflict (corp_id, ticket_hash) do nothing
        returning ticket_hash`,
  ])
  return rows.length === 1
}
