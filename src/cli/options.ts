/** An option of every command. */
export const jsonOption = ['--json', 'print exactly one JSON object'] as const

/** Parses a list separated by commas. A repeated option extends the list. */
export function splitList(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((part) => part.trim())]
}

/** NaN for any other text. The use case explains the valid values. */
export function readCount(text: string): number {
  return /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
}

/** Parses a number, or `none` for no limit. */
export type Limit = number | 'none'

export function readLimit(text: string): Limit {
  return text === 'none' ? text : readCount(text)
}

/** Converts to null after parsing, because the parser replaces a null with an empty text. */
export function numberOrNull<T>(limit: T | 'none'): T | null {
  return limit === 'none' ? null : limit
}

/** Parses an ISO 8601 instant or day, a duration from now such as 90d or 12h, or `never`. */
export function readWhen(text: string): Date | 'never' {
  if (text === 'never') return text
  const [, count, unit] = /^([0-9]{1,5})([dh])$/.exec(text) ?? []
  const hours = Number(count) * (unit === 'd' ? 24 : 1)
  const at = new Date(count === undefined ? text : Date.now() + hours * 3_600_000)
  const isIso =
    count !== undefined || /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T.*(Z|[+-][0-9]{2}:[0-9]{2}))?$/.test(text)
  if (isIso && !Number.isNaN(at.getTime())) return at
  throw new Error(
    `The time ${JSON.stringify(text)} is invalid. Write a day (2027-01-31), an instant with an offset (2027-01-31T18:00:00Z), a duration (90d, 12h), or never.`,
  )
}

export function dateOrNull(when: Date | 'never' | undefined): Date | null | undefined {
  return when === 'never' ? null : when
}
