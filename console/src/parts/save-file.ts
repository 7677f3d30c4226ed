/** Rows as CSV; what a spreadsheet would run as a formula stands behind an apostrophe, which the import takes away again. */
export function csvOf(rows: string[][]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Gives a text to whoever sits there, as a file. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement('a')
  // A spreadsheet takes it for UTF-8 by the mark.
  link.href = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
