import { newId } from '../../contract/new-id.ts'
import type { Database } from '../../database/database.ts'
import { cancelDeletion, type Deletion, findOpenDeletion, insertDeletion } from './deletion-store.ts'
import { suspendOrganization } from './suspend-organization.ts'
import { lockSuspension } from './suspension-store.ts'

/** The default waiting period, in which the request can be withdrawn. */
export const defaultWaitingDays = 30

const longestWaitingDays = 3650
const dayMs = 24 * 60 * 60 * 1000

/**
 * The first step of a deletion: suspends the organization, and notes when the deletion may be confirmed. A second request
 * changes nothing.
 */
export async function requestDeletion(
  db: Pick<Database, 'of'>,
  corp_id: string,
  { reason, days = defaultWaitingDays }: { reason: string; days?: number },
  now: Date,
): Promise<Deletion> {
  if (!Number.isInteger(days) || days < 0 || days > longestWaitingDays)
    throw new Error(`The waiting period must be 0 to ${longestWaitingDays} days.`)
  return db.of(corp_id).transaction(async (tx) => {
    // Locks the organization.
    await suspendOrganization({ of: () => tx }, corp_id, reason, now)
    await lockSuspension(tx, corp_id)
    const open = await findOpenDeletion(tx, corp_id)
    if (open) return open
    const due_at = new Date(now.getTime() + days * dayMs)
    await insertDeletion(tx, { deletion_id: newId(), corp_id, requested_at: now, due_at })
    tx.note({
      record_type: 'organizations',
      record_id: corp_id,
      after: { deletion_due: due_at },
      action: 'changed',
    })
    return (await findOpenDeletion(tx, corp_id))!
  })
}

/** Takes the request back. The organization stays suspended. */
export async function cancelRequestedDeletion(
  db: Pick<Database, 'of'>,
  corp_id: string,
  now: Date,
): Promise<Deletion> {
  return db.of(corp_id).transaction(async (tx) => {
    const isKnown = await lockSuspension(tx, corp_id)
    const open = isKnown && (await findOpenDeletion(tx, corp_id))
    if (!open) throw new Error(`No deletion of ${corp_id} was requested.`)
    if (open.began_at)
      throw new Error(
        `The deletion of ${corp_id} has begun, and cannot be canceled. Confirm it again to finish it.`,
      )
    await cancelDeletion(tx, open.deletion_id, now)
    const before = { deletion_due: open.due_at }
    tx.note({ record_type: 'organizations', record_id: corp_id, before, after: { deletion_due: null } })
    return { ...open, canceled_at: now }
  })
}
