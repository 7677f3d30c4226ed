import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { newId } from '../contract/new-id.ts'
import type { Queryable } from '../database/database.ts'
import { type Statement, sql } from '../database/sql.ts'
import { makeBitmaps } from './facet-bitmap-store.ts'
import { readFacetPage } from './facet-page-store.ts'
import type { FacetQuery } from './facet-query-store.ts'
import { changeEntries, changingOwnEntries, type FacetEntry, foldCounts, type List } from './facet-store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase('matricula')
})
afterAll(() => database?.drop())

const records = 2400
const days = 12
const first = Date.UTC(2026, 0, 1)
const dayMs = 86_400_000
const facets = ['pool:alive', 'owner:a', 'order:success'] as const
type Facet = (typeof facets)[number]

/** The records of a list of one organization, in a model and in the database. */
interface Held {
  corp_id: string
  list: List
  on: Queryable
  /** The facets of each existing record, besides the one that all have. */
  model: Map<string, Set<Facet>>
  /** All records are within this time. */
  span?: number
}

const idOf = (n: number) => String(n).padStart(6, '0')
/** Several records share an instant. */
const timeOf = (id: string, span = days * dayMs) =>
  new Date(first + Math.floor((Number(id.slice(0, 6)) * span) / records / 3) * 3)

async function hold(list: List): Promise<Held> {
  const corp_id = newId()
  const on = database.app.of(corp_id)
  const ids = Array.from({ length: records }, (_, n) => idOf(n))
  const model = new Map(ids.map((id) => [id, new Set(facets.filter((_, k) => Number(id) % (k + 2) > 0))]))
  const held = { corp_id, list, on, model }
  const added = ids.flatMap((id) => entriesOf(held, id, ['', ...model.get(id)!]))
  await change(held, { added, removed: [] })
  return held
}

function entriesOf({ list, span }: Held, id: string, some: string[]): FacetEntry[] {
  return some.map((facet) => ({ list, facet, time: timeOf(id, span), id }))
}

/** Writes as the writers of each list do. */
async function change({ corp_id, list, on }: Held, changes: Parameters<typeof changeEntries>[2]) {
  await on.transaction(async (tx) => {
    if (list === 'orders') await tx.pipeline(changingOwnEntries(corp_id, changes))
    else await changeEntries(tx, corp_id, changes)
  })
}

/** Swaps facets of two records, or removes a record, or restores it. */
async function changeSome(held: Held, { a, b, facet, isGoing }: Change): Promise<void> {
  const { model } = held
  const added: FacetEntry[] = []
  const removed: FacetEntry[] = []
  for (const id of new Set([idOf(a), idOf(b)])) {
    const has = model.get(id)
    if (isGoing) {
      if (has) removed.push(...entriesOf(held, id, ['', ...has]))
      else added.push(...entriesOf(held, id, ['', facet]))
      if (has) model.delete(id)
      else model.set(id, new Set([facet]))
    } else if (has) {
      ;(has.has(facet) ? removed : added).push(...entriesOf(held, id, [facet]))
      if (!has.delete(facet)) has.add(facet)
    }
  }
  await change(held, { added, removed })
}

interface Change {
  a: number
  b: number
  facet: Facet
  isGoing: boolean
}

type Asked = Pick<FacetQuery, 'facets' | 'from' | 'until' | 'isDescending' | 'page' | 'page_size'>

