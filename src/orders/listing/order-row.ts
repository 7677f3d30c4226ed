import {
  BigInteger,
  described,
  Money,
  NullableBigInteger,
  namedObject,
  oneOf,
  Timestamp,
} from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { Type } from '../../contract/type.ts'
import { orderSources, orderTypes, subOrderTypes } from '../rules/status.ts'

/** The records of the order operations, member by member in the interface's order. */

const Text = Type.String()
const Flag = Type.Boolean()
const Count = Type.Integer()
const Ids = Type.Array(Type.String())
const Rate = described(BigInteger, 'Exchange rate × 10,000')
const Status = oneOf(orderStatuses)

const Payment = namedObject('Payment', {
  payment_id: Text,
  status: Text,
  source: Text,
  currency: Text,
  price: Money,
  exchange_rate: Rate,
  charge_id: Text,
  receipt_num: NullableBigInteger,
  comments: Text,
  completed_time: Timestamp,
})

const SubOrder = namedObject('SubOrder', {
  entity_id: Text,
  order_id: Text,
  seq: Count,
  type: oneOf(subOrderTypes),
  status: Status,
  currency: Text,
  total_price: Money,
  paid_price: Money,
  unpaid_price: Money,
  refund_price: Money,
  exchange_rate: Rate,
  payment_deadline: Timestamp,
  completed_time: Timestamp,
  ctime: Timestamp,
  mtime: Timestamp,
  version: Count,
  payments: Type.Array(Payment),
})

const Remark = namedObject('Remark', { id: Text, content: Text, executor_id: Text, ctime: Timestamp })

/** Interface › Order (detail). */
export const OrderDetail = namedObject('Order', {
  entity_id: Type.String({ description: 'Order ID' }),
  corp_id: Text,
  course_code: Text,
  course_id: Text,
  currency: Text,
  leads_id: Text,
  source: oneOf(orderSources),
  status: Status,
  type: oneOf(orderTypes),
  user_id: Text,
  ctime: Timestamp,
  mtime: Timestamp,
  course_end_time: Timestamp,
  application_fee_price: NullableBigInteger,
  discounted_price: Money,
  listed_price: Money,
  paid_price: Money,
  post_refund_price: Money,
  total_price: Money,
  unpaid_price: Money,
  installment_count: Count,
  version: Count,
  is_deleted: Flag,
  is_locked: Flag,
  pre_sub_order_ids: Ids,
  sub_order_ids: Ids,
  coupon_ids: Ids,
  sub_orders: Type.Array(SubOrder),
})

/** The user attributes copied onto an order: `user_` and these names on the row, these names in the copy. */
export const userAttributes = [
  'birthday',
  'current_work_start',
  'parent_company_name',
  'top_grades_date',
  'age',
  'address',
  'nationality',
  'work_exp',
  'department',
  'job_title',
  'company_name',
  'company_category',
  'company_annual_revenue',
  'company_size',
  'industry',
  'annual_income',
  'top_grades',
  'top_grades_institution',
  'certificate_type',
  'identification_type',
  'city',
  'city_raw',
  'city_mobile',
  'mobile_attribution',
  'name',
  'first_name',
  'last_name',
  'gender',
  'certificate_id',
  'identification_id',
  'certificate_url',
  'resume_file_url',
  'academic_proof_url',
  'manual_chat',
  'partner_uid',
  'professional_profile_url',
] as const

type UserAttribute = `user_${(typeof userAttributes)[number]}`

function userAttributeFields(): Record<UserAttribute, typeof Text> {
  return Object.fromEntries(userAttributes.map((name) => [`user_${name}`, copied(name)])) as Record<
    UserAttribute,
    typeof Text
  >
}

function copied(name: string) {
  return described(
    Text,
    `The ${name.replaceAll('_', ' ')} of the user when the order was created; "" if unknown.`,
  )
}

/** Interface › Order (list row). `version` is a String here, as declared. */
export const OrderListRow = namedObject('OrderRow', {
  entity_id: Type.String({ description: 'Order ID' }),
  corp_id: Text,
  course_code: Text,
  course_id: Text,
  ctime: Timestamp,
  contract_id: Text,
  business_id: Text,
  product_id: Text,
  course_start_time: Timestamp,
  course_end_time: Timestamp,
  source: oneOf(orderSources),
  application_fee_currency: Text,
  application_fee_status: Text,
  currency: Text,
  last_refund_time: Timestamp,
  completed_time: Timestamp,
  expired_time: Timestamp,
  transferred_id: Text,
  executor_id: Text,
  receipt_url: Text,
  user_id: Text,
  version: Text,
  listed_price: Money,
  foreign_service_charge: Money,
  service_charge: Money,
  total_price: Money,
  application_fee_price: NullableBigInteger,
  application_fee_exchange_rate: Rate,
  discounted_price: Money,
  exchange_rate: Rate,
  post_refund_price: Money,
  refund_price: Money,
  over_payment_price: Money,
  paid_price: Money,
  unpaid_price: Money,
  installment_count: Count,
  user_underling_number: Count,
  is_locked: Flag,
  is_transferred: Flag,
  is_payment_changed: Flag,
  have_pre: Flag,
  is_company_transfer: Flag,
  invoice_ids: Ids,
  remark_list: Type.Array(Remark),
  paid_sub_order_ids: Ids,
  coupon_ids: Ids,
  sub_order_ids: Ids,
  pre_sub_order_ids: Ids,
  refund_ids: Ids,
  share_proportion: Type.Record(Type.String(), Type.Number(), {
    description: 'Owner ID to fraction; they sum to 1',
  }),
  ...userAttributeFields(),
  leads_id: Text,
  is_deleted: Flag,
  type: oneOf(orderTypes),
  mtime: Timestamp,
  status: Status,
})
