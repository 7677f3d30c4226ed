import { newId } from '../contract/new-id.ts'
import type { Queryable } from '../database/database.ts'
import { eventTypeNames } from './event-types.ts'

/**
 * Adds a test event of a type to the feed. It takes the way of all events, through the audit. Its record does not exist, as
 * if it were deleted since. Returns the id of the record.
 */
export async function triggerEvent(on: Queryable, type: string): Promise<string> {
  if (!eventTypeNames.some((name) => name === type))
    throw new Error(`There is no event type ${type}. The types are: ${eventTypeNames.join(', ')}.`)
  const record_id = `test-${newId()}`
  await on.transaction(async (tx) => {
    tx.note({ record_type: 'test_events', record_id, action: 'made', after: { type } })
  })
  return record_id
}
