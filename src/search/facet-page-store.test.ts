import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import type { Queryable } from '../database/database.ts'
import { type Statement, sql } from '../database/sql.ts'
import { readFacetPage } from './facet-page-store.ts'
import type { FacetQuery } from './facet-query-store.ts'

const corp_id = 'school'
const people = 5000
const pageSize = 10
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase('matricula')
  const { superuser } = database
  await superuser.query(
    `insert into facet_entries (corp_id, list, facet, time, id)
     select $1, 'users', facet, timestamptz '2026-01-01' + n * interval '1 hour', lpad(n::text, 6, '0')
       from generate_series(1, $2::int) n, unnest(array['', 'pool:alive', 'owner:' || n % 7]) facet`,
    [corp_id, people],
  )
  await superuser.query(
    `insert into facet_counts (corp_id, list, facet, day, part, rows)
     select corp_id, list, facet, (time at time zone 'UTC')::date, '', count(*) from facet_entries group by 1, 2, 3, 4`,
  )
  await superuser.query('analyze facet_entries, facet_counts')
})
afterAll(() => database?.drop())

const everybody = { corp_id, list: 'users' as const, facets: [], ranges: [], page_size: pageSize }
const record = sql`select page.id as user_id`

test.each([
  { name: 'the last page, newest first', asked: { page: people / pageSize - 1, isDescending: true } },
  { name: 'the last page, oldest first', asked: { page: people / pageSize - 1 } },
  { name: 'a page in the middle', asked: { page: people / pageSize / 2, isDescending: true } },
  {
    name: 'the first page of days long ago',
    asked: { page: 0, isDescending: true, until: new Date('2026-02-01') },
  },
])('$name reads about a day of entries, not all of them', async ({ asked }) => {
  const db = database.app.of(corp_id)
  const sent: Statement[] = []
  const watching = { query: (statement: Statement) => sent.push(statement) && db.query(statement) }
  const query: FacetQuery = { ...everybody, ...asked }
  const { rows } = await readFacetPage(watching as unknown as Queryable, query, undefined, record)
  expect(rows).toHaveLength(pageSize)
  const [explained] = await db.query<{ 'QUERY PLAN': object }>(
    sql`explain (analyze, format json) ${sent.at(-1)!}`,
  )
  const passedOver = JSON.stringify(explained).matchAll(/"Rows Removed by Filter":(\d+)/g)
  expect(Math.max(0, ...Array.from(passedOver, ([, rows]) => Number(rows)))).toBeLessThan(people / 10)
})

test.each([
  { name: 'alike long, are read side by side', facets: ['pool:alive', 'owner:3'] },
  { name: 'one of which nobody has, find nobody', facets: ['pool:alive', 'owner:none'] },
])('several facets, $name', async ({ facets }) => {
  const query = { ...everybody, facets, page: 0 }
  const { total, rows } = await readFacetPage<{ user_id: string }>(
    database.app.of(corp_id),
    query,
    undefined,
    record,
  )
  const wanted = Array.from({ length: people }, (_, n) => n + 1).filter((n) =>
    facets.every((facet) => facet === 'pool:alive' || facet === `owner:${n % 7}`),
  )
  expect(total).toBe(wanted.length)
  expect(rows.map(({ user_id }) => Number(user_id))).toEqual(wanted.slice(0, pageSize))
})
