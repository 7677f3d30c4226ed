import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { exampleImportId, ImportId } from './import-fields.ts'
import { deleteImport } from './kept-file-store.ts'
import { lockLeadFile, refuseCommitted } from './lock-lead-file.ts'

/** Discards a lead file that was not committed. */
export const discardLeadFile = endpoint({
  id: 'discardLeadFile',
  method: 'POST',
  path: '/api/v5/entity/leads/import/file/discard',
  group: 'Leads',
  permission: 'write',
  guard: {
    effect: 'irreversible',
    people: 'none',
    unconfirmed: 'Nothing of the file has been imported, and it can be uploaded again.',
  },
  summary: 'Discard a lead file',
  description:
    'Deletes an uncommitted file with its content and its plan. A file that is being planned can be discarded after the ' +
    'plan. changes/undo undoes a committed file.',
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
