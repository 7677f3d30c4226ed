import { instantOfLocal } from '../../contract/days.ts'
import { invalid } from '../../contract/errors.ts'
import type { LedgerInstant } from '../ledger/ledger-clock-store.ts'

/** No organization had a ledger before: an earlier date is a slip. */
const firstDay = '2000-01-01'
/** Clocks of gateways differ. */
const mostAheadMs = 5 * 60_000

/** When money was paid, as told; now where nothing was told. Money of the future has not arrived. */
export function valueDateOf(
  { completed_time }: { completed_time?: string },
  at: LedgerInstant,
  timeZone: string,
): string {
  if (completed_time === undefined) return at
  const told = instantOfLocal(completed_time, timeZone)
  if (told.getTime() > Date.parse(at) + mostAheadMs)
    throw invalid('completed_time', 'must not lie in the future')
  if (told < instantOfLocal(firstDay, timeZone))
    throw invalid('completed_time', `must not lie before ${firstDay}, when no organization had a ledger`)
  return told.toISOString()
}
