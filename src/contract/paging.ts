import { type TSchema, Type } from 'typebox'

/** What lists take and answer alike. Defaults are applied by `windowOf`, so that an absent parameter stays absent. */
export const pageParameters = {
  page: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0, description: 'Page number, from 0' }),
  ),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 10, description: 'Rows per page' }),
  ),
}

export function pageOf<Row extends TSchema>(row: Row) {
  return Type.Object({
    total: Type.Integer(),
    page: Type.Integer(),
    page_size: Type.Integer(),
    list: Type.Array(row),
  })
}

export function windowOf({ page = 0, page_size = 10 }: { page?: number; page_size?: number }) {
  return { page, page_size, limit: page_size, offset: page * page_size }
}
