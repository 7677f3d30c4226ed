import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Returns true for the first use of a ticket. Deletes records of expired tickets. */
export async function noteSpent(
  on: Queryable,
  corp_id: string,
  ticket: { ticket_hash: string; ends_at: Date },
  now: Date,
): Promise<boolean> {
  const { spent } = await on.pipeline<{ expired: object; spent: object }>({
    expired: sql`delete from spent_tickets where corp_id = ${corp_id} and ends_at < ${now}`,
    spent: sql`insert into spent_tickets (corp_id, ticket_hash, ends_at)
        values (${corp_id}, ${ticket.ticket_hash}, ${ticket.ends_at})
        on conflict (corp_id, ticket_hash) do nothing
        returning ticket_hash`,
  })
  return spent.length === 1
}
