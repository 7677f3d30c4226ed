import { stringify } from 'csv-stringify/sync'

/** A number exactly as it is written: its digits are never those of floating point. */
export interface Decimal {
  decimal: string
}

export type WrittenCell = string | number | Decimal | null

/** Spreadsheets take a CSV file for UTF-8 only by its byte order mark. */
export const byteOrderMark = '\uFEFF'

/** Line breaks of every kind, the marks that divide cells somewhere, and blanks at either end, which readers drop. */
const needsQuotes = /[",;\t\r\n\v\f\u0085\u2028\u2029]|^\s|\s$/

/** Lines of CSV in which no text is run as a formula; numbers stay as they are. */
export function csvLines(rows: WrittenCell[][], lineBreak: 'unix' | 'windows'): string {
  return stringify(rows, {
    record_delimiter: lineBreak,
    quoted_match: needsQuotes,
    cast: { string: escapeFormulas, object: ({ decimal }) => String(decimal) },
  })
}

/** The beginning of a cell or of a line in it, where a formula follows, behind apostrophes or not. */
const beforeFormula = /(?<=^|[\r\n\v\f\u0085\u2028\u2029])(?='*[=+\-@\t\r＝＋－＠])/g
const escapedFormula = /(?<=^|[\r\n\v\f\u0085\u2028\u2029])'(?='*[=+\-@\t\r＝＋－＠])/g

/**
 * Puts an apostrophe before whatever a spreadsheet would take for a formula, after a line break too: not every reader
 * minds the quotes around it. One more goes before those that have one, so that it can be undone exactly.
 */
function escapeFormulas(text: string): string {
  return text.replaceAll(beforeFormula, "'")
}

export function unescapeFormulas(text: string): string {
  return text.replaceAll(escapedFormula, '')
}
