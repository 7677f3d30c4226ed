import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { OrganizationId } from '../../contract/fields.ts'
import { exampleImportId, ImportId } from './import-fields.ts'
import { deleteImport } from './kept-file-store.ts'
import { lockLeadFile, refuseCommitted } from './lock-lead-file.ts'

/** Forgets a file of leads that nobody wants to commit. */
export const discardLeadFile = endpoint({
  id: 'discardLeadFile',
  method: 'POST',
  path: '/api/v5/entity/leads/import/file/discard',
  group: 'Leads',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  guard: {
    effect: 'irreversible',
    people: 'none',
    unconfirmed: 'Nothing of the file has been imported, and it can be uploaded again.',
  },
  summary: 'Discard a file of leads',
  description:
    'Forgets a file that was not committed: what was uploaded of it and what its plan found. One that is being planned is ' +
    'discarded once the plan stands; one that was committed is taken back by changes/undo.',
  input: Type.Object({ corp_id: OrganizationId, import_id: ImportId }),
  data: Type.Object({ import_id: ImportId }),
  example: {
    input: { corp_id: 'northgate', import_id: exampleImportId },
    data: { import_id: exampleImportId },
  },
  errors: ['leadImportNotFound', 'stateForbids'],

  async handle({ db }, { corp_id, import_id }) {
    return db.transaction(async (tx) => {
      const found = await lockLeadFile(tx, corp_id, import_id)
      if (found.state === 'planning')
        throw new ApiError('stateForbids', {
          msg: 'The file is being planned.',
          allowed: ['leads/import/file/fetch'],
        })
      refuseCommitted(found)
      await deleteImport(tx, corp_id, found)
      return { import_id }
    })
  },
})
