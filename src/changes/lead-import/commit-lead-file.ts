import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError, taken } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { anybodysLead } from '../../people/leads/lead-fields.ts'
import { requireOwnWork } from '../../people/users/reach.ts'
import { insertBatch } from '../undo/change-batch-store.ts'
import { exampleImportId, ImportId } from './import-fields.ts'
import { findSameImport, startCommit } from './lead-import-store.ts'
import { lockLeadFile } from './lock-lead-file.ts'
import { workOnImport } from './work-on-import.ts'

/** Imports the rows of a planned file. */
export const commitLeadFile = endpoint({
  id: 'commitLeadFile',
  method: 'POST',
  path: '/api/v5/entity/leads/import/file/commit',
  group: 'Leads',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  guard: { effect: 'changes', people: 'everyone, owners of own', why: anybodysLead },
  summary: 'Commit the import of a file of leads',
  description:
    'Imports the rows of a file that was planned, each once, whatever becomes of browser and server meanwhile. It goes ' +
    'on while nobody waits; leads/import/file/fetch tells how far it is. changes/undo takes the batch back.',
  input: Type.Object({ corp_id: OrganizationId, import_id: ImportId }),
  data: Type.Object({
    import_id: ImportId,
    batch_id: described(Id, 'What changes/undo takes back'),
    state: Type.String(),
  }),
  example: {
    input: { corp_id: 'northgate', import_id: exampleImportId },
    data: { import_id: exampleImportId, batch_id: exampleImportId, state: 'committing' },
  },
  errors: ['leadImportNotFound', 'stateForbids', 'taken'],

  async handle(context, { corp_id, import_id }) {
    const { db, account, now } = context
    return db.transaction(async (tx) => {
      const found = await lockLeadFile(tx, corp_id, import_id)
      requireOwnWork(context, found)
      const { state } = found
      const answer = { import_id, batch_id: import_id }
      if (state === 'committing' || state === 'done') return { ...answer, state }
      if (state !== 'planned')
        throw new ApiError('stateForbids', {
          msg: 'The file is not planned yet.',
          allowed: ['leads/import/file/plan'],
        })
      const same = await findSameImport(tx, corp_id, found.content_hash!)
      if (same)
        throw taken('import_id', 'has the content of a file that was imported before', {
          import_id: same.import_id,
        })
      await insertBatch(
        tx,
        corp_id,
        { batch_id: import_id, kind: 'lead_import', executor_id: account.app_id },
        now,
      )
      await startCommit(tx, corp_id, import_id, now)
      return { ...answer, state: 'committing' }
    })
  },

  afterwards: (context, { import_id }) => workOnImport(context, import_id),
})
