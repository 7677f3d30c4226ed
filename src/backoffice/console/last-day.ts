import { endOfDay } from '../../contract/days.ts'
import { invalid } from '../../contract/errors.ts'
import { Type } from '../../contract/type.ts'

const never = 'never'

/** A last day, or `never`. */
export function lastDayOr(description: string) {
  return Type.Optional(
    Type.String({ pattern: `^(${never}|\\d{4}-\\d{2}-\\d{2})$`, maxLength: 10, description }),
  )
}

/** When the last day is over in the organization's zone; null: never. Undefined where nothing was said. */
export function endOfLast(
  param: string,
  day: string | undefined,
  { timeZone, now }: { timeZone: string; now: Date },
): Date | null | undefined {
  if (day === undefined) return undefined
  if (day === never) return null
  if (!isDay(day)) throw invalid(param, 'must be a calendar day, YYYY-MM-DD, or never')
  const end = endOfDay(day, timeZone)
  if (end.getTime() <= now.getTime()) throw invalid(param, 'must not be in the past')
  return end
}

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}
