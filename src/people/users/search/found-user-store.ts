import { type Statement, sql } from '../../../database/sql.ts'
import { documentsNumbered } from '../../../search/search-index-store.ts'
import type { FoundUsers } from './find-users.ts'

/** Selects the positions of found users in lists. */
export function positionsOf(corp_id: string, { ids, times, others }: FoundUsers): Statement {
  const compared = sql`
    select f.time, f.id
      from unnest(${times.map((time) => time.toISOString())}::timestamptz[], ${ids}::text[]) as f (time, id)`
  return others.length === 0 ? compared : sql`${compared} union all ${documentsNumbered(corp_id, others)}`
}
