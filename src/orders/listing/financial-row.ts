import { contact } from '../../contract/contacts.ts'
import { namedObject, oneOf, Timestamp } from '../../contract/fields.ts'
import { majorUnits, plainRate } from '../../contract/money.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { type Static, Type } from '../../contract/type.ts'
import { fillSlots, type LedgerPayment, PaymentColumnFields } from '../rules/payment-slots.ts'
import { subOrderTypes } from '../rules/status.ts'

const Text = Type.String()
const Amount = Type.Number({ description: 'Major units of the currency' })

/** The user's attributes in a financial row, from the copy in the order. */
export const financialUserAttributes = [
  'mobile',
  'email',
  'salutation',
  'first_name',
  'last_name',
  'account_name',
  'account_name_en',
  'company_name',
  'company_name_en',
  'work_experience',
  'job_title',
  'department',
  'department_en',
  'industry',
  'industry_en',
  'address_for_communication',
  'country_of_residence',
  'city',
] as const

/** The attributes of the course, its batch and the campaign. */
export const financialCourseAttributes = [
  'batch_id',
  'batch_name',
  'batch_date',
  'school_name',
  'month',
  'batch_start_date',
  'batch_end_date',
  'program_code',
  'course_code',
  'course_name',
  'online_application_name',
  'utm_source',
  'product_family_or_lob_category',
  'owner_relationship_managers',
] as const

export type CopiedAttribute =
  | (typeof financialUserAttributes)[number]
  | (typeof financialCourseAttributes)[number]

/** Interface › Order financial row, in its order. */
export const FinancialRow = namedObject('FinancialRow', {
  sub_order_id: Text,
  corp_id: Text,
  ctime: Timestamp,
  mtime: Timestamp,
  user_id: Text,
  order_id: Text,
  ...textsFor(financialUserAttributes),
  mobile: contact('mobile', Text),
  email: contact('email', Text),
  batch_id: Text,
  batch_name: Text,
  batch_date: Text,
  school_name: Text,
  order_currency: Text,
  month: Text,
  batch_start_date: Text,
  batch_end_date: Text,
  program_code: Text,
  course_code: Text,
  course_name: Text,
  online_application_name: Text,
  utm_source: Text,
  product_family_or_lob_category: Text,
  status: oneOf(orderStatuses),
  owner_relationship_managers: Text,
  type: oneOf(subOrderTypes),
  currency: Text,
  completed_time: Timestamp,
  payment_deadline: Timestamp,
  total_price: Amount,
  paid_price: Amount,
  post_refund_price: Amount,
  unpaid_price: Amount,
  exchange_rate: Type.Number({ description: 'The plain exchange rate' }),
  ...PaymentColumnFields,
})

function textsFor<const Names extends readonly string[]>(names: Names) {
  return Object.fromEntries(names.map((name) => [name, Text])) as Record<Names[number], typeof Text>
}

/** A sub-order as the ledger has it: amounts in minor units, payments as a list. */
export type LedgerSubOrder = Record<CopiedAttribute, string> &
  Omit<Static<typeof FinancialRow>, CopiedAttribute> & { payments: LedgerPayment[] }

/** Converts amounts to major units and puts payments into their slots. */
export function financialRowOf(
  { payments, ...row }: LedgerSubOrder,
  slots?: number,
): Static<typeof FinancialRow> {
  return {
    ...row,
    total_price: majorUnits(row.total_price, row.currency),
    paid_price: majorUnits(row.paid_price, row.currency),
    post_refund_price: majorUnits(row.post_refund_price, row.currency),
    unpaid_price: majorUnits(row.unpaid_price, row.currency),
    exchange_rate: plainRate(row.exchange_rate),
    ...fillSlots(payments, slots),
  }
}
