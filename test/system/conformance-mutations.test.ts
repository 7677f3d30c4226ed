import { afterAll, beforeAll, expect, test } from 'vitest'
import { closingText } from '../../packages/conformance/src/reports/text.ts'
import { type BrokenServer, mutations, startBrokenServer } from '../conformance-kit/broken-server.ts'

let broken: BrokenServer

beforeAll(async () => {
  broken = await startBrokenServer()
})
afterAll(() => broken?.close())

test('there are at least 60 different mutations', () => {
  expect(mutations.length).toBeGreaterThanOrEqual(60)
  expect(new Set(mutations.map(({ title }) => title)).size).toBe(mutations.length)
})

// Without a mutation, the kit passes through the same proxy: test/conformance-kit.test.ts.
test.each(mutations)('the kit finds: $title', async ({ mutation }) => {
  const report = await broken.run(mutation)
  const found = report.results.filter(({ state }) => state === 'failed')
  console.log(
    mutation.what,
    '|',
    found
      .map(({ check, expected, actual }) => `${check.id}: ${expected} / ${actual}`.slice(0, 200))
      .join(' ; '),
  )
  expect(found.length, closingText(report)).toBeGreaterThan(0)
})
