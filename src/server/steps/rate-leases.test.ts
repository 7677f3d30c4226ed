import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRateCounter, type RateCounter } from '../../contract/limits/rate-counter.ts'
import { createRateLeases } from './rate-leases.ts'

/** A count that another process keeps: every look takes a while. */
function remote(counter: RateCounter): RateCounter & { asked: number } {
  const far = {
    asked: 0,
    async count(...what: Parameters<RateCounter['count']>) {
      far.asked++
      await new Promise(setImmediate)
      return counter.count(...what)
    },
  }
  return far
}

const limits = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 500, max: 20_000 }))

test('however many processes count, nobody is let through twice for the same number, and few are turned away early', async () => {
  await fc.assert(
    fc.asyncProperty(limits, fc.integer({ min: 1, max: 4 }), async (limit, processes) => {
      const shared = createRateCounter()
      const takes = Array.from({ length: processes }, () => createRateLeases(remote(shared)))
      const calls = Array.from({ length: limit + 50 }, (_, n) => takes[n % processes]!('key', limit, 1000))
      const counts = (await Promise.all(calls)).map(({ count }) => count)
      expect(new Set(counts).size).toBe(counts.length)
      const allowed = counts.filter((count) => count <= limit).length
      expect(allowed).toBeLessThanOrEqual(limit)
      expect(allowed).toBeGreaterThanOrEqual(limit - processes * Math.floor(limit / 200))
      if (limit < 400) expect(allowed).toBe(limit)
    }),
    { numRuns: 40 },
  )
})

test('a large limit is asked for once in many calls', async () => {
  const far = remote(createRateCounter())
  const take = createRateLeases(far)
  for (let n = 1; n <= 5000; n++) expect((await take('key', 1_000_000, 1000)).count).toBe(n)
  expect(far.asked).toBe(5)
})

test('what was taken in advance is void when the minute is over', async () => {
  const take = createRateLeases(createRateCounter())
  for (let n = 1; n <= 10; n++) await take('key', 10_000, 1000)
  expect(await take('key', 10_000, 61_001)).toEqual({ count: 1, endsAtMs: 121_001 })
})
