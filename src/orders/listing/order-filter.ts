import type { Organization } from '../../contract/caller.ts'
import { firstDay, lastDay } from '../../contract/days.ts'
import { defaultOf, OrganizationId, oneOf, oneOfOr } from '../../contract/fields.ts'
import { type OrderStatus, orderStatuses } from '../../contract/order-statuses.ts'
import { dayParameters, instantsOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'

/** The input of both order lists. */
export const OrderListInput = Type.Object({
  corp_id: OrganizationId,
  ...pageParameters,
  ...dayParameters,
  status: Type.Optional(oneOf(orderStatuses)),
  time_range_type: oneOfOr(
    'create',
    ['create', 'modify', 'modity'],
    'The time that the range and the order of rows apply to; modity means modify',
  ),
})

type OrderListQuery = Static<typeof OrderListInput> & { include_deleted?: boolean }

/** The rows that a caller of a list requests. */
export interface OrderFilter {
  corp_id: string
  timeColumn: 'ctime' | 'mtime'
  status?: OrderStatus
  /** The range, as days of the organization's calendar and as instants. */
  fromDay?: string
  untilDay?: string
  from?: Date
  until?: Date
  timeZone: string
  /** Present: with the rows of deleted orders. */
  includesDeleted?: true
  page: number
  page_size: number
}

export function filterOf(input: OrderListQuery, organization: Organization): OrderFilter {
  const { corp_id, status, start_date, end_date } = input
  const { time_range_type = defaultOf(OrderListInput, 'time_range_type') } = input
  const { page, page_size } = windowOf(input)
  return {
    corp_id,
    page,
    page_size,
    status,
    // In some zones the ends of the calendar are in years that cannot be written. Nothing is beyond them.
    fromDay: start_date === firstDay ? undefined : start_date,
    untilDay: end_date === lastDay ? undefined : end_date,
    timeZone: organization.time_zone,
    timeColumn: time_range_type === 'create' ? 'ctime' : 'mtime',
    ...instantsOf(input, organization.time_zone),
    ...(input.include_deleted && { includesDeleted: true }),
  }
}
