import { beforeEach, expect, test } from 'vitest'
import type { OrderFilter } from '../orders/listing/order-filter.ts'
import { createCursorMemory } from './cursor-memory.ts'
import { type Cursors, createCursors } from './cursors.ts'

const filter: OrderFilter = {
  corp_id: 'school',
  timeColumn: 'mtime',
  page: 0,
  page_size: 10,
  timeZone: 'UTC',
}
const end = (n: number) => ({ time: `2024-01-01 00:00:${n}+00`, id: `order-${n}` })
const page = (n: number, change: Partial<OrderFilter> = {}) => ({ ...filter, ...change, page: n })

let nowMs: number
let cursors: Cursors

beforeEach(() => {
  nowMs = 0
  cursors = createCursors(createCursorMemory(() => nowMs))
})

const read = (caller: string, n: number, change?: Partial<OrderFilter>) =>
  cursors.noteEnd(caller, 'orders', page(n, change), end(n))
const before = (caller: string, n: number, change?: Partial<OrderFilter>) =>
  cursors.endOfPageBefore(caller, 'orders', page(n, change))

test('the next page starts after the last row of the page just read', async () => {
  for (const n of [0, 1, 2]) {
    await read('reader', n)
    expect(await before('reader', n + 1)).toEqual(end(n))
  }
})

test('any other page uses an offset: the first, an earlier one, the same again, a later one', async () => {
  for (const n of [0, 1, 2]) await read('reader', n)
  for (const n of [0, 1, 2, 4, 5]) expect(await before('reader', n)).toBeUndefined()
})

test('a walk continues from the page that its reader jumped to', async () => {
  for (const n of [0, 1, 7]) await read('reader', n)
  expect(await before('reader', 2)).toBeUndefined()
  expect(await before('reader', 8)).toEqual(end(7))
})

test('a page whose response was lost can be requested again', async () => {
  await read('reader', 0)
  expect(await before('reader', 1)).toEqual(end(0))
  expect(await before('reader', 1)).toEqual(end(0))
})

test('a page without rows ends the walk', async () => {
  await read('reader', 0)
  await cursors.noteEnd('reader', 'orders', page(1), undefined)
  expect(await before('reader', 1)).toBeUndefined()
  expect(await before('reader', 2)).toBeUndefined()
})

test('a reader who returns after more than five minutes starts from an offset again', async () => {
  await read('reader', 0)
  nowMs = 5 * 60_000
  expect(await before('reader', 1)).toEqual(end(0))
  nowMs++
  expect(await before('reader', 1)).toBeUndefined()
})

test.each<[string, Partial<OrderFilter>]>([
  ['organization', { corp_id: 'another' }],
  ['page size', { page_size: 20 }],
  ['status', { status: 'success' }],
  ['first day', { from: new Date(0) }],
  ['last day', { until: new Date(0) }],
])('a list with another %s is another walk', async (_, change) => {
  await read('reader', 0)
  expect(await before('reader', 1, change)).toBeUndefined()
})

test('walks through different lists are independent', async () => {
  await read('reader', 0)
  expect(await cursors.endOfPageBefore('reader', 'sub_orders', page(1))).toBeUndefined()
})

test('walks of different callers are independent', async () => {
  await read('reader', 0)
  expect(await before('somebody else', 1)).toBeUndefined()
})

test('lists by creation time use offsets, unless rows can lose the status', async () => {
  await read('reader', 0, { timeColumn: 'ctime' })
  expect(await before('reader', 1, { timeColumn: 'ctime' })).toBeUndefined()
  await read('reader', 0, { timeColumn: 'ctime', status: 'created' })
  expect(await before('reader', 1, { timeColumn: 'ctime', status: 'created' })).toEqual(end(0))
})

test('any number of walks of one account evicts none of another', async () => {
  await read('reader', 0)
  for (let n = 0; n < 60_000; n++) await read('busy', 0, { from: new Date(n) })
  expect(await before('reader', 1)).toEqual(end(0))
})

test('an account has a hundred walks: the least recently used one is evicted first', async () => {
  const walk = (n: number) => ({ from: new Date(n) })
  for (let n = 0; n < 100; n++) await read('reader', 0, walk(n))
  await read('reader', 1, walk(0))
  await read('reader', 0, walk(100))
  expect(await before('reader', 2, walk(0))).toEqual(end(1))
  expect(await before('reader', 1, walk(1))).toBeUndefined()
  expect(await before('reader', 1, walk(2))).toEqual(end(0))
})

test('memory is limited over all accounts: the least recently used account is evicted first', async () => {
  for (let n = 0; n < 500; n++) await read(`reader-${n}`, 0)
  await read('reader-0', 1)
  await read('one more', 0)
  expect(await before('reader-0', 2)).toEqual(end(1))
  expect(await before('reader-1', 1)).toBeUndefined()
  expect(await before('reader-2', 1)).toEqual(end(0))
})
