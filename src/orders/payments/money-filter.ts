import type { Organization } from '../../contract/caller.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { dayParameters, instantsOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { findMissing, type MoneyFilter, type NamedRecords } from './money-list-store.ts'

/** The input of the lists of payments and refunds. */
export const moneyListInput = {
  corp_id: OrganizationId,
  page: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'Page number, from 0' }),
  ),
  page_size: pageParameters.page_size,
  start_date: Type.Optional({
    ...Type.String({ format: 'date' }),
    description: 'First day of the range by completed_time, in the zone of the organization',
  }),
  end_date: dayParameters.end_date,
  method: Type.Optional(described(Id, 'The method of payment')),
  provider: Type.Optional(described(Id, 'The provider of the charge')),
  user_id: Type.Optional(
    described(Id, 'The user of an order that it was reported for, or that has its money'),
  ),
  order_id: Type.Optional(described(Id, 'The order that it was reported for, or that has its money')),
}

const Input = Type.Object(moneyListInput)
type MoneyListInput = Static<typeof Input>

export function moneyFilterOf(input: MoneyListInput, { time_zone }: Organization): MoneyFilter {
  const { corp_id, method, provider, user_id, order_id } = input
  const { page, page_size } = windowOf(input)
  return {
    ...{ corp_id, method, provider, user_id, order_id, page, page_size, timeZone: time_zone },
    ...instantsOf(input, time_zone),
  }
}

/** A person or order that does not exist is an error, not an empty list. */
export async function refuseMissing(on: Queryable, filter: NamedRecords): Promise<void> {
  if (filter.user_id === undefined && filter.order_id === undefined) return
  const missing = await findMissing(on, filter)
  if (missing) throw new ApiError(missing === 'user' ? 'userNotFound' : 'orderNotFound')
}
