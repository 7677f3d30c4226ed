/**
 * Formats rows as CSV. An apostrophe before a formula keeps spreadsheets from running it; the import removes it.
 * A negative number is no formula.
 */
export function csvOf(rows: string[][]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text)
  const harmless = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Downloads a text as a file. */
export function saveFile(name: string, text: string): void {
  // The byte order mark makes spreadsheets read UTF-8.
  const address = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv' }))
  openDownload(address, name)
  URL.revokeObjectURL(address)
}

/** Downloads an address; without a name the browser chooses one. */
export function openDownload(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
