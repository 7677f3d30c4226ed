import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { findClaimRules } from './claims/claim-rules-store.ts'
import { countReveal } from './reveal-store.ts'

const hourMs = 3_600_000

/**
 * Counts a reveal of a member of staff in the transaction that notes it. Answers the refusal where the hour has had its
 * reveals: the caller throws it after the commit, so that the count and the note stay.
 */
export async function limitReveals(
  tx: Queryable,
  { corp_id, staff_id, now }: { corp_id: string; staff_id: string; now: Date },
): Promise<ApiError | undefined> {
  const { reveals_per_hour: most } = await findClaimRules(tx, corp_id)
  if (most === null) return undefined
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs)
  const reveals = await countReveal(tx, { corp_id, staff_id, hour })
  if (reveals <= most) return undefined
  // Once an hour: the first refusal tells as much as the ones after it.
  if (reveals === most + 1)
    tx.note({
      ...{ action: 'changed', record_type: 'reveal_hours', record_id: staff_id },
      after: { hour: hour.toISOString(), reveals_per_hour: most, is_exceeded: true },
    })
  return new ApiError('tooManyRequests', {
    msg: `You have revealed ${most} contacts in this hour, which is the most. An administrator can raise it.`,
    extra: { reason: 'reveals_per_hour', most: String(most) },
    retryAfterSeconds: Math.ceil((hour.getTime() + hourMs - now.getTime()) / 1000),
  })
}
