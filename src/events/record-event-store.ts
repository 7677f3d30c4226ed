import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { type StoredEvent, storedEvent } from './feed-store.ts'

/** Records of one kind that belong to a person, as far as a timeline looks. */
const maxParts = 1000
/** Events of one change. They have consecutive numbers. */
const maxSiblings = 50

/**
 * The newest events of a record, of the records of a person, and the events of the same changes. Both steps
 * read ranges of an index.
 */
export async function findRecordEvents(
  on: Queryable,
  corp_id: string,
  record_id: string,
  { before = null, limit, types }: { before?: number | null | undefined; limit: number; types: string[] },
): Promise<StoredEvent[]> {
  return on.query<StoredEvent>(sql`
    select ${storedEvent} from events
     where corp_id = ${corp_id} and type = any(${types})
       and seq in (
         select e.seq
           from (select seq, event_id from events
                  where corp_id = ${corp_id} and (${before}::bigint is null or seq < ${before}::bigint)
                    and record_id = any(array(
                      select ${record_id}::text
                      union all
                      (select lead_id from leads
                        where corp_id = ${corp_id} and user_id = ${record_id} order by ctime desc limit ${maxParts})
                      union all
                      (select follow_up_id from user_follow_ups
                        where corp_id = ${corp_id} and user_id = ${record_id} order by ctime desc limit ${maxParts})
                      union all
                      (select entity_id from user_tags
                        where corp_id = ${corp_id} and user_id = ${record_id} limit ${maxParts})
                      union all
                      (select order_id from orders
                        where corp_id = ${corp_id} and user_id = ${record_id} limit ${maxParts})))
                  order by seq desc limit ${limit}) own
           join events e
             on e.corp_id = ${corp_id} and e.seq >= own.seq and e.seq < own.seq + ${maxSiblings}
            and split_part(e.event_id, '-', 1) = split_part(own.event_id, '-', 1))
     order by seq desc`)
}
