import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId, oneOf } from '../../contract/fields.ts'
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
import { findPayersOf } from '../../orders/payers/named-payers.ts'
import { isUser } from '../../orders/payers/payer-store.ts'
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

const corp_id = 'lakeside'

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
  description:
    'A series is a kind and a year. The documents of an order include a receipt over several orders that it took a part of.',
  input: Type.Object({
    corp_id: OrganizationId,
    kind: Type.Optional(oneOf(documentKinds)),
    year: Type.Optional(Type.Integer({ minimum: 1, maximum: 9999, description: 'The year of the number' })),
    order_id: Type.Optional(Id),
    payer_id: Type.Optional(Id),
    user_id: Type.Optional(described(Id, 'The person of an order, or the payer that is this person')),
    ...dayParameters,
    ...pageParameters,
  }),
  rules: rangeIsNotReversed,
  data: pageOf(DocumentRow),
  example: {
    input: { corp_id, kind: 'receipt' },
    data: examplePage(exampleDocument),
  },
  errors: ['orderNotFound', 'payerNotFound', 'userNotFound'],

  async handle({ db, organization }, { corp_id, page, page_size, start_date, end_date, ...filter }) {
    const { order_id, payer_id, user_id } = filter
    if (order_id !== undefined && !(await isOrder(db, corp_id, order_id))) throw new ApiError('orderNotFound')
    if (user_id !== undefined && !(await isUser(db, corp_id, user_id))) throw new ApiError('userNotFound')
    ;(await findPayersOf(db, corp_id, [{ input: filter }]))({ payer_id })
    const window = windowOf({ page, page_size })
    const days = instantsOf({ start_date, end_date }, organization.time_zone)
    const { limit, offset } = window
    const { total, list } = await findDocumentPage(
      db,
      { ...filter, corp_id, ...days, limit, offset },
      organization.time_zone,
    )
    return { total, page: window.page, page_size: window.page_size, list: list.map(documentRow) }
  },
})

/** A document with all its statements. */
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
