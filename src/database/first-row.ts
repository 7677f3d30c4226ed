/** The row of a statement that always returns one, such as a count. */
export function firstRow<Row>(rows: Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('The statement returned no row')
  return row
}
