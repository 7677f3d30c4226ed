/** The result of a command: data for programs, and text for people. */
export interface Answer {
  json: object
  text: string
}

/** Prints one JSON object, or the text. Nothing else goes to standard output. */
export function print(answer: Answer, asJson: boolean | undefined): void {
  process.stdout.write(`${asJson ? exactJson(answer.json) : visibleLines(answer.text)}\n`)
}

export function printError(text: string): void {
  process.stderr.write(`${visibleLines(text)}\n`)
}

/** Control characters and invisible marks, which could move the cursor, start an escape sequence or reverse text. */
const unseen =
  /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Makes foreign text safe for a terminal: shows control characters instead of sending them. */
export function visible(text: string): string {
  return text.replaceAll(unseen, (character) => {
    const code = character.codePointAt(0)!
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    return code === 0x7f ? '\u2421' : `\\u{${code.toString(16)}}`
  })
}

function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}

/** JSON escapes only controls below the space. This escapes the others, which does not change their value. */
function exactJson(value: object): string {
  return JSON.stringify(value).replaceAll(unseen, (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** A cell: a member of the row, or a value computed from the row. */
type Cell<Row> = (keyof Row & string) | ((row: Row) => unknown)

/** Rows under aligned headings. `columns` names members of a row, or maps headings to cells. */
export function table<Row>(rows: Row[], columns: (keyof Row & string)[] | Record<string, Cell<Row>>): string {
  const headings: [string, Cell<Row>][] = Array.isArray(columns)
    ? columns.map((name) => [name, name])
    : Object.entries(columns)
  const lines = [
    headings.map(([heading]) => heading.toUpperCase()),
    ...rows.map((row) => headings.map(([, cell]) => show(typeof cell === 'string' ? row[cell] : cell(row)))),
  ]
  return align(lines)
}

/** One record, a line for each member. */
export function record(members: Record<string, unknown>): string {
  return align(Object.entries(members).map(([name, value]) => [name, show(value)]))
}

function align(lines: string[][]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column]!))))
  const pad = (cell: string, column: number) => cell + ' '.repeat(widths[column]! - widthOf(cell))
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n')
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return visible(Array.isArray(value) ? value.join(', ') : String(value))
}

const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u

/** Width on a terminal: East Asian characters take two columns, combining marks none. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += /\p{M}|\p{Cf}/u.test(character) ? 0 : wide.test(character) ? 2 : 1
  return width
}

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
