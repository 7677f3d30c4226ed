import { expect, test } from 'vitest'
import { createRateCounter } from './rate-counter.ts'

test('events are counted for a minute from the first one, per key', () => {
  const counter = createRateCounter()
  expect(counter.count('calls', 'a', 1, 1000)).toEqual({ count: 1, endsAtMs: 61_000 })
  expect(counter.count('calls', 'a', 1, 60_999)).toEqual({ count: 2, endsAtMs: 61_000 })
  expect(counter.count('calls', 'b', 1, 60_999)).toMatchObject({ count: 1 })
  expect(counter.count('calls', 'a', 1, 61_000)).toEqual({ count: 1, endsAtMs: 121_000 })
})

test('a subtracted event does not count, and does not reduce the count of a later minute', () => {
  const counter = createRateCounter()
  counter.count('failures', 'a', 1, 0)
  counter.count('failures', 'a', 1, 0)
  expect(counter.count('failures', 'a', -1, 0)).toMatchObject({ count: 1 })
  counter.count('failures', 'a', 1, 60_000)
  expect(counter.count('failures', 'a', -1, 120_000)).toMatchObject({ count: 0 })
  expect(counter.count('failures', 'a', 1, 120_000)).toMatchObject({ count: 1 })
})

test('beyond the maximum number of windows, only the oldest is dropped', () => {
  const counter = createRateCounter(3)
  for (const [n, key] of ['a', 'b', 'c', 'd'].entries()) counter.count('failures', key, 5, n)
  expect(counter.count('failures', 'b', 1, 10)).toMatchObject({ count: 6 })
  expect(counter.count('failures', 'c', 1, 10)).toMatchObject({ count: 6 })
  expect(counter.count('failures', 'd', 1, 10)).toMatchObject({ count: 6 })
  expect(counter.count('failures', 'a', 1, 10)).toMatchObject({ count: 1 })
})

test('expired windows are dropped before current ones', () => {
  const counter = createRateCounter(3)
  counter.count('failures', 'a', 5, 0)
  counter.count('failures', 'b', 5, 0)
  counter.count('failures', 'c', 5, 50_000)
  counter.count('failures', 'd', 5, 61_000)
  expect(counter.count('failures', 'c', 1, 61_000)).toMatchObject({ count: 6 })
  expect(counter.count('failures', 'd', 1, 61_000)).toMatchObject({ count: 6 })
})

test('52,000 failures change neither the limits of accounts nor the count of later failures', () => {
  const counter = createRateCounter()
  counter.count('calls', 'account', 7, 0)
  for (let n = 0; n < 40_000; n++) counter.count('failures', `somebody ${n}`, 1, 1)
  counter.count('failures', 'victim', 9, 2)
  for (let n = 40_000; n < 52_000; n++) counter.count('failures', `somebody ${n}`, 1, 3)
  expect(counter.count('failures', 'victim', 1, 4)).toMatchObject({ count: 10 })
  expect(counter.count('calls', 'account', 1, 4)).toMatchObject({ count: 8 })
})
