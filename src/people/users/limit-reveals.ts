import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { findClaimRules } from './claims/claim-store.ts'
import { countReveal } from './user-event-store.ts'

const hourMs = 3_600_000

/**
 * Counts a reveal of a member of staff in the transaction of its audit entry. Returns an error if the hourly limit is
 * exceeded. The caller throws it after the commit, so that the count and the audit entry stay.
 */
export async function limitReveals(
  tx: Queryable,
  { corp_id, staff_id, now }: { corp_id: string; staff_id: string; now: Date },
): Promise<ApiError | undefined> {
  const { reveals_per_hour: max } = await findClaimRules(tx, corp_id)
  if (max === null) return undefined
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs)
  const reveals = await countReveal(tx, { corp_id, staff_id, hour })
  if (reveals <= max) return undefined
  // One audit entry per hour: further refusals add no information.
  if (reveals === max + 1)
    tx.note({
      action: 'changed',
      record_type: 'reveal_hours',
      record_id: staff_id,
      after: { hour: hour.toISOString(), reveals_per_hour: max, is_exceeded: true },
    })
  return new ApiError('tooManyRequests', {
    msg: `You have revealed ${max} contacts in this hour, the maximum. An administrator can raise the limit.`,
    extra: { reason: 'reveals_per_hour', most: String(max) },
    retryAfterSeconds: Math.ceil((hour.getTime() + hourMs - now.getTime()) / 1000),
  })
}
