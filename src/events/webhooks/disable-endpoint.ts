import type { Queryable } from '../../database/database.ts'
import { changeEndpoint, lockEndpoint } from './endpoint-store.ts'
import { disabledFor } from './update-endpoint.ts'

/** Disables an endpoint after failures, which is an event of the feed. Returns whether it was enabled. */
export async function disableEndpoint(
  on: Queryable,
  corp_id: string,
  endpoint_id: string,
  reason: 'failing' | 'gone',
  now: Date,
): Promise<boolean> {
  return on.transaction(async (tx) => {
    const before = await lockEndpoint(tx, corp_id, endpoint_id)
    if (!before?.is_enabled) return false
    await changeEndpoint(tx, corp_id, before, disabledFor(reason, now), now)
    return true
  })
}
