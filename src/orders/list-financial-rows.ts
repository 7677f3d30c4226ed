import { endpoint } from '../contract/endpoint.ts'
import { exampleFinancialRow } from './examples.ts'
import { FinancialRow, financialRowOf } from './financial-row.ts'
import { listLedgerSubOrders } from './financial-store.ts'
import { createListWalks } from './list-walks.ts'
import { filterOf, OrderListInput, rangeIsNotReversed } from './order-filter.ts'
import { pageOf } from './order-row.ts'

const walks = createListWalks()

/** Interface › Orders › financial list. One row is one sub-order, with its payments in 15 slots. */
export const listFinancialRows = endpoint({
  id: 'listFinancialRows',
  method: 'GET',
  path: '/api/v5/entity/order/financial/list',
  group: 'Orders',
  since: 'Ver5.2023-11-01',
  permission: 'finance',
  summary: 'List sub-orders with their payments in columns',
  description:
    'One row per sub-order; its payments fill payment1_… to payment15_… in order of completion, unused slots are ' +
    'null. Amounts are in major units. `status` is the status of the sub-order. Order of rows as in the order list.',
  input: OrderListInput,
  rules: rangeIsNotReversed,
  data: pageOf(FinancialRow),
  example: {
    input: { corp_id: exampleFinancialRow.corp_id, page: 0, page_size: 10, time_range_type: 'modify' },
    data: { total: 1, page: 0, page_size: 10, list: [exampleFinancialRow] },
  },

  async handle({ db, organization, account }, input) {
    const filter = filterOf(input, organization)
    const after = walks.endOfPageBefore(account.app_id, filter)
    const { total, rows, end } = await listLedgerSubOrders(db, filter, after, organization.time_zone)
    walks.noteEnd(account.app_id, filter, end)
    return { total, page: filter.page, page_size: filter.page_size, list: rows.map(financialRowOf) }
  },
})
