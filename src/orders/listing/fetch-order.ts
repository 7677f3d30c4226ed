import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { RenderedJson } from '../../contract/rendered-json.ts'
import { Type } from '../../contract/type.ts'
import { exampleOrder } from './examples.ts'
import { findOrderDetail } from './order-detail-store.ts'
import { OrderDetail } from './order-row.ts'

/** Interface › Orders › fetch. */
export const fetchOrder = endpoint({
  id: 'fetchOrder',
  method: 'GET',
  path: '/api/v5/entity/order/fetch',
  group: 'Orders',
  since: 'Ver5.2023-11-01',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Fetch one order',
  description:
    'Prices are sums over the ledger of payments and refunds. They are stored in the transaction of every change.',
  input: Type.Object({ corp_id: OrganizationId, order_id: described(Id, 'Order ID') }),
  data: OrderDetail,
  example: { input: { corp_id: exampleOrder.corp_id, order_id: exampleOrder.entity_id }, data: exampleOrder },
  errors: ['orderNotFound'],

  async handle({ db, organization }, { order_id }) {
    const order = await findOrderDetail(db, organization, order_id)
    if (!order) throw new ApiError('orderNotFound')
    return new RenderedJson(order.detail)
  },
})
