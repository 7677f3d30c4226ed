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
  // A spreadsheet takes it for UTF-8 by the mark.
  const address = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv' }))
  openDownload(address, name)
  URL.revokeObjectURL(address)
}

/** Has the browser download a file; its own name where none is given. */
export function openDownload(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
