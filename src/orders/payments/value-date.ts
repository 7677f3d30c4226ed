import { instantOfLocal } from '../../contract/days.ts'
import { invalid } from '../../contract/errors.ts'
import type { LedgerInstant } from '../ledger/ledger-clock-store.ts'

/** The first accepted day: an earlier date is a mistake. */
const firstDay = '2000-01-01'
/** Tolerance for the clocks of gateways. */
const mostAheadMs = 5 * 60_000

/** The reported time of a payment or refund; default: now. A time in the future is refused. */
export function valueDateOf(
  { completed_time }: { completed_time?: string },
  at: LedgerInstant,
  timeZone: string,
): string {
  if (completed_time === undefined) return at
  const reported = instantOfLocal(completed_time, timeZone)
  if (reported.getTime() > Date.parse(at) + mostAheadMs)
    throw invalid('completed_time', 'must not be in the future')
  if (reported < instantOfLocal(firstDay, timeZone))
    throw invalid('completed_time', `must not be before ${firstDay}`)
  return reported.toISOString()
}
