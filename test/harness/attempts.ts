import { appendFileSync } from 'node:fs'
import { seedOfRun } from './seed.ts'

/** Attempts of a test: few in `npm test`, many in `npm run test:long` and `npm run test:faults`. */
export function attemptsOf(setting: string, few: number): number {
  return Number(process.env[setting] ?? few)
}

/** Adds a line to the report of `npm run test:faults`. */
export function noteAttempts(what: string, attempts: number, failures: number, remark = ''): void {
  const file = process.env.MATRICULA_ATTEMPTS_FILE
  if (file) appendFileSync(file, `${JSON.stringify({ what, attempts, failures, remark })}\n`)
}

/** Pseudo-random numbers. A failure names the seed, which repeats them. */
export function seededRandom(seed = seedOfRun()) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { seed, below, pick: <T>(items: readonly T[]): T => items[below(items.length)]! }
}

export type Random = ReturnType<typeof seededRandom>
