import { ApiError } from '../../contract/errors.ts'
import { type EraseContext, erasePerson } from './erase-person.ts'
import { findForgettable, findLeadMonths } from './retention-store.ts'

const mostAtOnce = 100

/** Whom the rule of the organization lets go of now; nobody where there is none. */
export async function findExpired({ db, organization: { corp_id }, now }: EraseContext, limit = mostAtOnce) {
  const months = await findLeadMonths(db, corp_id)
  return months === undefined ? [] : findForgettable(db, corp_id, monthsBefore(now, months), limit)
}

/** Erases users without orders of whom nothing was heard for as long as the organization keeps them; returns how many. */
export async function eraseExpired(context: EraseContext): Promise<number> {
  const expired = await findExpired(context)
  let erased = 0
  for (const { user_id } of expired) {
    try {
      await erasePerson(context, user_id, 'Kept long enough', { mayOwe: true })
      erased++
    } catch (error) {
      // Merged or erased meanwhile.
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
