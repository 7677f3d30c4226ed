import type { OrganizationContext } from '../../contract/endpoint.ts'
import { requireOwnWork, requireReach } from '../../people/users/reach.ts'
import { type ChangeBatch, findUserOfOthers } from './change-batch-store.ts'

/**
 * A counsellor undoes own batches, and only where all people of the batch are still theirs: an undo must not give back a
 * person whom they have let go of. The undo of an import adds no owner, so it needs no more than the batch.
 */
export async function requireReachToBatch(context: OrganizationContext, batch: ChangeBatch): Promise<void> {
  requireOwnWork(context, batch)
  const { reach, db, organization } = context
  if (reach === 'everyone' || batch.kind === 'lead_import') return
  const user = await findUserOfOthers(db, organization.corp_id, batch.batch_id, reach.owner_id)
  if (user) requireReach(reach, user)
}
