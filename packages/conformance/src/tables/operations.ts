import {
  type Fields,
  fields,
  type OperationTable,
  optional,
  type RequestField,
  required,
} from './field-types.ts'
import {
  financialRow,
  orderDetail,
  orderRow,
  orderStatuses,
  tagGroupRow,
  userProfile,
  userTagRow,
} from './records.ts'

const attribute: RequestField = { type: 'String', required: true, values: ['define', 'number', 'string'] }

const orderListRequest: Record<string, RequestField> = {
  corp_id: { type: 'String', required: true },
  page: { type: 'Integer', default: 0 },
  page_size: { type: 'Integer', default: 10, maximum: 1000 },
  start_date: { type: 'String' },
  end_date: { type: 'String' },
  status: { type: 'String', values: orderStatuses },
  // The interface names the default of the financial list only; one rule for both is what a reader expects.
  time_range_type: {
    type: 'String',
    default: 'create',
    values: ['create', 'modify'],
    gap: 'time-range-default',
  },
}

/** The interface shows these parameters of the financial list without defaults, limits and words. */
const financialListRequest: Record<string, RequestField> = {
  ...orderListRequest,
  page: { type: 'Integer', default: 0, gap: 'other-page-limits' },
  page_size: { type: 'Integer', default: 10, maximum: 1000, gap: 'other-page-limits' },
  status: { type: 'String', values: orderStatuses, gap: 'financial-statuses' },
  time_range_type: { type: 'String', default: 'create', values: ['create', 'modify', 'modity'] },
}

const page: Fields = { total: 'Integer', page: 'Integer', page_size: 'Integer', list: 'List' }

/** All nineteen operations. */
export const operationTables: OperationTable[] = [
  {
    method: 'POST',
    path: '/api/v5/authentication/token',
    request: {
      // Either name, and the secret only in the signature: the sample request and the table are both valid.
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
    alsoDeclared: {
      ...{ calculation_rules: ['String'], is_active: ['String'], is_auto: ['String'] },
      ...{ is_deleted: ['String'], is_locked: ['String'], version: ['String'] },
    },
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
    additions: { batch_id: 'String' },
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
    alsoDeclared: { application_fee_price: ['String', 'Float', 'Dict', 'List'] },
  },
  {
    method: 'GET',
    path: '/api/v5/entity/order/list',
    request: orderListRequest,
    addedParameters: ['include_deleted'],
    data: page,
    rows: { member: 'list', fields: orderRow },
    alsoDeclared: { application_fee_price: ['String'] },
  },
  {
    method: 'GET',
    path: '/api/v5/entity/order/financial/list',
    request: financialListRequest,
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
