import { expect, test } from 'vitest'
import { createListWalks } from './list-walks.ts'
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

test('a page goes on behind the end of the one before', () => {
  const walks = createListWalks()
  walks.noteEnd('reader', page(0), end(0))
  walks.noteEnd('reader', page(1), end(1))
  expect(walks.endOfPageBefore('reader', page(1))).toEqual(end(0))
  expect(walks.endOfPageBefore('reader', page(2))).toEqual(end(1))
})

test('the first page, and one whose predecessor was never read, are counted', () => {
  const walks = createListWalks()
  walks.noteEnd('reader', page(0), end(0))
  expect(walks.endOfPageBefore('reader', page(0))).toBeUndefined()
  expect(walks.endOfPageBefore('reader', page(5))).toBeUndefined()
})

test('a page can be asked for again', () => {
  const walks = createListWalks()
  walks.noteEnd('reader', page(0), end(0))
  walks.noteEnd('reader', page(1), end(1))
  expect(walks.endOfPageBefore('reader', page(1))).toEqual(end(0))
})

test('the first page begins a new walk', () => {
  const walks = createListWalks()
  walks.noteEnd('reader', page(0), end(0))
  walks.noteEnd('reader', page(1), end(1))
  walks.noteEnd('reader', page(0), end(7))
  expect(walks.endOfPageBefore('reader', page(1))).toEqual(end(7))
  expect(walks.endOfPageBefore('reader', page(2))).toBeUndefined()
})

test.each<[string, Partial<OrderFilter>]>([
  ['organization', { corp_id: 'another' }],
  ['page size', { page_size: 20 }],
  ['status', { status: 'success' }],
  ['first day', { from: new Date(0) }],
  ['last day', { until: new Date(0) }],
])('a list with another %s is another walk', (_, change) => {
  const walks = createListWalks()
  walks.noteEnd('reader', page(0), end(0))
  expect(walks.endOfPageBefore('reader', page(1, change))).toBeUndefined()
})

test('the walk of another caller is another one', () => {
  const walks = createListWalks()
  walks.noteEnd('reader', page(0), end(0))
  expect(walks.endOfPageBefore('somebody else', page(1))).toBeUndefined()
})

test('an empty page ends nothing', () => {
  const walks = createListWalks()
  walks.noteEnd('reader', page(0), undefined)
  expect(walks.endOfPageBefore('reader', page(1))).toBeUndefined()
})

test('by creation rows stay where they are and pages are counted, unless a status can be lost', () => {
  const walks = createListWalks()
  walks.noteEnd('reader', page(0, { timeColumn: 'ctime' }), end(0))
  expect(walks.endOfPageBefore('reader', page(1, { timeColumn: 'ctime' }))).toBeUndefined()
  walks.noteEnd('reader', page(0, { timeColumn: 'ctime', status: 'created' }), end(0))
  expect(walks.endOfPageBefore('reader', page(1, { timeColumn: 'ctime', status: 'created' }))).toEqual(end(0))
})

test('memory is bounded: the walk unused for longest is forgotten first', () => {
  const walks = createListWalks()
  walks.noteEnd('first', page(0), end(0))
  walks.noteEnd('second', page(0), end(0))
  for (let n = 0; n < 998; n++) walks.noteEnd(`reader-${n}`, page(0), end(0))
  walks.noteEnd('first', page(1), end(1))
  walks.noteEnd('one more', page(0), end(0))
  expect(walks.endOfPageBefore('first', page(2))).toEqual(end(1))
  expect(walks.endOfPageBefore('second', page(1))).toBeUndefined()
})
