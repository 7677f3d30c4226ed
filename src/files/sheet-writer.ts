import type { Readable } from 'node:stream'
import type { WrittenCell } from './csv-lines.ts'

/** A row for all formats: its cells in the order of the columns, and its canonical JSON. */
export interface WrittenRow {
  cells: WrittenCell[]
  line: string
}

/** Control totals, as an object and as lines with headings. */
export interface WrittenControl {
  json: object
  headings: string[]
  lines: WrittenCell[][]
}

/** Writes a format. The control totals are complete after the last row. */
export interface SheetWriter {
  write(columns: string[], rows: AsyncIterable<WrittenRow[]>, control: () => WrittenControl): Readable
  /** Writes the control totals to another file, for formats without a place for them. */
  beside?: { suffix: string; render(control: WrittenControl): string }
}
