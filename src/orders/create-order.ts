import { endpoint } from '../contract/endpoint.ts'
import type { InputFault } from '../contract/errors.ts'
import { described, Id, NullableString, oneOf } from '../contract/fields.ts'
import { Type } from '../contract/type.ts'
import { createOrAsk } from './create-or-ask.ts'
import { DryRun, OrderPreviews, withDryRun } from './dry-run.ts'
import { anyOrder, Price } from './ledger/fields.ts'
import { findByExternalIds } from './ledger/order-write-store.ts'
import { OrderCreation } from './order-creation.ts'
import { discountIsGivenOnce } from './rules/prices.ts'
import { sharesAreWhole } from './rules/shares.ts'

/** Creates an order: prices, coupons, instalments, owners' shares, and the copy of its user and course. */
export const createOrder = endpoint({
  id: 'createOrder',
  method: 'POST',
  path: '/api/v5/entity/order/create',
  group: 'Orders',
  permission: 'write',
  guard: { effect: 'changes', ...anyOrder, limit: 'counsellor discount', secondApprover: 'money limit' },
  summary: 'Create an order',
  description:
    'listed_price − coupons − manual discount = discounted_price; discounted_price + charges = total_price, the sum of the ' +
    'instalments. With external_id, a repeated creation returns the same order; other content with the same id is 40901. ' +
    'If the manual discount is beyond the organization’s limit, the order is created without it, and the discount waits ' +
    'for a second approver.',
  input: Type.Object({ ...OrderCreation.properties, dry_run: DryRun }),
  rules: planIsGivenOnce,
  data: Type.Object({
    order_id: Id,
    sub_order_ids: Type.Array(Id),
    total_price: Price,
    currency: Type.String(),
    state: oneOf(
      ['done', 'waiting'],
      'waiting: the discount, for a second approver; the order is without it',
    ),
    request_id: described(NullableString, 'The id for approval/approve, if the discount waits'),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: 'lakeside',
      user_id: '019672b93ea877f0b98a30ed5184dccd',
      external_id: 'checkout-4711',
      currency: 'CNY',
      listed_price: 1_380_000,
      discounted_price: 1_280_000,
      installment_count: 3,
      first_payment_deadline: '2027-01-31',
    },
    data: {
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      sub_order_ids: [
        '01a00491d408759aa7e124d4a9581a85',
        '0198c0de22237c41a2f0d8e6b4937215',
        '0198c0de22247c41a2f0d8e6b4937215',
      ],
      total_price: 1_280_000,
      currency: 'CNY',
      state: 'done',
      request_id: null,
    },
  },
  errors: [
    'userNotFound',
    'courseNotFound',
    'batchNotFound',
    'leadNotFound',
    'couponNotFound',
    'taken',
    'stateForbids',
  ],
  handle: withDryRun(async ({ corp_id, external_id }, { db }) => {
    if (external_id === undefined) return []
    return (await findByExternalIds(db, corp_id, [external_id])).map(({ order_id }) => order_id)
  }, createOrAsk),
})

function planIsGivenOnce(input: Partial<OrderCreation>, isSent: (name: string) => boolean): InputFault[] {
  const faults = [...sharesAreWhole(input.share_proportion), ...discountIsGivenOnce(isSent)]
  if (isSent('sub_orders') && isSent('installment_count')) {
    faults.push({ param: 'installment_count', reason: 'must not be sent with sub_orders' })
  }
  if (isSent('sub_orders') && isSent('first_payment_deadline')) {
    faults.push({ param: 'first_payment_deadline', reason: 'must not be sent with sub_orders' })
  }
  if (isSent('course_id') && isSent('course_code')) {
    faults.push({ param: 'course_code', reason: 'must not be sent with course_id' })
  }
  if (isSent('batch_id') && !isSent('course_id') && !isSent('course_code')) {
    faults.push({ param: 'batch_id', reason: 'requires a course' })
  }
  if (input.sub_orders?.some((subOrder) => subOrder.sub_order_id !== undefined)) {
    faults.push({ param: 'sub_orders', reason: 'must not have sub_order_id in a new order' })
  }
  return faults
}
