import type { Organization } from '../../../contract/caller.ts'
import type { Database, Queryable } from '../../../database/database.ts'
import { changeUserIfFree } from '../change-user.ts'
import { initialPool } from '../reach.ts'
import { type Claim, endClaim, findClaim, findClaimRules, findIdle } from './claim-store.ts'

const batchSize = 100
const dayMs = 86_400_000

/**
 * Returns users without a recent follow-up to the public pool, as the rules of the organization say. Each claim is checked
 * again under the lock of its user: several servers may do this concurrently, and a late follow-up counts. Locked users
 * wait for the next run. Returns the number of returned users.
 */
export async function returnIdleUsers(db: Database, organization: Organization, now: Date): Promise<number> {
  const { corp_id } = organization
  const on = db.of(corp_id)
  const { idle_days } = await findClaimRules(on, corp_id)
  if (idle_days === null) return 0
  const since = new Date(now.getTime() - idle_days * dayMs)
  let returned = 0
  for (let after: Claim | undefined; ; ) {
    const idle = await findIdle(on, corp_id, { since, after, limit: batchSize })
    for (const { user_id } of idle) if (await returnOne(on, organization, { user_id, since, now })) returned++
    if (idle.length < batchSize) return returned
    after = idle.at(-1)
  }
}

async function returnOne(
  on: Queryable,
  organization: Organization,
  { user_id, since, now }: { user_id: string; since: Date; now: Date },
): Promise<boolean> {
  const { corp_id } = organization
  let isReturned = false
  const changer = { db: on, corp_id, user_id, executor_id: null, now, reach: 'everyone' as const }
  await changeUserIfFree(changer, async ({ owner_ids }, tx) => {
    const claim = await findClaim(tx, { corp_id, user_id })
    isReturned = claim !== undefined && claim.active_at <= since
    if (!claim || !isReturned) return undefined
    await endClaim(tx, { corp_id, user_id })
    return {
      event: 'returned',
      owner_id: claim.owner_id,
      set: { owner_ids: owner_ids.filter((id) => id !== claim.owner_id), pool: initialPool(organization) },
    }
  })
  return isReturned
}
