import { ApiError } from '../../contract/errors.ts'
import { type EraseContext, erasePerson } from './erase-person.ts'
import { findForgettable, findLeadMonths } from './erase-store.ts'

const mostAtOnce = 100

/** Users that the retention rule of the organization expires now; none without a rule. */
export async function findExpired({ db, organization: { corp_id }, now }: EraseContext, limit = mostAtOnce) {
  const months = await findLeadMonths(db, corp_id)
  return months === undefined ? [] : findForgettable(db, corp_id, monthsBefore(now, months), limit)
}

/** Erases users without orders whose retention period is over. Returns their number. */
export async function eraseExpired(context: EraseContext): Promise<number> {
  const expired = await findExpired(context)
  let erased = 0
  for (const { user_id } of expired) {
    try {
      await erasePerson(context, user_id, 'Retention period is over', { mayOwe: true })
      erased++
    } catch (error) {
      // Merged or erased concurrently.
      if (!(error instanceof ApiError)) throw error
    }
  }
  return erased
}

function monthsBefore(now: Date, months: number): Date {
  const then = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO('UTC')
    .subtract({ months })
  return new Date(then.epochMilliseconds)
}
