/**
 * The field tables of the interface as data: every name, type, default and limit, in the interface's order. Nothing
 * here is taken from the source of the service, which is what these tables are held against.
 */

/** The types of the interface; a question mark where null may stand instead. */
export type FieldType = `${'String' | 'Integer' | 'Float' | 'Boolean' | 'List' | 'Dict'}${'' | '?'}`
export type Fields = Record<string, FieldType>

export interface RequestField {
  type: FieldType
  /** Absent: optional, or required under a condition. */
  required?: true
  default?: number | string
  maximum?: number
  /** The words that the interface lists. */
  values?: string[]
}

export interface OperationTable {
  method: 'GET' | 'POST'
  path: string
  since?: string
  request: Record<string, RequestField>
  /** The data of the answer: its members, or the type of the whole. */
  data: Fields | 'String'
  /** For data with rows: the member that holds them, and their members. */
  rows?: { member: string; fields: Fields }
  /** Members that the service adds behind those of the interface: of the rows, or of the data where it has none. */
  additions?: Fields
  /** Parameters that the service adds. They are optional: without them, the answer is that of the interface. */
  addedParameters?: string[]
}

function fields(type: FieldType, names: string): Fields {
  return Object.fromEntries(names.split(/[\s,]+/).map((name) => [name, type]))
}

function required(names: string): Record<string, RequestField> {
  return Object.fromEntries(names.split(/[\s,]+/).map((name) => [name, { type: 'String', required: true }]))
}

const attribute: RequestField = { type: 'String', required: true, values: ['define', 'number', 'string'] }

const tagGroupRow: Fields = {
  ...fields('String', 'entity_id attribute'),
  // Declared String; an object, booleans and an integer are what answers carry.
  calculation_rules: 'Dict',
  ...fields('String', 'category corp_id ctime description'),
  ...fields('Boolean', 'is_active is_auto is_deleted is_locked'),
  ...fields('String', 'mtime name type variable_name'),
  version: 'Integer',
}

const userTagRow: Fields = {
  ...fields('String', 'entity_id attribute corp_id ctime'),
  // Null where the group's attribute is not define.
  define_value: 'Boolean?',
  executor_id: 'String',
  is_deleted: 'Boolean',
  ...fields('String', 'mtime source tags_group_id user_id'),
  version: 'Integer',
}

const userProfile: Fields = {
  ...fields('String', 'user_id corp_id name last_name first_name area_code mobile'),
  ...fields('String?', 'gender city city_raw city_mobile company_name job_title department industry'),
  age: 'Integer?',
  professional_profile_url: 'String?',
}

const orderDetail: Fields = {
  ...fields('String', 'entity_id corp_id course_code course_id currency leads_id source status type user_id'),
  ...fields('String', 'ctime mtime course_end_time'),
  application_fee_price: 'Integer?',
  ...fields(
    'Integer',
    'discounted_price listed_price paid_price post_refund_price total_price unpaid_price installment_count version',
  ),
  ...fields('Boolean', 'is_deleted is_locked'),
  ...fields('List', 'pre_sub_order_ids sub_order_ids coupon_ids sub_orders'),
}

const orderRow: Fields = {
  ...fields(
    'String',
    `entity_id corp_id course_code course_id ctime contract_id business_id product_id course_start_time course_end_time
     source application_fee_currency application_fee_status currency last_refund_time completed_time expired_time
     transferred_id executor_id receipt_url user_id version`,
  ),
  ...fields('Integer', 'listed_price foreign_service_charge service_charge total_price'),
  application_fee_price: 'Integer?',
  ...fields(
    'Integer',
    `application_fee_exchange_rate discounted_price exchange_rate post_refund_price refund_price over_payment_price
     paid_price unpaid_price installment_count user_underling_number`,
  ),
  ...fields('Boolean', 'is_locked is_transferred is_payment_changed have_pre is_company_transfer'),
  ...fields(
    'List',
    'invoice_ids remark_list paid_sub_order_ids coupon_ids sub_order_ids pre_sub_order_ids refund_ids',
  ),
  share_proportion: 'Dict',
  ...fields(
    'String',
    'user_birthday user_current_work_start user_parent_company_name user_top_grades_date user_age',
  ),
  ...fields(
    'String',
    `user_address user_nationality user_work_exp user_department user_job_title user_company_name user_company_category
     user_company_annual_revenue user_company_size user_industry user_annual_income user_top_grades
     user_top_grades_institution user_certificate_type user_identification_type user_city user_city_raw user_city_mobile
     user_mobile_attribution user_name user_first_name user_last_name user_gender`,
  ),
  ...fields(
    'String',
    `user_certificate_id user_identification_id user_certificate_url user_resume_file_url user_academic_proof_url
     user_manual_chat user_partner_uid user_professional_profile_url`,
  ),
  leads_id: 'String',
  is_deleted: 'Boolean',
  ...fields('String', 'type mtime status'),
}

