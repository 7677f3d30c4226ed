import type { Readable } from 'node:stream'
import type { WrittenCell } from './csv-lines.ts'

/** A row as every format writes it: its cells in the order of the columns, and its canonical line of JSON. */
export interface WrittenRow {
  cells: WrittenCell[]
  line: string
}

/** What whoever receives the rows holds them against, as an object and as lines under headings. */
export interface WrittenControl {
  json: object
  headings: string[]
  lines: WrittenCell[][]
}

/** How a format is written; the control is complete once the rows have been read to their end. */
export interface SheetWriter {
  write(columns: string[], rows: AsyncIterable<WrittenRow[]>, control: () => WrittenControl): Readable
  /** The control as a file of its own, where the format has no place for it inside. */
  beside?: { suffix: string; render(control: WrittenControl): string }
}
