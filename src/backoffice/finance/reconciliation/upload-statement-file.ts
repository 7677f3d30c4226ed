import { endpoint } from '../../../contract/endpoint.ts'
import { ApiError, invalid } from '../../../contract/errors.ts'
import { BigInteger, described, Id, Name, OrganizationId } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import { appendBankFilePiece, countUnfinishedFiles, insertBankFile } from './bank-file-store.ts'
import { bankOperation, exampleBank } from './bank-operation.ts'
import { knownAccount, knownFile } from './known-records.ts'
import { mostFileBytes } from './readers/read-statement-file.ts'

/** In base64; well within the largest body of a request. */
const mostCharacters = 700_000
/** Maximum number of files of an organization that are not imported yet. */
const mostUnfinished = 20

const Content = Type.String({
  format: 'base64',
  maxLength: mostCharacters,
  description: 'The bytes in base64',
})

const Received = Type.Object({
  file_id: Id,
  received: described(BigInteger, 'Number of bytes that were uploaded'),
  bytes: described(BigInteger, 'Size of the file'),
})

const { corp_id, account_id, file_id } = exampleBank
const exampleContent = 'ZGF0ZSxhbW91bnQKMjAyNi0xMC0xNCwxMjgwMC4wMAo='

/** Starts the upload of a statement file. */
export const createStatementFile = endpoint({
  ...bankOperation,
  id: 'createStatementFile',
  method: 'POST',
  path: '/api/v5/entity/finance/bank/file/create',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Start the upload of a statement file',
  description:
    'A small file is uploaded at once, as `content`. Otherwise append its pieces. Then import it with ' +
    'finance/bank/file/import. Files that are not imported are deleted after a day.',
  input: Type.Object({
    corp_id: OrganizationId,
    account_id: described(Id, 'The bank account'),
    file_name: Name,
    bytes: Type.Integer({ minimum: 1, maximum: mostFileBytes, description: 'Size of the file' }),
    content: Type.Optional(described(Content, 'The whole file in base64, if it is small')),
  }),
  data: Received,
  example: {
    input: { corp_id, account_id, file_name: 'october.csv', bytes: 32, content: exampleContent },
    data: { file_id, received: 32, bytes: 32 },
  },
  errors: ['bankAccountNotFound', 'stateForbids'],

  async handle({ db, account, newId, now }, { corp_id, account_id, file_name, bytes, content }) {
    const whole = content === undefined ? undefined : Buffer.from(content, 'base64')
    if (whole && whole.length !== bytes)
      throw invalid('bytes', `must be ${whole.length}, the size of the content`)
    return db.transaction(async (tx) => {
      await knownAccount(tx, corp_id, account_id)
      if ((await countUnfinishedFiles(tx, corp_id)) >= mostUnfinished)
        throw new ApiError('stateForbids', {
          msg: `${mostUnfinished} statement files are not imported yet. Import some of them first, or wait a day.`,
          allowed: ['finance/bank/file/import'],
        })
      const made = { file_id: newId(), account_id, file_name, bytes }
      await insertBankFile(tx, corp_id, made, { executor_id: account.app_id, now })
      if (whole)
        await appendBankFilePiece(tx, corp_id, { file_id: made.file_id, start: 0, bytes: whole }, now)
      return { file_id: made.file_id, received: whole?.length ?? 0, bytes }
    })
  },
})

/** Appends a piece to a statement file that is being uploaded. */
export const appendStatementFile = endpoint({
  ...bankOperation,
  id: 'appendStatementFile',
  method: 'POST',
  path: '/api/v5/entity/finance/bank/file/append',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Upload a piece of a statement file',
  description:
    'Send the pieces in order, each at the byte `received`. A piece that was received already changes nothing, so that ' +
    'a client can send it again after a broken connection.',
  input: Type.Object({
    corp_id: OrganizationId,
    file_id: described(Id, 'The uploaded file'),
    start: Type.Integer({
      minimum: 0,
      maximum: mostFileBytes,
      description: 'Offset of the piece in the file',
    }),
    content: Content,
  }),
  data: Received,
  example: {
    input: { corp_id, file_id, start: 0, content: exampleContent },
    data: { file_id, received: 32, bytes: 32 },
  },
  errors: ['statementFileNotFound', 'stateForbids'],

  async handle({ db, now }, { corp_id, file_id, start, content }) {
    const piece = Buffer.from(content, 'base64')
    return db.transaction(async (tx) => {
      const { received, bytes } = await knownFile(tx, corp_id, file_id, true)
      if (start + piece.length <= received) return { file_id, received, bytes }
      if (start !== received) throw invalid('start', `must be ${received}, the number of bytes received`)
      if (start + piece.length > bytes)
        throw invalid('content', `must end at byte ${bytes}, the size of the file`)
      await appendBankFilePiece(tx, corp_id, { file_id, start, bytes: piece }, now)
      return { file_id, received: start + piece.length, bytes }
    })
  },
})
