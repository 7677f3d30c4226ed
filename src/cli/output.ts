/** What a command has to say: data for programs, or the same for people. */
export interface Answer {
  json: object
  text: string
}

/** Prints one JSON object, or the text for people; nothing else ever goes to standard output. */
export function print(answer: Answer, asJson: boolean | undefined): void {
  process.stdout.write(`${asJson ? JSON.stringify(answer.json) : answer.text}\n`)
}

/** Rows under aligned headings. */
export function table<Row>(rows: Row[], columns: Record<string, (row: Row) => unknown>): string {
  const lines = [
    Object.keys(columns).map((heading) => heading.toUpperCase()),
    ...rows.map((row) => Object.values(columns).map((cell) => show(cell(row)))),
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
  return Array.isArray(value) ? value.join(', ') : String(value)
}

const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u

/** Columns on a terminal: East Asian characters take two, combining marks none. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += /\p{M}|\p{Cf}/u.test(character) ? 0 : wide.test(character) ? 2 : 1
  return width
}
