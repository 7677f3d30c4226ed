import { Type } from 'typebox'

/** Pages of a report, as those of the order lists. */
export const Page = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0, description: 'Page number, from 0' }),
)
export const PageSize = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1000, default: 10, description: 'Rows per page' }),
)
