import { type Fields, fields } from './field-types.ts'

/** The members of the records, in the interface's order. */

export const tagGroupRow: Fields = {
  ...fields('String', 'entity_id attribute'),
  // Declared String; an object, booleans and an integer are what answers carry.
  calculation_rules: 'Dict',
  ...fields('String', 'category corp_id ctime description'),
  ...fields('Boolean', 'is_active is_auto is_deleted is_locked'),
  ...fields('String', 'mtime name type variable_name'),
  version: 'Integer',
}

export const userTagRow: Fields = {
  ...fields('String', 'entity_id attribute corp_id ctime'),
  // Null where the group's attribute is not define.
  define_value: 'Boolean?',
  executor_id: 'String',
  is_deleted: 'Boolean',
  ...fields('String', 'mtime source tags_group_id user_id'),
  version: 'Integer',
}

export const userProfile: Fields = {
  ...fields('String', 'user_id corp_id name last_name first_name area_code mobile'),
  ...fields('String?', 'gender city city_raw city_mobile company_name job_title department industry'),
  age: 'Integer?',
  professional_profile_url: 'String?',
}

export const orderDetail: Fields = {
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

export const orderRow: Fields = {
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

export const paymentAttributes: Fields = {
  ...fields('String?', 'id status source currency charge_id comments completed_time'),
  ...fields('Float?', 'price exchange_rate'),
  receipt_num: 'Integer?',
}

const paymentColumns = Object.fromEntries(
  Array.from({ length: paymentSlots }, (_, index) =>
    Object.entries(paymentAttributes).map(([name, type]) => [`payment${index + 1}_${name}`, type] as const),
  ).flat(),
)

export const financialRow: Fields = {
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
