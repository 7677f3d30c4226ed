import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { type LeadImport, lockImport } from './lead-import-store.ts'

/** Locks the file until the end of the transaction. */
export async function lockLeadFile(tx: Queryable, corp_id: string, import_id: string): Promise<LeadImport> {
  const found = await lockImport(tx, corp_id, import_id)
  if (!found) throw new ApiError('leadImportNotFound')
  return found
}

export function refuseCommitted({ state }: LeadImport): void {
  if (state === 'committing' || state === 'done')
    throw new ApiError('stateForbids', { msg: 'The file is committed already.', allowed: ['changes/undo'] })
}
