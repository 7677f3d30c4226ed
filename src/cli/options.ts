/** Every command has it. */
export const jsonOption = ['--json', 'print exactly one JSON object'] as const

/** A list as one option value, separated by commas; an option that is repeated adds to it. */
export function splitList(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((part) => part.trim())]
}

/** Not a number where the text is not one: the use case says what would be right. */
function readCount(text: string): number {
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
