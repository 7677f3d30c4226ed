import { endpoint } from '../../contract/endpoint.ts'
import { described, Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import { examplePage, pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { approvalKinds, findRequestPage, requestStates } from '../../orders/limits/approval-request-store.ts'
import { refuseMissing } from '../../orders/payments/money-filter.ts'
import { exampleRequest, RequestRow, requestRow } from './request-row.ts'

export const listApprovals = endpoint({
  id: 'listApprovals',
  method: 'GET',
  path: '/api/v5/entity/approval/list',
  group: 'Finance',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List requests that need a second approver',
  description:
    'Refunds, voids, write-offs, retained money, discounts and reversals of closings, in the order of the requests.',
  input: Type.Object({
    corp_id: OrganizationId,
    state: Type.Optional(described(oneOf(requestStates), 'Default: all')),
    kind: Type.Optional(described(oneOf(approvalKinds), 'Default: all')),
    order_id: Type.Optional(described(Id, 'Only requests for this order')),
    ...pageParameters,
  }),
  data: pageOf(RequestRow),
  example: {
    input: { corp_id: 'lakeside', state: 'waiting' },
    data: examplePage(exampleRequest),
  },

  errors: ['orderNotFound'],

  async handle({ db, organization }, { corp_id, state, kind, order_id, ...paging }) {
    await refuseMissing(db, { corp_id, order_id })
    const { page, page_size, limit, offset } = windowOf(paging)
    const { total, list } = await findRequestPage(db, corp_id, { state, kind, order_id }, { limit, offset })
    return { total, page, page_size, list: list.map((each) => requestRow(each, organization.time_zone)) }
  },
})
