import { knownOrganization } from '../access/organizations/organization-store.ts'
import type { Database } from '../database/database.ts'
import { findEventDays, storeEventDays } from './feed-store.ts'

export const eventDays = { minimum: 7, maximum: 730 }

/** Changes how many days events are kept, if a number is given. Returns the number. */
export async function changeEventDays(
  db: Pick<Database, 'of'>,
  corp_id: string,
  wanted: number | undefined,
): Promise<number> {
  const { minimum, maximum } = eventDays
  if (wanted !== undefined && !(Number.isInteger(wanted) && wanted >= minimum && wanted <= maximum))
    throw new Error(`Events are kept for ${minimum} to ${maximum} days.`)
  return db.of(corp_id).transaction(async (tx) => {
    await knownOrganization(tx, corp_id)
    const event_days = await findEventDays(tx, corp_id)
    if (wanted === undefined || wanted === event_days) return event_days
    await storeEventDays(tx, corp_id, wanted)
    tx.note({
      record_type: 'organizations',
      record_id: corp_id,
      action: 'changed',
      before: { event_days },
      after: { event_days: wanted },
    })
    return wanted
  })
}
