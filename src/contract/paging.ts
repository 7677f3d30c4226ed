import { endOfDay, firstDay, lastDay, startOfDay } from './days.ts'
import type { InputFault } from './errors.ts'
import { oneOfOr } from './fields.ts'
import { type TSchema, Type } from './type.ts'

/** Parameters and members that all lists share. `windowOf` applies defaults, so an absent parameter stays absent. */
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

/** The example of a page with one row. */
export function examplePage<Row>(row: Row) {
  return { total: 1, page: 0, page_size: 10, list: [row] }
}

export function windowOf({ page = 0, page_size = 10 }: { page?: number; page_size?: number }) {
  return { page, page_size, limit: page_size, offset: page * page_size }
}

const CalendarDate = Type.String({ format: 'date' })

/** A range of days, in the zone of the organization. */
export const dayParameters = {
  start_date: Type.Optional({
    ...CalendarDate,
    description: 'First day of the range, in the zone of the organization',
  }),
  end_date: Type.Optional({ ...CalendarDate, description: 'Last day of the range, included whole' }),
}

/** Which time a range of days applies to, in lists of people and leads. */
export const timeRangeParameter = {
  time_range_type: oneOfOr(
    'create',
    ['create', 'modify'],
    'The time that the range and the order of rows apply to. modify: when the last change became visible, shortly after mtime',
  ),
}

/** Pages of modified records have no other filter: each is a range of an index. */
export function modifyHasNoFilter(
  input: { time_range_type?: string },
  isSent: (name: string) => boolean,
  filters: string[],
): InputFault[] {
  if (input.time_range_type !== 'modify') return []
  return filters
    .filter((param) => isSent(param))
    .map((param) => ({ param, reason: 'cannot be combined with time_range_type modify' }))
}

export interface DayRange {
  start_date?: string
  end_date?: string
}

export function rangeIsNotReversed({ start_date, end_date }: DayRange): InputFault[] {
  if (start_date === undefined || end_date === undefined || start_date <= end_date) return []
  return [{ param: 'end_date', reason: 'must not be before start_date' }]
}

/** The instants of a range of days. The ends of the calendar are open. */
export function instantsOf(
  { start_date, end_date }: DayRange,
  timeZone: string,
): { from?: Date; until?: Date } {
  return {
    ...(start_date !== undefined && start_date !== firstDay && { from: startOfDay(start_date, timeZone) }),
    ...(end_date !== undefined && end_date !== lastDay && { until: endOfDay(end_date, timeZone) }),
  }
}
