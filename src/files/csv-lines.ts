import { stringify } from 'csv-stringify/sync'

/** A number as written, never rounded by floating point. */
export interface Decimal {
  decimal: string
}

export type WrittenCell = string | number | Decimal | null

/** Spreadsheets recognise UTF-8 in CSV files only by the byte order mark. */
export const byteOrderMark = '\uFEFF'

/** Line breaks, cell separators, and white space at either end, which readers drop. */
const needsQuotes = /[",;\t\r\n\v\f\u0085\u2028\u2029]|^\s|\s$/

/** Lines of CSV without formulas. Numbers stay as they are. */
export function csvLines(rows: WrittenCell[][], lineBreak: 'unix' | 'windows'): string {
  return stringify(rows, {
    record_delimiter: lineBreak,
    quoted_match: needsQuotes,
    cast: { string: escapeFormulas, object: ({ decimal }) => String(decimal) },
  })
}

/** The start of a cell, or of a line in it, before a formula with or without apostrophes. */
const beforeFormula = /(?<=^|[\r\n\v\f\u0085\u2028\u2029])(?='*[=+\-@\t\r＝＋－＠])/g
const escapedFormula = /(?<=^|[\r\n\v\f\u0085\u2028\u2029])'(?='*[=+\-@\t\r＝＋－＠])/g

/**
 * Puts an apostrophe before each formula, also after line breaks, because some readers ignore quotes. Text that has
 * an apostrophe there gets another one, so that the escape is reversible.
 */
function escapeFormulas(text: string): string {
  return text.replaceAll(beforeFormula, "'")
}

export function unescapeFormulas(text: string): string {
  return text.replaceAll(escapedFormula, '')
}
