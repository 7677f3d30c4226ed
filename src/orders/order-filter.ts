import { type Static, Type } from 'typebox'
import type { Organization } from '../contract/caller.ts'
import { endOfDay, firstDay, lastDay, startOfDay } from '../contract/days.ts'
import type { InputFault } from '../contract/errors.ts'
import { defaultOf, OrganizationId, oneOf, oneOfOr } from '../contract/fields.ts'
import { type OrderStatus, orderStatuses } from './rules/status.ts'

const CalendarDate = Type.String({ format: 'date' })

/** What both order lists take. The defaults are applied by `filterOf`, so that an absent parameter stays absent. */
export const OrderListInput = Type.Object({
  corp_id: OrganizationId,
  page: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0, description: 'Page number, from 0' }),
  ),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 10, description: 'Rows per page' }),
  ),
  start_date: Type.Optional({
    ...CalendarDate,
    description: 'First day of the range, in the zone of the organization',
  }),
  end_date: Type.Optional({ ...CalendarDate, description: 'Last day of the range, included whole' }),
  status: Type.Optional(oneOf(orderStatuses)),
  time_range_type: oneOfOr(
    'create',
    ['create', 'modify', 'modity'],
    'Which time the range and the order of rows apply to; modity means modify',
  ),
})

type OrderListQuery = Static<typeof OrderListInput>

export function rangeIsNotReversed({ start_date, end_date }: Partial<OrderListQuery>): InputFault[] {
  if (start_date === undefined || end_date === undefined || start_date <= end_date) return []
  return [{ param: 'end_date', reason: 'must not be before start_date' }]
}

/** The rows that a list is asked for: which, by which time, and which page of them. */
export interface OrderFilter {
  corp_id: string
  timeColumn: 'ctime' | 'mtime'
  status?: OrderStatus
  /** The range, as days of the organization's calendar and as the instants at which they begin and end. */
  fromDay?: string
  untilDay?: string
  from?: Date
  until?: Date
  timeZone: string
  page: number
  page_size: number
}

export function filterOf(input: OrderListQuery, organization: Organization): OrderFilter {
  const {
    corp_id,
    page = defaultOf(OrderListInput, 'page'),
    page_size = defaultOf(OrderListInput, 'page_size'),
    status,
    start_date,
    end_date,
    time_range_type = defaultOf(OrderListInput, 'time_range_type'),
  } = input
  // In some zones the ends of the calendar lie in years that cannot be written; nothing is beyond them anyway.
  const fromDay = start_date === firstDay ? undefined : start_date
  const untilDay = end_date === lastDay ? undefined : end_date
  return {
    corp_id,
    page,
    page_size,
    status,
    fromDay,
    untilDay,
    timeZone: organization.time_zone,
    timeColumn: time_range_type === 'create' ? 'ctime' : 'mtime',
    from: fromDay === undefined ? undefined : startOfDay(fromDay, organization.time_zone),
    until: untilDay === undefined ? undefined : endOfDay(untilDay, organization.time_zone),
  }
}
