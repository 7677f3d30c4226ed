import type { Exchange } from './caller.ts'
import type { Kit } from './kit.ts'

/**
 * interface: any server that claims v5. matricula: gaps of the interface that Matricula decided. feed: the event
 * feed, an addition.
 */
export const levels = ['interface', 'matricula', 'feed'] as const
export type Level = (typeof levels)[number]

export interface Check {
  /** Unique, such as `order/list row currency`. */
  id: string
  level: Level
  /** The path of the operation below /api/v5/. */
  operation: string
  /** The row of the table that the check is made from, in words. */
  row: string
  /** The gap of the interface that the check holds a decision about. */
  gap?: string
  /** It creates or changes records. `--read-only` leaves it out. */
  writes?: true
  run(kit: Kit): Promise<void>
}

/** The server violates the row. */
export class Mismatch extends Error {
  readonly expected: string
  readonly actual: unknown
  readonly exchange: Exchange | undefined

  constructor(expected: string, actual: unknown, exchange?: Exchange) {
    super(`expected ${expected}`)
    this.expected = expected
    this.actual = actual
    this.exchange = exchange
  }
}

/** The server has no records for the check. */
export class Skipped extends Error {}

/** Fails the check unless the condition holds. */
export function expect(
  holds: boolean,
  expected: string,
  actual: unknown,
  exchange?: Exchange,
): asserts holds {
  if (!holds) throw new Mismatch(expected, actual, exchange)
}

/** Compares as JSON; the order of members makes no difference. */
export function expectEqual(actual: unknown, wanted: unknown, of: string, exchange?: Exchange): void {
  const isEqual = sortedJson(actual) === sortedJson(wanted)
  expect(isEqual, `${of} ${JSON.stringify(wanted)}`, actual, exchange)
}

function sortedJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}
