import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import type { Queryable } from '../../../database/database.ts'
import { type Statement, sql } from '../../../database/sql.ts'
import { readRankedPage } from '../../../search/ranked-page-store.ts'
import { indexNext, puttingDocuments, removingDocuments } from '../../../search/search-index-store.ts'
import { findUsers } from './find-users.ts'
import { loadSearchKeys } from './search-keys.ts'
import { type SearchedPerson, searchTextOf } from './search-text.ts'

/** Every school has these people, and the rest all have the same family name, domain and kind of external id. */
const sought = ['黎王', '王', '王丽', 'Wang', 'Bo Wangari', 'Rowang', '汪洋']
const few = 900
const many = 4500
const marked = '赵九'

const nobody: SearchedPerson = {
  ...{ name: null, first_name: null, last_name: null, area_code: null, mobile: null, backup_area_code: null },
  ...{ backup_mobile: null, email: null, wechat_id: null, external_id: null },
}
const start = Date.parse('2026-01-01T00:00:00Z')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase('matricula')
  for (const people of [few, many]) await openSchool(`school-${people}`, people)
})
afterAll(() => database?.drop())

/** The people who are sought came first: everybody else is newer. */
async function openSchool(corp_id: string, people: number): Promise<void> {
  const names = [...sought, ...Array.from({ length: people }, (_, n) => `李王${givenName(n)}`)]
  await put(
    corp_id,
    names.map((name, n) => ({
      id: idOf(n),
      name,
      email: `p${n}@mail.example`,
      external_id: `CRM-${n}`,
      area_code: '86',
      mobile: String(13_800_000_000 + 7 * n),
    })),
  )
  await index(corp_id)
}

const idOf = (n: number) => String(n).padStart(6, '0')
const givenName = (n: number) => String.fromCodePoint(0x5000 + (n % 89), 0x6000 + (n % 97))
const on = (corp_id: string): Queryable => database.app.of(corp_id)

type Person = Partial<SearchedPerson> & { id: string; user_id?: string }

async function put(corp_id: string, people: Person[]): Promise<void> {
  const documents = people.map(({ id, user_id = id, ...members }, n) => ({
    id,
    user_id,
    time: new Date(start + 1000 * (Number.parseInt(id, 10) || n)),
    text: searchTextOf({ ...nobody, ...members }),
  }))
  await on(corp_id).pipeline(puttingDocuments(corp_id, documents))
}

async function index(corp_id: string): Promise<void> {
  const indexing = async (tx: Queryable) => indexNext(tx, corp_id, loadSearchKeys)
  while ((await on(corp_id).transaction(indexing)) > 0);
}

async function totalOf(corp_id: string, q: string): Promise<number> {
  const { best, others } = await findUsers(on(corp_id), corp_id, q, 'whole')
  return best.length + others.length
}

/** Rows of search tables that a search and its page read, by EXPLAIN. */
async function rowsRead(corp_id: string, q: string, page: number): Promise<{ rows: number; total: number }> {
  const db = on(corp_id)
  const sent: Statement[] = []
  const watched = {
    query(statement: Statement) {
      sent.push(statement)
      return db.query(statement)
    },
    pipeline(parts: Record<string, Statement[]>) {
      sent.push(...Object.values(parts).flat())
      return db.pipeline(parts)
    },
  }
  const watching = watched as unknown as Queryable
  const found = await findUsers(watching, corp_id, q, 'whole')
  const query = { corp_id, list: 'users' as const, facets: [], ranges: [], page, page_size: 50 }
  const { total } = await readRankedPage(watching, query, found, sql`select page.id as user_id`)
  let rows = 0
  for (const statement of sent) {
    const [explained] = await db.query<{ 'QUERY PLAN': object }>(
      sql`explain (analyze, format json) ${statement}`,
    )
    const nodes = JSON.stringify(explained).matchAll(
      /"Relation Name":"search_\w+".*?"Actual Rows":([\d.]+),"Actual Loops":(\d+)/g,
    )
    for (const [, each, loops] of nodes) rows += Number(each) * Number(loops)
  }
  return { rows, total }
}

describe('a search with many candidates', () => {
  test.each([
    ['a character that everybody has', '王'],
    ['letters of a reading', 'wang'],
    ['initials', 'lw'],
    ['the domain of all addresses', 'mail.example'],
    ['a part of all ids', 'crm-'],
    ['the start of all numbers', '138'],
    ['a name and digits', '李 0000'],
  ])('reads as few rows among many people as among few: %s', async (_, q) => {
    for (const page of [0, 9]) {
      const small = await rowsRead(`school-${few}`, q, page)
      const large = await rowsRead(`school-${many}`, q, page)
      expect(small.total).toBeGreaterThan(500)
      expect(large.total).toBeGreaterThan(small.total)
      expect(large.rows).toBeLessThan(small.rows + 50)
      expect(large.rows).toBeLessThan(700)
    }
  })

  test('has the best matches first, also the oldest of them', async () => {
    const namesOf = async (q: string) => {
      const { best } = await findUsers(on(`school-${many}`), `school-${many}`, q, 'whole')
      return best.slice(0, 4).map(({ id }) => sought[Number(id)])
    }
    expect(await namesOf('王')).toEqual(['王', '王丽', undefined, undefined])
    expect(await namesOf('wang')).toEqual(['Wang', 'Bo Wangari', 'Rowang', '王'])
  })

  test('counts everybody once: without people who changed or are gone, and a merged person as the survivor', async () => {
    const corp_id = `school-${few}`
    const before = await totalOf(corp_id, '王')
    await put(corp_id, [
      { id: idOf(20), name: marked },
      { id: 'merged 1', user_id: idOf(30), name: '王一' },
      { id: 'merged 2', user_id: idOf(0), name: '李一' },
    ])
    await on(corp_id).pipeline(removingDocuments(corp_id, [idOf(21), idOf(few)]))
    const left = { all: before - 3, marked: 1 }
    const seen = async () => ({ all: await totalOf(corp_id, '王'), marked: await totalOf(corp_id, marked) })
    expect(await seen()).toEqual(left)
    await index(corp_id)
    expect(await seen()).toEqual(left)
    // Numbers of the documents that are gone are not given out again.
    await put(corp_id, [{ id: idOf(few + 100), name: '李王新' }])
    await index(corp_id)
    expect(await seen()).toEqual({ ...left, all: left.all + 1 })
  })
})
