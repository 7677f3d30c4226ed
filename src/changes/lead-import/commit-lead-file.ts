import { endpoint } from '../../contract/endpoint.ts'
import { ApiError, taken } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
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
  permission: 'write',
  guard: { effect: 'changes', people: 'everyone, owners of own', why: anybodysLead },
  summary: 'Commit the import of a lead file',
  description:
    'Imports each row of a planned file once, also after a crash of browser or server. The import runs in the background; ' +
    'leads/import/file/fetch shows its progress. changes/undo undoes the batch.',
  input: Type.Object({ corp_id: OrganizationId, import_id: ImportId }),
  data: Type.Object({
    import_id: ImportId,
    batch_id: described(Id, 'The batch to undo with changes/undo'),
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
      const same = await findSameImport(tx, corp_id, found.content_hash ?? '')
      if (same)
        throw taken('import_id', 'has the content of a file that was imported already', {
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
