import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId, oneOfOr } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { anyOrder } from '../../orders/ledger/fields.ts'
import { exampleDocument, numberOf } from './document-row.ts'
import { findDocument, type IssuedDocument } from './document-store.ts'
import { printLanguages } from './printing/document-words.ts'

/** The address of a document as PDF. */
export const printDocument = endpoint({
  id: 'printDocument',
  method: 'GET',
  path: '/api/v5/entity/document/pdf',
  group: 'Finance',
  since: 'Ver5.2026-11-18',
  permission: 'finance',
  guard: {
    effect: 'discloses',
    ...anyOrder,
    unconfirmed: 'It is one document of one payer, which staff print many times a day.',
  },
  discloses: { action: 'revealed', record_type: 'documents', recordId: ({ document_id }) => document_id },
  summary: 'Fetch the address of a document as PDF',
  description:
    'A page of A4 with the document as issued, and its state when printed: refunds, a void, the amount due. The address ' +
    'is secret and permanent, and opens the file without a token.',
  input: Type.Object({
    corp_id: OrganizationId,
    document_id: Id,
    language: oneOfOr('both', printLanguages, 'English, Chinese, or both'),
  }),
  data: Type.Object({
    download: described(Type.String(), 'Path of the file on this server'),
    file_name: Type.String(),
  }),
  example: {
    input: { corp_id: 'lakeside', document_id: exampleDocument.document_id },
    data: {
      download: '/documents/lakeside/Zl0jJk9sT1mQx4v7b2Yt8uW3rC5nE6aD?language=both',
      file_name: 'receipt-2024-00000017.pdf',
    },
  },
  errors: ['documentNotFound'],

  async handle({ db, organization }, { corp_id, document_id, language = 'both' }) {
    const document = await findDocument(db, corp_id, { document_id }, organization.time_zone)
    if (!document) throw new ApiError('documentNotFound')
    const download = `/documents/${encodeURIComponent(corp_id)}/${document.token}?language=${language}`
    return { download, file_name: fileNameOf(document) }
  },
})

export function fileNameOf(document: IssuedDocument): string {
  return `${document.kind.replace('_', '-')}-${numberOf(document)}.pdf`
}
