import { ofNoOrganization } from '../access/audit/link-entries.ts'
import type { Database } from '../database/database.ts'
import { findChainsWithWork, oldestOutsideFeed } from './feed-store.ts'

/** The age of the oldest change of any organization that is not in its feed yet, in seconds; 0 if there is none. */
export async function feedLagSeconds(db: Database): Promise<number> {
  let oldest = 0
  for (const corp_id of await findChainsWithWork(db.everyOrganization))
    if (corp_id !== ofNoOrganization)
      oldest = Math.max(oldest, await oldestOutsideFeed(db.of(corp_id), corp_id))
  return oldest
}