async function expectExact({ corp_id, list, on, model, span }: Held, asked: Asked): Promise<void> {
  const { from, until, isDescending, page, page_size } = asked
  const wanted = [...model]
    .filter(
      ([id, has]) =>
        asked.facets.every((facet) => has.has(facet as Facet)) && isWithin(timeOf(id, span), from, until),
    )
    .map(([id]) => id)
    .sort((a, b) => timeOf(a, span).getTime() - timeOf(b, span).getTime() || (a < b ? -1 : 1))
  if (isDescending) wanted.reverse()
  const query: FacetQuery = { corp_id, list, ranges: [], ...asked }
  const read = (after?: Parameters<typeof readFacetPage>[2], number = page) =>
    readFacetPage<{ id: string }>(on, { ...query, page: number }, after, sql`select page.id`)
  const found = await read()
  const rows = (from: number) => wanted.slice(from, from + page_size)
  expect({ total: found.total, ids: found.rows.map(({ id }) => id) }).toEqual({
    total: wanted.length,
    ids: rows(page * page_size),
  })
  if (!found.end) return
  const next = await read(found.end, page + 1)
  expect(next.rows.map(({ id }) => id)).toEqual(rows((page + 1) * page_size))
}

function isWithin(time: Date, from?: Date, until?: Date): boolean {
  return (!from || time >= from) && (!until || time < until)
}

const someChange = fc.record({
  a: fc.nat(records - 1),
  b: fc.nat(records - 1),
  facet: fc.constantFrom(...facets),
  isGoing: fc.boolean(),
})
/** A swap keeps the counts of its day. */
const someSwap = fc.record({
  a: fc.nat(records - 2),
  facet: fc.constantFrom(...facets),
})
const someInstant = fc.integer({ min: -dayMs, max: (days + 1) * dayMs }).map((ms) => new Date(first + ms))
const someQuestion: fc.Arbitrary<Asked> = fc
  .record({
    // The same facet may come from a filter and from the typed text.
    facets: fc.array(fc.constantFrom(...facets), { minLength: 2, maxLength: 3 }),
    ends: fc.tuple(someInstant, someInstant),
    isFrom: fc.boolean(),
    isUntil: fc.boolean(),
    isDescending: fc.boolean(),
    page: fc.nat(60),
    page_size: fc.constantFrom(1, 20, 150),
  })
  .map(({ ends, isFrom, isUntil, ...asked }) => {
    const [from, until] = ends.sort((a, b) => a.getTime() - b.getTime())
    return { ...asked, ...(isFrom && { from }), ...(isUntil && { until }) }
  })
const step = fc.oneof(
  { weight: 4, arbitrary: someChange.map((each) => (held: Held) => changeSome(held, each)) },
  { weight: 2, arbitrary: someSwap.map((each) => (held: Held) => swap(held, each)) },
  { weight: 1, arbitrary: fc.constant((held: Held) => foldCounts(held.on, held.corp_id)) },
  {
    weight: 2,
    arbitrary: fc.constant(async (held: Held) => void (await makeBitmaps(held.on, held.corp_id))),
  },
  { weight: 4, arbitrary: someQuestion.map((asked) => (held: Held) => expectExact(held, asked)) },
)

/** Of two neighbours, one gives a facet and the other takes it. */
async function swap(held: Held, { a, facet }: { a: number; facet: Facet }): Promise<void> {
  const [one, other] = [idOf(a), idOf(a + 1)].map((id) => held.model.get(id))
  if (one && other && one.has(facet) !== other.has(facet))
    await changeSome(held, { a, b: a + 1, facet, isGoing: false })
}

test.each(['users', 'orders'] as const)(
  'several facets of %s: total and page are exact after any changes, folds and bitmap updates',
  async (list) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 30 }),
        someQuestion,
        async (steps, asked) => {
          const held = await hold(list)
          await foldCounts(held.on, held.corp_id)
          await makeBitmaps(held.on, held.corp_id)
          for (const each of steps) await each(held)
          await expectExact(held, asked)
        },
      ),
      { numRuns: Number(process.env.MATRICULA_LISTS ?? 4) },
    )
  },
)

