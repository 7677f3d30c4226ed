import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger } from '../../../test/harness/ledger.ts'
import { seedOfRun } from '../../../test/harness/seed.ts'
import { compareSchool } from '../../../test/histories/compare-world.ts'
import { playWorld, type WorldGround, worldGround } from '../../../test/histories/play-world.ts'
import { worldHistory } from '../../../test/histories/world-steps.ts'
import { checkLedger } from './check-ledger.ts'

/** `npm run test:long` plays 10,000 of them; the gate plays fewer. */
const histories = Number(process.env.MATRICULA_WORLDS ?? 24)
/** Histories of one school are played one after another, and schools at the same time. */
const atOnce = 8
const historiesPerSchool = Math.max(1, Math.min(100, Math.ceil(histories / atOnce)))

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** The histories of a school, and what the school has after them. */
async function playSchool(seed: number): Promise<WorldGround> {
  const ground = worldGround(await openLedger(database))
  await fc.assert(
    fc.asyncProperty(worldHistory, (each) => playWorld(ground, each)),
    { numRuns: historiesPerSchool, seed, endOnFailure: true },
  )
  await compareSchool(ground, ground.ended)
  expect(await checkLedger(database.app, ground.school.corp_id)).toMatchObject({
    total: 0,
    discrepancies: [],
  })
  return ground
}

test(`over ${histories} random histories, the money of orders, payments, payers and bank accounts agrees with the model`, {
  timeout: 36_000_000,
}, async () => {
  const grounds: WorldGround[] = []
  for (let played = 0; played < histories; played += atOnce * historiesPerSchool) {
    const schools = Array.from({ length: atOnce }, (_, index) => playSchool(seedOfRun() + played + index))
    // All histories run to their end, so that none continues after a failure.
    for (const outcome of await Promise.allSettled(schools)) {
      if (outcome.status === 'rejected') throw outcome.reason
      grounds.push(outcome.value)
    }
  }
  const all = (count: 'histories' | 'steps' | 'refused') =>
    grounds.reduce((sum, each) => sum + each[count], 0)
  expect(all('histories')).toBeGreaterThanOrEqual(histories)
  // Some calls were refused and some not; otherwise the histories test nothing.
  expect(all('refused') / all('steps')).toBeGreaterThan(0.05)
  expect(all('refused') / all('steps')).toBeLessThan(0.5)
  const lines = grounds.flatMap(({ ended }) => ended.flatMap(({ world }) => world.lines))
  for (const state of ['open', 'matched', 'booked', 'ignored'])
    expect(lines.some((line) => line.state === state)).toBe(true)
})
