import { type Static, Type } from 'typebox'
import type { Organization } from '../../contract/caller.ts'
import { endOfDay, firstDay, lastDay, startOfDay } from '../../contract/days.ts'
import { ApiError, type InputFault } from '../../contract/errors.ts'
import { defaultOf, described, Id, OrganizationId } from '../../contract/fields.ts'
import type { Queryable } from '../../database/database.ts'
import { findMissing, type MoneyFilter, type NamedRecords } from './money-list-store.ts'

const CalendarDate = Type.String({ format: 'date' })

/** What the lists of payments and refunds take. */
export const moneyListInput = {
  corp_id: OrganizationId,
  page: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'Page number, from 0' }),
  ),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 10, description: 'Rows per page' }),
  ),
  start_date: Type.Optional({
    ...CalendarDate,
    description: 'First day of the range by completed_time, in the zone of the organization',
  }),
  end_date: Type.Optional({ ...CalendarDate, description: 'Last day of the range, included whole' }),
  method: Type.Optional(described(Id, 'How it was paid')),
  provider: Type.Optional(described(Id, 'Whose charge it is')),
  user_id: Type.Optional(described(Id, 'Whose order it was told for')),
  order_id: Type.Optional(described(Id, 'The order that it was told for')),
}

const Input = Type.Object(moneyListInput)
type MoneyListInput = Static<typeof Input>

export function moneyFilterOf(input: MoneyListInput, { time_zone }: Organization): MoneyFilter {
  const { corp_id, method, provider, user_id, order_id, start_date, end_date } = input
  const { page = defaultOf(Input, 'page'), page_size = defaultOf(Input, 'page_size') } = input
  return {
    ...{ corp_id, method, provider, user_id, order_id, page, page_size, timeZone: time_zone },
    ...(start_date !== undefined && start_date !== firstDay && { from: startOfDay(start_date, time_zone) }),
    ...(end_date !== undefined && end_date !== lastDay && { until: endOfDay(end_date, time_zone) }),
  }
}

/** A person or an order that does not exist is told, rather than shown as one without money. */
export async function refuseMissing(on: Queryable, filter: NamedRecords): Promise<void> {
  if (filter.user_id === undefined && filter.order_id === undefined) return
  const missing = await findMissing(on, filter)
  if (missing) throw new ApiError(missing === 'user' ? 'userNotFound' : 'orderNotFound')
}

export function daysInOrder({ start_date, end_date }: Partial<MoneyListInput>): InputFault[] {
  if (start_date === undefined || end_date === undefined || start_date <= end_date) return []
  return [{ param: 'end_date', reason: 'must not be before start_date' }]
}