test.each(['users', 'orders'] as const)(
  'bitmaps of %s that are made while others write do not hide what these have written',
  async (list) => {
    const held = await hold(list)
    const question = { facets: [...facets], isDescending: false, page: 0, page_size: 10 }
    let isOver = false
    const maintenance = async () => {
      while (!isOver) {
        await foldCounts(held.on, held.corp_id)
        await makeBitmaps(held.on, held.corp_id)
      }
    }
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = writer; n < 160; n += 4) {
        const change = { a: n * 13, b: n * 13, facet: facets[n % 3]!, isGoing: n % 2 === 0 }
        await changeSome(held, change)
      }
    })
    const maintained = [maintenance(), maintenance()]
    await Promise.all(writers).finally(() => {
      isOver = true
    })
    await Promise.all(maintained)
    await expectExact(held, question)
    await foldCounts(held.on, held.corp_id)
    await expectExact(held, question)
    await makeBitmaps(held.on, held.corp_id)
    await expectExact(held, question)
  },
)

test('bitmaps wait for concurrent writers of their entries', async () => {
  const held = await hold('orders')
  await makeBitmaps(held.on, held.corp_id)
  await changeSome(held, { a: 0, b: 0, facet: 'owner:a', isGoing: false })
  let making: Promise<number> | undefined
  await held.on.transaction(async (tx) => {
    // Equal numbers are added and removed.
    await swap({ ...held, on: tx }, { a: 1, facet: 'pool:alive' })
    making = makeBitmaps(held.on, held.corp_id)
    await expect.poll(database.lockWaits).toBe(1)
  })
  expect(await making).toBe(1)
  const question = { facets: facets.slice(0, 2), page: 0, page_size: 20 }
  await expectExact(held, question)
})

test('facets that many have in common are counted without their entries', async () => {
  const held = await hold('users')
  await foldCounts(held.on, held.corp_id)
  await makeBitmaps(held.on, held.corp_id)
  await database.superuser.query('vacuum analyze facet_entries, facet_counts')
  for (const page of [0, 40])
    expect(await entriesRead(held, facets.slice(0, 2), page)).toBeLessThanOrEqual((2 * records) / days)
})

function nodesOf(plan: unknown): Record<string, unknown>[] {
  if (Array.isArray(plan)) return plan.flatMap(nodesOf)
  if (plan === null || typeof plan !== 'object') return []
  return [plan as Record<string, unknown>, ...Object.values(plan).flatMap(nodesOf)]
}

test('orders of a day with too many records are scanned, and the day is not processed again', async () => {
  const held = await holdLargeDay('orders', 5001)
  expect(await makeBitmaps(held.on, held.corp_id)).toBe(1)
  expect(await makeBitmaps(held.on, held.corp_id)).toBe(0)
  await expectExact(held, { facets: ['pool:alive', 'owner:a'], page: 2, page_size: 3 })
})

/** All records of a list on one day; many share an instant. */
async function holdLargeDay(list: List, count: number): Promise<Held> {
  const corp_id = newId()
  const held: Held = { corp_id, list, on: database.app.of(corp_id), model: new Map(), span: dayMs / 100 }
  await addToLargeDay(held, count)
  return held
}

async function addToLargeDay(held: Held, count: number): Promise<void> {
  const begin = held.model.size
  const ids = Array.from({ length: count }, (_, index) => {
    const n = begin + index
    return idOf(n % records) + String(Math.floor(n / records))
  })
  for (const id of ids) held.model.set(id, new Set(facets.filter((_, k) => Number(id) % (k + 2) > 0)))
  await change(held, {
    added: ids.flatMap((id) => entriesOf(held, id, ['', ...held.model.get(id)!])),
    removed: [],
  })
  await foldCounts(held.on, held.corp_id)
}

