import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import {
  dayParameters,
  examplePage,
  instantsOf,
  pageOf,
  pageParameters,
  rangeIsNotReversed,
  windowOf,
} from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { isOrder } from '../../orders/ledger/order-state-store.ts'
import { documentKinds } from './document-content.ts'
import {
  DocumentRow,
  documentRow,
  exampleDocument,
  exampleWhole,
  WholeDocument,
  wholeDocument,
} from './document-row.ts'
import { findDocument, findDocumentPage } from './document-store.ts'

const corp_id = '0198c0de00007c41a2f0d8e6b4937215'

/** The issued documents. */
export const listDocuments = endpoint({
  id: 'listDocuments',
  method: 'GET',
  path: '/api/v5/entity/document/list',
  group: 'Finance',
  since: 'Ver5.2026-11-18',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List receipts, invoices and credit notes, the newest first',
  input: Type.Object({
    corp_id: OrganizationId,
    kind: Type.Optional(oneOf(documentKinds)),
    order_id: Type.Optional(Id),
    ...dayParameters,
    ...pageParameters,
  }),
  rules: rangeIsNotReversed,
  data: pageOf(DocumentRow),
  example: {
    input: { corp_id, kind: 'receipt' },
    data: examplePage(exampleDocument),
  },
  errors: ['orderNotFound'],

  async handle({ db, organization }, { corp_id, kind, order_id, ...input }) {
    if (order_id !== undefined && !(await isOrder(db, corp_id, order_id))) throw new ApiError('orderNotFound')
    const { page, page_size, limit, offset } = windowOf(input)
    const filter = {
      ...{ corp_id, limit, offset },
      ...(kind !== undefined && { kind }),
      ...(order_id !== undefined && { order_id }),
      ...instantsOf(input, organization.time_zone),
    }
    const { total, list } = await findDocumentPage(db, filter, organization.time_zone)
    return { total, page, page_size, list: list.map(documentRow) }
  },
})

/** One document with everything that it says. */
export const fetchDocument = endpoint({
  id: 'fetchDocument',
  method: 'GET',
  path: '/api/v5/entity/document/fetch',
  group: 'Finance',
  since: 'Ver5.2026-11-18',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Fetch a receipt, invoice or credit note as issued',
  input: Type.Object({ corp_id: OrganizationId, document_id: Id }),
  data: WholeDocument,
  example: { input: { corp_id, document_id: exampleDocument.document_id }, data: exampleWhole },
  errors: ['documentNotFound'],

  async handle({ db, organization }, { corp_id, document_id }) {
    const document = await findDocument(db, corp_id, { document_id }, organization.time_zone)
    if (!document) throw new ApiError('documentNotFound')
    return wholeDocument(document)
  },
})
