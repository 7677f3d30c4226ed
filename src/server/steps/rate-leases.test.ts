import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRateCounter, type RateCounter } from '../../contract/limits/rate-counter.ts'
import { createRateLeases } from './rate-leases.ts'

/** A counter in another process: each access takes a while. */
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

test('with any number of processes, each number is used once, and few calls are refused early', async () => {
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

test('a large limit needs one remote call for many calls', async () => {
  const far = remote(createRateCounter())
  const take = createRateLeases(far)
  for (let n = 1; n <= 5000; n++) expect((await take('key', 1_000_000, 1000)).count).toBe(n)
  expect(far.asked).toBe(5)
})

test('a lease expires with its minute', async () => {
  const take = createRateLeases(createRateCounter())
  for (let n = 1; n <= 10; n++) await take('key', 10_000, 1000)
  expect(await take('key', 10_000, 61_001)).toEqual({ count: 1, endsAtMs: 121_001 })
})
