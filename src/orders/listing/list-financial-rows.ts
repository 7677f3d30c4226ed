import { endpoint } from '../../contract/endpoint.ts'
import { examplePage, pageOf, rangeIsNotReversed } from '../../contract/paging.ts'
import { answerPage } from './answer-page.ts'
import { exampleFinancialRow } from './examples.ts'
import { FinancialRow } from './financial-row.ts'
import { filterOf, OrderListInput } from './order-filter.ts'

/** Interface › Orders › financial list. One row is one sub-order, with its payments in 15 slots. */
export const listFinancialRows = endpoint({
  id: 'listFinancialRows',
  method: 'GET',
  path: '/api/v5/entity/order/financial/list',
  group: 'Orders',
  since: 'Ver5.2023-11-01',
  permission: 'finance',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List sub-orders with their payments in columns',
  description:
    'One row per sub-order; its payments fill payment1_… to payment15_… in order of completion, unused slots are ' +
    'null. Amounts are in major units. `status` is the status of the sub-order. Order of rows as in the order list.',
  input: OrderListInput,
  rules: rangeIsNotReversed,
  data: pageOf(FinancialRow),
  example: {
    input: { corp_id: exampleFinancialRow.corp_id, page: 0, page_size: 10, time_range_type: 'modify' },
    data: examplePage(exampleFinancialRow),
  },

  mayLag: true,

  handle: (context, input) => answerPage(context, 'sub_orders', filterOf(input, context.organization)),
})