test('a day with many users is divided into slices: total and page are exact after any changes', async () => {
  const asked = fc.oneof(
    someQuestion,
    someQuestion.map((each) => ({ ...each, facets: each.facets.slice(0, 1) })),
  )
  const largeStep = fc.oneof(
    { weight: 5, arbitrary: someChange.map((each) => (held: Held) => changeLarge(held, each)) },
    { weight: 1, arbitrary: fc.constant((held: Held) => foldCounts(held.on, held.corp_id)) },
    {
      weight: 1,
      arbitrary: fc.constant(async (held: Held) => void (await makeBitmaps(held.on, held.corp_id))),
    },
    { weight: 4, arbitrary: asked.map((each) => (held: Held) => expectExact(held, onLargeDay(each))) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(largeStep, { minLength: 10, maxLength: 40 }), asked, async (steps, last) => {
      const held = await holdLargeDay('users', 6000)
      await makeBitmaps(held.on, held.corp_id)
      for (const each of steps) await each(held)
      await expectExact(held, onLargeDay(last))
    }),
    { numRuns: Number(process.env.MATRICULA_LISTS ?? 3) },
  )
})

/** The range of a query, within the large day. */
function onLargeDay({ from, until, ...asked }: Asked): Asked {
  const within = (time: Date) => new Date(first + Math.floor((time.getTime() - first) / 200 / days))
  return { ...asked, ...(from && { from: within(from) }), ...(until && { until: within(until) }) }
}

async function changeLarge(held: Held, { a, b, facet, isGoing }: Change): Promise<void> {
  const ids = [...held.model.keys()]
  const added: FacetEntry[] = []
  const removed: FacetEntry[] = []
  const changed = ids[(a * 7) % ids.length]!
  const has = held.model.get(changed)!
  if (isGoing) {
    removed.push(...entriesOf(held, changed, ['', ...has]))
    held.model.delete(changed)
    const come = `${idOf(b)}${newId().slice(-6)}`
    held.model.set(come, new Set([facet]))
    added.push(...entriesOf(held, come, ['', facet]))
  } else {
    ;(has.has(facet) ? removed : added).push(...entriesOf(held, changed, [facet]))
    if (!has.delete(facet)) has.add(facet)
  }
  await change(held, { added, removed })
}

test('a page of a large day reads a slice of entries, not the whole day', async () => {
  const held = await holdLargeDay('users', 12_000)
  await makeBitmaps(held.on, held.corp_id)
  await database.superuser.query('vacuum analyze facet_entries, facet_counts, facet_slices')
  expect(await entriesRead(held, facets.slice(1, 2), 510)).toBeLessThanOrEqual(2000)
  expect(await entriesRead(held, facets.slice(0, 2), 300)).toBeLessThanOrEqual(2000)
})

test('a large day that has grown is divided again by the next maintenance', async () => {
  const held = await holdLargeDay('users', 6000)
  await makeBitmaps(held.on, held.corp_id)
  await addToLargeDay(held, 18_000)
  await makeBitmaps(held.on, held.corp_id)
  const { rows } = await database.superuser.query(
    `select max(cardinality(ids)) as largest, sum(cardinality(ids))::integer as records
       from facet_slices where corp_id = $1 and facet = ''`,
    [held.corp_id],
  )
  expect(rows[0].records).toBe(24_000)
  expect(rows[0].largest).toBeLessThanOrEqual(2000)
})

/** The most entries that a part of the plan reads for a page. */
async function entriesRead(held: Held, some: string[], page: number): Promise<number> {
  const sent: Statement[] = []
  const { on, corp_id, list } = held
  const watching = { query: (statement: Statement) => sent.push(statement) && on.query(statement) }
  const query = { corp_id, list, facets: some, ranges: [], page, page_size: 10 }
  const { rows } = await readFacetPage(
    watching as unknown as Queryable,
    query,
    undefined,
    sql`select page.id`,
  )
  expect(rows).toHaveLength(10)
  const [explained] = await on.query<object>(sql`explain (analyze, format json) ${sent.at(-1)!}`)
  const read = nodesOf(explained).filter((node) => node['Relation Name'] === 'facet_entries')
  const most = Math.max(...read.map((node) => Number(node['Actual Rows']) * Number(node['Actual Loops'])))
  expect(most).toBeGreaterThan(0)
  return most
}
