import { endpoint } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import { OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { requireOwnWork } from '../../people/users/reach.ts'
import { exampleImportId, ImportId } from './import-fields.ts'
import { appendPiece } from './kept-file-store.ts'
import { lockLeadFile } from './lock-lead-file.ts'

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
    received: Type.Integer({ description: 'Number of bytes that were uploaded' }),
    bytes: Type.Integer({ description: 'Size of the file' }),
  }),
  example: {
    input: {
      corp_id: 'northgate',
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
