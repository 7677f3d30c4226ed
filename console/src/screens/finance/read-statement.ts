import type { InputOf } from '../../calls/call.ts'
import { readMoney } from '../../parts/format-money.ts'

export type StatementLine = NonNullable<InputOf<'matchStatementLines'>['lines']>[number]

/** The lines of a statement in CSV with headings; those without a day and an amount are left out. */
export function readStatement(text: string, currency: string): StatementLine[] {
  const [headings = [], ...rows] = cellsOf(text)
  const at = (name: string) => headings.findIndex((heading) => heading.trim().toLowerCase() === name)
  const columns = Object.fromEntries(
    ['value_date', 'price', 'currency', 'provider', 'charge_id', 'reference', 'description'].map((name) => [
      name,
      at(name),
    ]),
  )
  return rows.flatMap((row) => {
    const cell = (name: string) => row[columns[name] ?? -1]?.trim() || undefined
    const own = cell('currency') ?? currency
    const price = cell('price') === undefined ? undefined : readMoney(cell('price')!, own)
    const value_date = cell('value_date')
    if (!price || !value_date) return []
    const line = { value_date, price, currency: own as StatementLine['currency'] }
    const more = ['provider', 'charge_id', 'reference', 'description'] as const
    return [
      { ...line, ...Object.fromEntries(more.flatMap((name) => (cell(name) ? [[name, cell(name)]] : []))) },
    ]
  })
}

/** Commas or semicolons, and quotes around what holds them. */
function cellsOf(text: string): string[][] {
  const separator = (text.split('\n', 1)[0] ?? '').includes(';') ? ';' : ','
  const rows: string[][] = [[]]
  let [cell, isQuoted] = ['', false]
  const end = () => {
    rows.at(-1)!.push(cell)
    cell = ''
  }
  for (let index = text.charCodeAt(0) === 0xfeff ? 1 : 0; index < text.length; index++) {
    const sign = text[index]!
    if (isQuoted && sign === '"' && text[index + 1] === '"') {
      cell += '"'
      index++
    } else if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && sign === separator) end()
    else if (!isQuoted && sign === '\n') {
      end()
      rows.push([])
    } else if (isQuoted || sign !== '\r') cell += sign
  }
  end()
  return rows.filter((row) => row.some((each) => each.trim() !== ''))
}
