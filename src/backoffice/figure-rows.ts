import { BigInteger, IsoInstant } from '../contract/fields.ts'
import { pageOf } from '../contract/paging.ts'
import { type TSchema, Type } from '../contract/type.ts'

/** The rows behind a figure, as of an instant. `value` is the figure, and covers all pages. */
export function figureRowsOf<Row extends TSchema>(row: Row) {
  return Type.Object({ as_of: IsoInstant, value: BigInteger, ...pageOf(row).properties })
}

/** A page of one row. */
export const examplePage = { total: 1, page: 0, page_size: 10 }
