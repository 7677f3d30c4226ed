import { endpoint } from '../../contract/endpoint.ts'
import { examplePage, pageOf, rangeIsNotReversed } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { answerPage } from './answer-page.ts'
import { exampleOrderRow } from './examples.ts'
import { filterOf, OrderListInput } from './order-filter.ts'
import { OrderListRow } from './order-row.ts'

/** Interface › Orders › list. */
export const listOrders = endpoint({
  id: 'listOrders',
  method: 'GET',
  path: '/api/v5/entity/order/list',
  group: 'Orders',
  since: 'Ver5.2023-11-01',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List orders with the copied attributes of their users',
  description:
    'Ascending by the time that `time_range_type` names, then by id. New and modified orders appear at the end, so a ' +
    'caller who requests each next page within five minutes misses none.',
  input: Type.Object({
    ...OrderListInput.properties,
    include_deleted: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether deleted orders are listed too; is_deleted tells them apart',
      }),
    ),
  }),
  rules: rangeIsNotReversed,
  data: pageOf(OrderListRow),
  example: {
    input: { corp_id: exampleOrderRow.corp_id, page: 0, page_size: 10, status: 'success' },
    data: examplePage(exampleOrderRow),
  },

  mayLag: true,

  handle: (context, input) => answerPage(context, 'orders', filterOf(input, context.organization)),
})