export const paymentSlots = 15

const paymentAttributes: Fields = {
  ...fields('String?', 'id status source currency charge_id comments completed_time'),
  ...fields('Float?', 'price exchange_rate'),
  receipt_num: 'Integer?',
}

const paymentColumns = Object.fromEntries(
  Array.from({ length: paymentSlots }, (_, index) =>
    Object.entries(paymentAttributes).map(([name, type]) => [`payment${index + 1}_${name}`, type] as const),
  ).flat(),
)

const financialRow: Fields = {
  ...fields(
    'String',
    `sub_order_id corp_id ctime mtime user_id order_id mobile email salutation first_name last_name account_name
     account_name_en company_name company_name_en work_experience job_title department department_en industry industry_en
     address_for_communication country_of_residence city batch_id batch_name batch_date school_name order_currency month
     batch_start_date batch_end_date program_code course_code course_name online_application_name utm_source
     product_family_or_lob_category status owner_relationship_managers type currency completed_time payment_deadline`,
  ),
  ...fields('Float', 'total_price paid_price post_refund_price unpaid_price exchange_rate'),
  ...paymentColumns,
}

export const orderStatuses = [
  'created',
  'locked',
  'pending',
  'success',
  'canceled',
  'expired',
  'unconfirmed',
  'tbd',
]

const orderListRequest: Record<string, RequestField> = {
  corp_id: { type: 'String', required: true },
  page: { type: 'Integer', default: 0 },
  page_size: { type: 'Integer', default: 10, maximum: 1000 },
  start_date: { type: 'String' },
  end_date: { type: 'String' },
  status: { type: 'String', values: orderStatuses },
  // The interface names the default of the financial list only; one rule for both is what a reader expects.
  time_range_type: { type: 'String', default: 'create', values: ['create', 'modify'] },
}

const page: Fields = { total: 'Integer', page: 'Integer', page_size: 'Integer', list: 'List' }

function optional(type: FieldType, names: string): Record<string, RequestField> {
  return Object.fromEntries(names.split(/[\s,]+/).map((name) => [name, { type }]))
}

