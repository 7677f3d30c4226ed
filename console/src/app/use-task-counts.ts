import { useCall } from '../calls/use-call.ts'
import type { Place } from './navigation.tsx'

/** The number of open tasks of each screen, from Today. */
export function useTaskCounts(): Partial<Record<Place['name'], number>> {
  const { data } = useCall('fetchToday', {}, { refetchEveryMs: 60_000 })
  if (!data) return {}
  const { callbacks, untouched, overdue, unapplied, refunds, imports, unclaimed } = data
  const today = [callbacks, untouched, overdue, unapplied, refunds, imports]
  return {
    today: today.reduce((sum, { total }) => sum + total, 0),
    leads: unclaimed.total,
    orders: overdue.total,
    finance: unapplied.total + refunds.total,
  }
}
