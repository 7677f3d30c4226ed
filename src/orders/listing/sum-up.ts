import type { Static } from '../../contract/type.ts'
import {
  type CopiedAttribute,
  financialCourseAttributes,
  financialUserAttributes,
  type LedgerSubOrder,
} from './financial-row.ts'
import { type OrderDetail, type OrderListRow, userAttributes } from './order-row.ts'

type Detail = Static<typeof OrderDetail>
type ListRow = Static<typeof OrderListRow>

/** An order as read: without the sums of its sub-orders, and with its copies. */
export type ReadOrder = Omit<
  Detail & ListRow,
  'version' | 'sub_orders' | SummedUp | `user_${UserAttribute}`
> & {
  version: number
  user_copy: Copy
  course_copy: Copy
}

type UserAttribute = (typeof userAttributes)[number]
type Copy = Record<string, unknown>

/** The members that are sums over the sub-orders. */
type SummedUp =
  | 'paid_price'
  | 'refund_price'
  | 'post_refund_price'
  | 'unpaid_price'
  | 'over_payment_price'
  | 'installment_count'
  | 'sub_order_ids'
  | 'paid_sub_order_ids'

/** A sub-order as read, for the financial row, the detail and the sums of the order. */
export type ReadSubOrder = Omit<LedgerSubOrder, CopiedAttribute> & {
  seq: number
  version: number
  refund_price: number
  over_payment_price: number
}

/** An order as lists and the detail show it. */
export interface ShownOrder {
  detail: Detail
  listRow: ListRow
  subOrders: LedgerSubOrder[]
}

export function sumUp(
  { user_copy, course_copy, ...order }: ReadOrder,
  subOrders: ReadSubOrder[],
): ShownOrder {
  const sumOf = (price: 'paid_price' | 'refund_price' | 'unpaid_price' | 'over_payment_price') =>
    subOrders.reduce((sum, subOrder) => sum + subOrder[price], 0)
  const idsOf = (some: ReadSubOrder[]) => some.map(({ sub_order_id }) => sub_order_id)
  const [paid_price, refund_price] = [sumOf('paid_price'), sumOf('refund_price')]
  const summed = {
    ...order,
    paid_price,
    refund_price,
    post_refund_price: paid_price - refund_price,
    unpaid_price: sumOf('unpaid_price'),
    over_payment_price: sumOf('over_payment_price'),
    installment_count: subOrders.length,
    sub_order_ids: idsOf(subOrders),
    paid_sub_order_ids: idsOf(subOrders.filter(({ status }) => status === 'success')),
  }
  const copied = {
    ...membersOf(user_copy, financialUserAttributes),
    ...membersOf(course_copy, financialCourseAttributes),
  }
  return {
    detail: {
      ...summed,
      sub_orders: subOrders.map((subOrder) => ({ ...subOrder, entity_id: subOrder.sub_order_id })),
    },
    listRow: {
      ...summed,
      version: String(order.version),
      ...membersOf(user_copy, userAttributes, 'user_'),
    },
    subOrders: subOrders.map((subOrder) => ({ ...subOrder, ...copied })),
  }
}

/** Members of a copy as texts; absent ones are "". */
function membersOf<Name extends string, Prefix extends string = ''>(
  copy: Copy,
  names: readonly Name[],
  prefix = '' as Prefix,
) {
  const members = names.map((name) => [prefix + name, textOf(copy[name] ?? '')])
  return Object.fromEntries(members) as Record<`${Prefix}${Name}`, string>
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
