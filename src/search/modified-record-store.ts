import type { Queryable } from '../database/database.ts'
import { insertionOf } from '../database/insert-rows.ts'
import { raw, type Statement, sql } from '../database/sql.ts'
import type { RowKey } from './cursor-memory.ts'
import { type FacetPage, readMatchedPage } from './facet-page-store.ts'
import { type FacetQuery, inOrder, isAfter, spanOf } from './facet-query-store.ts'

export type ModifiedList = 'users' | 'leads'

/** A record and the time of its last change, as text with microseconds. */
export interface ModifiedRecord {
  list: ModifiedList
  id: string
  time: string
}

const columns = { list: 'text', id: 'text', time: 'timestamptz' } as const

/** Notes the last changes of records, and forgets records that are gone. */
export function notingModified(
  corp_id: string,
  { present, gone }: { present: ModifiedRecord[]; gone: ModifiedRecord[] },
): Statement[] {
  const noted =
    present.length === 0
      ? []
      : [
          sql`${insertionOf('modified_records', columns, corp_id, present)}
              on conflict (corp_id, list, id) do update set time = excluded.time`,
        ]
  const forgotten = (['users', 'leads'] as const).flatMap((list) => {
    const ids = gone.filter((record) => record.list === list).map(({ id }) => id)
    return ids.length === 0
      ? []
      : [
          sql`
            delete from modified_records
             where corp_id = ${corp_id} and list = ${list} and id = any(${ids}::text[]) returning 1`,
        ]
  })
  return [...noted, ...forgotten]
}

type ModifiedQuery = Omit<FacetQuery, 'facets' | 'ranges'> & { list: ModifiedList }

/** A page of the records that were modified in a range of time, by that time. A page is a range of the index. */
export async function readModifiedPage<Row extends object>(
  on: Queryable,
  query: ModifiedQuery,
  after: RowKey | undefined,
  record: Statement,
): Promise<FacetPage<Row>> {
  const { corp_id, list, page, page_size } = query
  const whole = { ...query, facets: [], ranges: [] }
  const { from, until } = spanOf(whole)
  const within = sql`
    m.corp_id = ${corp_id} and m.list = ${list} and m.time >= ${from}::timestamptz and m.time < ${until}::timestamptz`
  const matched = sql`
    with counted as (select count(*) as total from modified_records m where ${within}),
         page as (
           select m.time, m.id from modified_records m
            where ${within} ${after ? sql`and ${isAfter(whole, 'm', after)}` : raw('')}
            order by ${inOrder(whole, 'm')} limit ${page_size} offset ${after ? 0 : page * page_size}::bigint)`
  return readMatchedPage<Row>(on, whole, matched, record)
}
