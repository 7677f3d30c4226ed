import type { OrganizationContext } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import type { Queryable } from '../database/database.ts'
import { requireOwnWork } from '../users/reach.ts'
import { type LeadImport, lockImport } from './lead-import-store.ts'

/** Nobody else changes the file until the transaction ends. */
export async function lockLeadFile(
  tx: Queryable,
  context: OrganizationContext,
  import_id: string,
): Promise<LeadImport> {
  const found = await lockImport(tx, context.organization.corp_id, import_id)
  if (!found) throw new ApiError('leadImportNotFound')
  requireOwnWork(context, found)
  return found
}

export function refuseCommitted({ state }: LeadImport): void {
  if (state === 'committing' || state === 'done')
    throw new ApiError('stateForbids', { msg: 'The file is committed already.', allowed: ['changes/undo'] })
}
