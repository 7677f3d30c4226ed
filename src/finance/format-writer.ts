import type { Readable } from 'node:stream'
import type { ControlSheet } from './control-sheet.ts'
import type { ExportRow } from './export-row.ts'

/** How a format is written; the control sheet is complete once the rows have been read to their end. */
export interface FormatWriter {
  write(rows: AsyncIterable<ExportRow[]>, control: () => ControlSheet): Readable
  /** The control sheet as a file beside the export, where the format has no place for it inside. */
  beside?: { suffix: string; render(control: ControlSheet): string }
}
