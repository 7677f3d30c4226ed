import type { OrganizationContext } from '../../contract/endpoint.ts'
import { requireOwnWork, requireReach } from '../../people/users/reach.ts'
import { type ChangeBatch, findUserOfOthers } from './change-batch-store.ts'

/**
 * A counsellor undoes own batches only, and only if all people of the batch are still theirs: an undo must not return a
 * released person. The undo of an import adds no owner, so owning the batch is enough.
 */
export async function requireReachToBatch(context: OrganizationContext, batch: ChangeBatch): Promise<void> {
  requireOwnWork(context, batch)
  const { reach, db, organization } = context
  if (reach === 'everyone' || batch.kind === 'lead_import') return
  const user = await findUserOfOthers(db, organization.corp_id, batch.batch_id, reach.owner_id)
  if (user) requireReach(reach, user)
}
