import { expect, test } from 'vitest'
import { createCursors } from './cursors.ts'
import type { OrderFilter } from './order-filter.ts'

const filter: OrderFilter = {
  corp_id: 'school',
  timeColumn: 'mtime',
  page: 0,
  page_size: 10,
  timeZone: 'UTC',
}
const end = (n: number) => ({ time: `2024-01-01 00:00:${n}+00`, id: `order-${n}` })
const page = (n: number, change: Partial<OrderFilter> = {}) => ({ ...filter, ...change, page: n })

test('a page goes on behind the end of the one before', async () => {
  const cursors = createCursors()
  await cursors.noteEnd('reader', 'orders', page(0), end(0))
  await cursors.noteEnd('reader', 'orders', page(1), end(1))
  expect(await cursors.endOfPageBefore('reader', 'orders', page(1))).toEqual(end(0))
  expect(await cursors.endOfPageBefore('reader', 'orders', page(2))).toEqual(end(1))
})

test('the first page, and one whose predecessor was never read, are counted', async () => {
  const cursors = createCursors()
  await cursors.noteEnd('reader', 'orders', page(0), end(0))
  expect(await cursors.endOfPageBefore('reader', 'orders', page(0))).toBeUndefined()
  expect(await cursors.endOfPageBefore('reader', 'orders', page(5))).toBeUndefined()
})

test('a page can be asked for again', async () => {
  const cursors = createCursors()
  await cursors.noteEnd('reader', 'orders', page(0), end(0))
  await cursors.noteEnd('reader', 'orders', page(1), end(1))
  expect(await cursors.endOfPageBefore('reader', 'orders', page(1))).toEqual(end(0))
})

test('the first page begins a new walk', async () => {
  const cursors = createCursors()
  await cursors.noteEnd('reader', 'orders', page(0), end(0))
  await cursors.noteEnd('reader', 'orders', page(1), end(1))
  await cursors.noteEnd('reader', 'orders', page(0), end(7))
  expect(await cursors.endOfPageBefore('reader', 'orders', page(1))).toEqual(end(7))
  expect(await cursors.endOfPageBefore('reader', 'orders', page(2))).toBeUndefined()
})

test.each<[string, Partial<OrderFilter>]>([
  ['organization', { corp_id: 'another' }],
  ['page size', { page_size: 20 }],
  ['status', { status: 'success' }],
  ['first day', { from: new Date(0) }],
  ['last day', { until: new Date(0) }],
])('a list with another %s is another walk', async (_, change) => {
  const cursors = createCursors()
  await cursors.noteEnd('reader', 'orders', page(0), end(0))
  expect(await cursors.endOfPageBefore('reader', 'orders', page(1, change))).toBeUndefined()
})

test('a walk through the other list is another one', async () => {
  const cursors = createCursors()
  await cursors.noteEnd('reader', 'orders', page(0), end(0))
  expect(await cursors.endOfPageBefore('reader', 'sub_orders', page(1))).toBeUndefined()
})

test('the walk of another caller is another one', async () => {
  const cursors = createCursors()
  await cursors.noteEnd('reader', 'orders', page(0), end(0))
  expect(await cursors.endOfPageBefore('somebody else', 'orders', page(1))).toBeUndefined()
})

test('an empty page ends nothing', async () => {
  const cursors = createCursors()
  await cursors.noteEnd('reader', 'orders', page(0), undefined)
  expect(await cursors.endOfPageBefore('reader', 'orders', page(1))).toBeUndefined()
})

test('by creation rows stay where they are and pages are counted, unless a status can be lost', async () => {
  const cursors = createCursors()
  await cursors.noteEnd('reader', 'orders', page(0, { timeColumn: 'ctime' }), end(0))
  expect(await cursors.endOfPageBefore('reader', 'orders', page(1, { timeColumn: 'ctime' }))).toBeUndefined()
  await cursors.noteEnd('reader', 'orders', page(0, { timeColumn: 'ctime', status: 'created' }), end(0))
  expect(
    await cursors.endOfPageBefore('reader', 'orders', page(1, { timeColumn: 'ctime', status: 'created' })),
  ).toEqual(end(0))
})

test('memory is bounded: the walk unused for longest is forgotten first', async () => {
  const cursors = createCursors()
  await cursors.noteEnd('first', 'orders', page(0), end(0))
  await cursors.noteEnd('second', 'orders', page(0), end(0))
  for (let n = 0; n < 1998; n++) await cursors.noteEnd(`reader-${n}`, 'orders', page(0), end(0))
  await cursors.noteEnd('first', 'orders', page(1), end(1))
  await cursors.noteEnd('one more', 'orders', page(0), end(0))
  expect(await cursors.endOfPageBefore('first', 'orders', page(2))).toEqual(end(1))
  expect(await cursors.endOfPageBefore('second', 'orders', page(1))).toBeUndefined()
})
