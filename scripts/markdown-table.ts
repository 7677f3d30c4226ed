/** A Markdown table with padded columns, as the formatter of the repository wants them. */
export function table(head: string[], rows: string[][]): string {
  const cells = [head, ...rows].map((row) => row.map(escapeCell))
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  const [first, ...rest] = cells.map(line)
  return [first, rule, ...rest].join('\n')
}

/** A bar would end the cell. Angle brackets outside code would be read as HTML. */
function escapeCell(text: string): string {
  const barred = text.replaceAll('|', '\\|')
  return barred.startsWith('`') ? barred : barred.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