/** All nineteen operations. */
export const operationTables: OperationTable[] = [
  {
    method: 'POST',
    path: '/api/v5/authentication/token',
    request: {
      // Either name, and the secret only in the signature: the sample request and the table are both right.
      ...optional('String', 'user_id app_id user_api_secret'),
      ...required('signature time_stamp'),
    },
    data: fields('String', 'token expire_time'),
  },
  {
    method: 'GET',
    path: '/api/v5/authentication/verify',
    request: {},
    data: fields('String', 'app_id result time'),
  },
  {
    method: 'POST',
    path: '/api/v5/entity/tags/group/create',
    since: 'Ver5.2023-11-22',
    request: { ...required('name variable_name description category corp_id'), attribute },
    data: fields('String', 'tags_group_id corp_id name'),
  },
  {
    method: 'GET',
    path: '/api/v5/entity/tags/group/list',
    since: 'Ver5.2023-11-22',
    request: {
      ...required('corp_id category'),
      start_index: { type: 'Integer', required: true },
      step: { type: 'Integer', required: true },
    },
    data: { total: 'Integer', rows: 'List' },
    rows: { member: 'rows', fields: tagGroupRow },
  },
  {
    method: 'POST',
    path: '/api/v5/entity/tags/group/update',
    request: { ...required('entity_id corp_id name variable_name description category'), attribute },
    data: 'String',
  },
  {
    method: 'POST',
    path: '/api/v5/entity/tags/group/deactivate',
    request: required('entity_id corp_id'),
    data: 'String',
  },
  {
    method: 'POST',
    path: '/api/v5/entity/tags/group/activate',
    request: required('entity_id corp_id'),
    data: 'String',
  },
  {
    method: 'POST',
    path: '/api/v5/entity/user/tags/assign',
    request: required('corp_id tags_group_id user_id value'),
    data: 'String',
  },
  {
    method: 'GET',
    path: '/api/v5/entity/user/tags/list',
    request: required('corp_id user_id'),
    data: { total: 'Integer', rows: 'List' },
    rows: { member: 'rows', fields: userTagRow },
    additions: { number_value: 'Float?', string_value: 'String?' },
  },
  {
    method: 'POST',
    path: '/api/v5/entity/user/create',
    since: 'Ver5.2023-11-22',
    request: { ...optional('String', 'area_code mobile email'), ...required('corp_id') },
    data: { user_id: 'String', is_user_exists: 'Boolean' },
  },
  {
    method: 'GET',
    path: '/api/v5/entity/profile/fetch',
    since: 'Ver5.2023-11-01',
    request: required('corp_id user_id'),
    data: userProfile,
    additions: { first_touch: 'Dict?', last_touch: 'Dict?' },
  },
  {
    method: 'POST',
    path: '/api/v5/entity/user/owner/update',
    since: 'Ver5.2024-04-01',
    request: {
      ...required('user_id owner_id corp_id'),
      event_type: { type: 'String', required: true, values: ['add', 'remove'] },
    },
    data: { user_id: 'String', owner_id: 'List' },
  },
  {
    method: 'POST',
    path: '/api/v5/entity/user/pool/update',
    since: 'Ver5.2024-04-01',
    request: required('user_id corp_id pool'),
    data: { user_id: 'String' },
  },
  {
    method: 'POST',
    path: '/api/v5/entity/user/email/update',
    since: 'Ver5.2024-07-25',
    request: required('user_id email corp_id'),
    data: { user_id: 'String' },
  },
  {
    method: 'GET',
    path: '/api/v5/entity/user/contact/fetch',
    since: 'Ver5.2025-04-16',
    request: {
      ...required('user_id corp_id'),
      contact_type: { type: 'String', required: true, values: ['mobile', 'email', 'mobile_backup'] },
    },
    data: { ...fields('String', 'user_id corp_id contact_type'), value: 'List' },
  },
  {
    method: 'GET',
    path: '/api/v5/entity/order/fetch',
    request: required('corp_id order_id'),
    data: orderDetail,
  },
  {
    method: 'GET',
    path: '/api/v5/entity/order/list',
    request: orderListRequest,
    addedParameters: ['include_deleted'],
    data: page,
    rows: { member: 'list', fields: orderRow },
  },
  {
    method: 'GET',
    path: '/api/v5/entity/order/financial/list',
    request: {
      ...orderListRequest,
      time_range_type: { type: 'String', default: 'create', values: ['create', 'modify', 'modity'] },
    },
    data: page,
    rows: { member: 'list', fields: financialRow },
  },
  {
    method: 'POST',
    path: '/api/v5/entity/leads/import',
    request: {
      ...required('corp_id'),
      ...optional(
        'String',
        `user_id area_code mobile name utm_source utm_medium utm_campaign utm_channel utm_keyword utm_term campaign`,
      ),
      is_corporate_training: { type: 'Boolean' },
      ...optional(
        'String',
        `form1_name form2_name form3_name form4_name form1_value form2_value form3_value form4_value entry_id page_id
         course_code bd_vid company_name work_exp job_title department city`,
      ),
      owner_ids: { type: 'List' },
      oid: { type: 'String' },
    },
    data: { lead_id: 'String' },
  },
]
