import { fingerprint } from '../../contract/fingerprint.ts'
import { formKeyword } from '../../contract/forms.ts'
import type { TSchema } from '../../contract/type.ts'
import { exampleOrder, exampleOrderRow, exampleSubOrder } from './examples.ts'
import { FinancialRow } from './financial-row.ts'
import { selectLedgerSubOrders } from './financial-store.ts'
import { orderFacetsOf } from './order-facets.ts'
import { OrderDetail, OrderListRow } from './order-row.ts'
import { selectOrders } from './order-store.ts'
import { renderDetail, renderFinancialStart, renderListRow } from './render.ts'

/** Increase it when rendered rows change and no contract, statement or example shows it. */
const rendererVersion = 1

const facetExample = {
  external_id: 'Checkout-1',
  user_names: { name: '王小明 Zoë', first_name: null, last_name: null },
  batch_id: 'spring',
  managers: 'anna, ben',
  sub_orders: [{ unpaid_price: 1, payment_deadline: '2027-01-31 23:59:59' }],
}

/**
 * A fingerprint of everything that determines the rows of the read model: the statements, the contracts and a rendered
 * example. Rows of other code are rendered again when they are read.
 */
export const readModelFingerprint = fingerprint([
  rendererVersion,
  [OrderDetail, OrderListRow, FinancialRow].map(shapeOf),
  [selectOrders, selectLedgerSubOrders].map((select) => select('', [], 'UTC').text),
  [renderDetail(exampleOrder), renderListRow(exampleOrderRow), renderFinancialStart(exampleSubOrder)],
  orderFacetsOf({ ...exampleOrderRow, ...facetExample }),
])

/** Identifies the code in each row. Short, since it is stored with all of them. */
export const rowRenderer = readModelFingerprint.slice(0, 8)

/** A contract in the order of its members, without what only the documentation shows. */
function shapeOf(schema: TSchema): string {
  return JSON.stringify(schema, (name, value) =>
    (name === 'description' || name === formKeyword) && typeof value === 'string' ? undefined : value,
  )
}
