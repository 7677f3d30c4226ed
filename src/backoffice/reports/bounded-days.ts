import type { InputFault } from '../../contract/errors.ts'
import { type DayRange, rangeIsNotReversed } from '../../contract/paging.ts'

/** Refuses a reversed range, and a range of more days. */
export function boundedDays(most: number) {
  return ({ start_date, end_date }: DayRange): InputFault[] => {
    const faults = rangeIsNotReversed({ start_date, end_date })
    if (faults.length > 0 || start_date === undefined || end_date === undefined) return faults
    const { days } = Temporal.PlainDate.from(start_date).until(end_date)
    return days < most ? [] : [{ param: 'end_date', reason: `must be within ${most} days of start_date` }]
  }
}
