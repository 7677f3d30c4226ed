import { endpoint } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import { BigInteger, described, Name, OrganizationId, oneOf } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { formats } from '../../files/row-source.ts'
import { requireOwnWork } from '../../people/users/reach.ts'
import { lockLeadFile, refuseCommitted } from './commit-rows.ts'
import { exampleImportId, ImportId, readingOptions, readingParameters } from './import-fields.ts'
import { appendPiece, deleteImport } from './kept-file-store.ts'
import { countOpenImports, insertImport } from './lead-import-store.ts'

/** In base64; well within the largest body of a request. */
const mostCharacters = 700_000

/** Appends a piece to a lead file that is being uploaded. */
export const appendLeadFile = endpoint({
  id: 'appendLeadFile',
  method: 'POST',
  path: '/api/v5/entity/leads/import/file/append',
  group: 'Leads',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Upload a piece of a lead file',
  description:
    'Send the pieces in order, each at the byte `received`. A piece that was received already changes nothing, so that ' +
    'a client can send it again after a broken connection.',
  input: Type.Object({
    corp_id: OrganizationId,
    import_id: ImportId,
    start: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Offset of the piece in the file',
    }),
    content: Type.String({
      format: 'base64',
      maxLength: mostCharacters,
      description: 'The bytes in base64',
    }),
  }),
  data: Type.Object({
    received: described(BigInteger, 'Number of bytes that were uploaded'),
    bytes: described(BigInteger, 'Size of the file'),
  }),
  example: {
    input: {
      corp_id: 'lakeside',
      import_id: exampleImportId,
      start: 0,
      content: 'bW9iaWxlCjEzODAwMTM4MDAwCg==',
    },
    data: { received: 19, bytes: 1830 },
  },
  errors: ['leadImportNotFound', 'stateForbids'],

  async handle(context, { corp_id, import_id, start, content }) {
    const piece = Buffer.from(content, 'base64')
    const { db, now } = context
    return db.transaction(async (tx) => {
      const found = await lockLeadFile(tx, corp_id, import_id)
      requireOwnWork(context, found)
      const { received, bytes } = found
      if (start + piece.length <= received) return { received, bytes }
      if (found.state !== 'uploading')
        throw new ApiError('stateForbids', {
          msg: 'The file was uploaded already.',
          allowed: ['plan', 'commit'],
        })
      if (start !== received) throw invalid('start', `must be ${received}, the number of bytes received`)
      if (start + piece.length > bytes)
        throw invalid('content', `must end at byte ${bytes}, the size of the file`)
      await appendPiece(tx, corp_id, { import_id, start, bytes: piece }, now)
      return { received: start + piece.length, bytes }
    })
  },
})

/** Enough for a million rows. */
const mostBytes = 256 * 1024 * 1024
/** Maximum number of uncommitted files of an organization. */
const mostOpen = 50

/** Starts the upload of a lead file. */
export const createLeadFile = endpoint({
  id: 'createLeadFile',
  method: 'POST',
  path: '/api/v5/entity/leads/import/file/create',
  group: 'Leads',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Start the upload of a lead file',
  description:
    'The steps of an import: create, append the pieces, plan, commit. Each step can be repeated. Files that are not ' +
    'committed are deleted after a week, or at once by leads/import/file/discard.',
  input: Type.Object({
    corp_id: OrganizationId,
    file_name: described(Name, 'Name of the file; its ending tells the format'),
    bytes: Type.Integer({ minimum: 1, maximum: mostBytes, description: 'Size of the file' }),
    format: Type.Optional(oneOf(formats, 'Format; default: by the file name')),
    ...readingParameters,
  }),
  data: Type.Object({ import_id: ImportId }),
  example: {
    input: { corp_id: 'lakeside', file_name: 'open-day.csv', bytes: 19 },
    data: { import_id: exampleImportId },
  },
  errors: ['stateForbids'],

  async handle({ db, account, role, now, newId }, { corp_id, file_name, bytes, format, ...given }) {
    if ((await countOpenImports(db, corp_id)) >= mostOpen)
      throw new ApiError('stateForbids', {
        msg: `The organization has ${mostOpen} uncommitted files. Commit or discard some of them first.`,
        allowed: ['leads/import/file/commit', 'leads/import/file/discard'],
      })
    const import_id = newId()
    const options = { format, ...readingOptions(given), role }
    const made = { import_id, file_name, options, state: 'uploading' as const, bytes }
    await insertImport(db, corp_id, { ...made, executor_id: account.app_id }, now)
    return { import_id }
  },
})

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
    input: { corp_id: 'lakeside', import_id: exampleImportId },
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
