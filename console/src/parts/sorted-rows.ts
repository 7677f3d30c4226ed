import type { Column, SortValue } from './table-rows.tsx'

/** The value by which the browser sorts a row: the declared one, otherwise the text or number of the cell. */
function sortValueOf<Row>({ value, cell }: Column<Row>, row: Row): SortValue {
  if (value) return value(row)
  const content = cell(row)
  return typeof content === 'string' || typeof content === 'number' ? content : undefined
}

/** Whether rows differ by something that the browser can compare. */
export function isComparable<Row>(column: Column<Row>, rows: readonly Row[]): boolean {
  return column.title !== '' && rows.some((row) => !isEmpty(sortValueOf(column, row)))
}

/** The rows by the value of a column. Rows without a value come last in both directions; equal rows keep their order. */
export function sortedRows<Row>(
  rows: readonly Row[],
  column: Column<Row>,
  isDescending: boolean,
  locale: string,
): Row[] {
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const sign = isDescending ? -1 : 1
  return rows
    .map((row) => ({ row, value: sortValueOf(column, row) }))
    .sort((a, b) =>
      isEmpty(a.value) || isEmpty(b.value)
        ? Number(isEmpty(a.value)) - Number(isEmpty(b.value))
        : sign * compareValues(a.value!, b.value!, compare),
    )
    .map(({ row }) => row)
}

type Present = NonNullable<SortValue>

function compareValues(a: Present, b: Present, compareTexts: (a: string, b: string) => number): number {
  const [first, second] = [partsOf(a), partsOf(b)]
  for (const [n, part] of first.entries()) {
    const other = second[n] ?? ''
    const order =
      typeof part === 'number' && typeof other === 'number'
        ? part - other
        : compareTexts(String(part), String(other))
    if (order !== 0) return order
  }
  return 0
}

function partsOf(value: Present): readonly (string | number)[] {
  return typeof value === 'object' ? value : [value]
}

function isEmpty(value: SortValue): boolean {
  return value === null || value === undefined || value === ''
}
