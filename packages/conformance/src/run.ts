import { Unreachable } from './caller.ts'
import { type Check, type Level, Mismatch, Skipped } from './check.ts'
import { answerChecks } from './checks/answers.ts'
import { feedChecks } from './checks/feed.ts'
import { orderChecks } from './checks/orders.ts'
import { parameterChecks } from './checks/parameters.ts'
import { peopleChecks } from './checks/people.ts'
import { serviceChecks } from './checks/service.ts'
import { tagChecks } from './checks/tags.ts'
import { timeChecks } from './checks/times.ts'
import { tokenChecks } from './checks/tokens.ts'
import { cleanUp, type Left } from './clean-up.ts'
import { Kit, type KitOptions } from './kit.ts'

export interface RunOptions extends KitOptions {
  levels: readonly Level[]
  /** Only checks whose id or operation has this text. */
  only?: string
  /** Called after each check. */
  onResult?: (result: Result) => void
}

export interface Result {
  check: Check
  state: 'passed' | 'failed' | 'skipped'
  ms: number
  /** The reason for skipping it. */
  why?: string
  expected?: string
  actual?: string
  curl?: string
}

export interface Report {
  baseUrl: string
  corpId: string
  levels: readonly Level[]
  startedAt: Date
  ms: number
  results: Result[]
  warnings: string[]
  /** The prefix of the records that the kit created. */
  prefix: string
  removed: number
  left: Left[]
}

/** All checks, in their order: those of the tables first. */
export function allChecks(): Check[] {
  return [
    ...tokenChecks(),
    ...answerChecks(),
    ...timeChecks(),
    ...parameterChecks(),
    ...tagChecks(),
    ...peopleChecks(),
    ...orderChecks(),
    ...serviceChecks(),
    ...feedChecks(),
  ]
}

/** Runs the checks one after the other and removes the records that they created. Throws `Unreachable` if no check can run. */
export async function runChecks(options: RunOptions): Promise<Report> {
  const kit = new Kit(options)
  const { only = '', levels } = options
  const chosen = allChecks().filter(
    ({ id, level, operation }) => levels.includes(level) && (id.includes(only) || operation.includes(only)),
  )
  await kit.caller.token()
  const results: Result[] = []
  for (const check of chosen) {
    const result = await resultOf(kit, check)
    results.push(result)
    options.onResult?.(result)
  }
  const cleaned = await cleanUp(kit).catch(() => ({
    removed: 0,
    left: kit.made.map((made) => ({ ...made, why: 'cleaning up failed' })),
  }))
  return {
    baseUrl: options.baseUrl,
    corpId: options.corpId,
    levels,
    startedAt: kit.startedAt,
    ms: Date.now() - kit.startedAt.getTime(),
    results,
    warnings: [...kit.warnings],
    prefix: kit.prefix,
    ...cleaned,
  }
}

async function resultOf(kit: Kit, check: Check): Promise<Result> {
  const started = performance.now()
  const ended = (rest: Omit<Result, 'check' | 'ms'>): Result => ({
    check,
    ms: performance.now() - started,
    ...rest,
  })
  if (check.writes && kit.options.readOnly)
    return ended({ state: 'skipped', why: 'It creates or changes records.' })
  try {
    await check.run(kit)
    return ended({ state: 'passed' })
  } catch (error) {
    if (error instanceof Skipped) return ended({ state: 'skipped', why: error.message })
    if (error instanceof Mismatch) {
      const { expected, actual, exchange } = error
      return ended({
        state: 'failed',
        expected: kit.caller.mask(expected),
        actual: kit.caller.mask(textOf(actual)),
        ...(exchange && { curl: exchange.curl }),
      })
    }
    if (error instanceof Unreachable)
      return ended({ state: 'failed', expected: 'a response', actual: kit.caller.mask(error.message) })
    // The check could not read the response: it lacks members that other rows report.
    if (error instanceof TypeError)
      return ended({
        state: 'failed',
        expected: check.row,
        actual: `a response of another shape: ${error.message}`,
      })
    throw error
  }
}

const longestActual = 2000

function textOf(actual: unknown): string {
  const text = typeof actual === 'string' ? actual : (JSON.stringify(actual) ?? 'nothing')
  return text.length > longestActual ? `${text.slice(0, longestActual)}…` : text
}
