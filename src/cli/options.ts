/** Every command has it. */
export const jsonOption = ['--json', 'print exactly one JSON object'] as const

/** A list as one option value, separated by commas; an option that is repeated adds to it. */
export function splitList(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((part) => part.trim())]
}

/** Not a number where the text is not one: the use case says what would be right. */
export function readCount(text: string): number {
  return /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
}

/** A number, or that there is no limit. */
export type Limit = number | 'none'

export function readLimit(text: string): Limit {
  return text === 'none' ? text : readCount(text)
}

/** Null from here on only: of an option, the parser would make an empty text of it. */
export function numberOrNull<T>(limit: T | 'none'): T | null {
  return limit === 'none' ? null : limit
}

/** A moment: an ISO 8601 instant or day, or a time from now such as 90d or 12h. Never is null. */
export function readWhen(text: string): Date | 'never' {
  if (text === 'never') return text
  const [, count, unit] = /^([0-9]{1,5})([dh])$/.exec(text) ?? []
  const hours = Number(count) * (unit === 'd' ? 24 : 1)
  const at = new Date(count === undefined ? text : Date.now() + hours * 3_600_000)
  const isIso =
    count !== undefined || /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T.*(Z|[+-][0-9]{2}:[0-9]{2}))?$/.test(text)
  if (isIso && !Number.isNaN(at.getTime())) return at
  throw new Error(
    `When must be a day or an instant with its zone (2027-01-31, 2027-01-31T18:00:00Z), a time from now (90d, 12h), or never, which ${JSON.stringify(text)} is not.`,
  )
}

export function dateOrNull(when: Date | 'never' | undefined): Date | null | undefined {
  return when === 'never' ? null : when
}
