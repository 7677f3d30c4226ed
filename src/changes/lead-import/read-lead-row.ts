import type { Organization } from '../../contract/caller.ts'
import { ApiError } from '../../contract/errors.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import { formats } from '../../contract/formats.ts'
import { inputValidator } from '../../contract/validate.ts'
import { areaCode, list, text } from '../../files/cell-readers.ts'
import { type ColumnFault, type FaultColumns, faultsOfError } from '../../files/column-faults.ts'
import type { ColumnMap, ColumnTable } from '../../files/map-columns.ts'
import { CellRefused, type Columns, column, longText, readCells } from '../../files/read-cells.ts'
import type { RowSource, SourceRow } from '../../files/row-source.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import type { LeadFields } from '../../people/leads/lead-fields.ts'
import { readPhoneNumber } from '../../people/users/phone-number.ts'

/** The values of the columns of a row. Mobile number and area code are read together. */
type LeadMembers = LeadFields
export type ColumnName = keyof LeadMembers & string

/** The columns of a lead. */
export const columns: Columns<LeadMembers> = {
  user_id: column(text, 'user, 用户id, 用户编号'),
  area_code: column(text, 'country code, calling code, dial code, 区号, 国家区号, 国际区号'),
  mobile: column(
    text,
    'mobile number, phone, phone number, cell, cell phone, telephone, tel, 手机, 手机号, 手机号码, 电话, 电话号码, 联系电话, 联系方式',
  ),
  name: column(text, 'full name, user name, contact, contact name, 姓名, 名字, 客户姓名, 学员姓名, 联系人'),
  utm_source: column(text, 'source, lead source, 来源, 渠道来源, 线索来源'),
  utm_medium: column(text, 'medium, 媒介'),
  utm_campaign: column(text, 'utm campaign name, utm活动'),
  utm_channel: column(text, 'channel, 渠道'),
  utm_keyword: column(text, 'keyword, 关键词, 关键字'),
  utm_term: column(text, 'term, 搜索词'),
  campaign: column(text, 'campaign name, event, 活动, 活动名称, 推广活动'),
  is_corporate_training: column(yesOrNo, 'corporate training, corporate, 企业培训, 企业内训, 是否企业培训'),
  form1_name: longText('question 1, question1, 问题1, 问题一'),
  form2_name: longText('question 2, question2, 问题2, 问题二'),
  form3_name: longText('question 3, question3, 问题3, 问题三'),
  form4_name: longText('question 4, question4, 问题4, 问题四'),
  form1_value: longText('answer 1, answer1, 回答1, 答案1, 答案一'),
  form2_value: longText('answer 2, answer2, 回答2, 答案2, 答案二'),
  form3_value: longText('answer 3, answer3, 回答3, 答案3, 答案三'),
  form4_value: longText('answer 4, answer4, 回答4, 答案4, 答案四'),
  entry_id: column(text, 'entry, entry number, submission id, 提交编号, 表单编号, 条目编号, 线索编号'),
  page_id: column(text, 'page, landing page, 页面, 页面编号, 落地页'),
  course_code: column(text, 'course, 课程, 课程代码, 课程编码, 意向课程'),
  bd_vid: column(text, 'bdvid, 百度vid'),
  company_name: column(text, 'company, organisation, organization, employer, 公司, 公司名称, 单位, 工作单位'),
  work_exp: column(text, 'work experience, years of work, experience, 工作年限, 工作经验'),
  job_title: column(text, 'title, position, 职位, 职务'),
  department: column(text, 'dept, 部门'),
  city: column(text, 'town, 城市, 所在城市'),
  owner_ids: column(list, 'owners, owner, owner id, adviser, advisor, 负责人, 顾问, 跟进人'),
  oid: column(text, 'single owner'),
}

/** A file must identify the users. */
export const leadColumns: ColumnTable<ColumnName> = {
  columns,
  missing: (found) =>
    found.has('user_id') || found.has('mobile')
      ? undefined
      : 'A column for the user is missing: mobile or user_id.',
}

const yes = ['true', 'yes', 'y', '1', '是', '有']
const no = ['false', 'no', 'n', '0', '否', '无']

/** Undefined if the cell is neither. */
export function readYesOrNo(cell: string): boolean | undefined {
  const written = cell.normalize('NFKC').toLowerCase()
  return yes.includes(written) || (no.includes(written) ? false : undefined)
}

function yesOrNo(cell: string): boolean {
  const answer = readYesOrNo(cell)
  if (answer !== undefined) return answer
  throw new CellRefused('must be yes or no')
}

/** A row without faults: the input of leads/import, and its entry. */
export interface LeadRow {
  input: LeadFields
  /** The entry of the row or, without one, an id made of its content: the same row is the same entry in any file. */
  entry_id: string
  /** Hash of the values: the same row in another spelling has the same hash. */
  hash: string
}

const validLead = inputValidator(importLead)

/** Reads the cells of a row. Returns all faults. */
export function readLeadRow(
  row: SourceRow,
  map: ColumnMap<ColumnName>,
  source: RowSource,
  organization: Organization,
): LeadRow | ColumnFault[] {
  const { members, faults } = readCells<LeadMembers>(columns, row, map, source)
  const number = numberOf(members, organization)
  if (Array.isArray(number)) faults.push(...number)
  if (faults.length > 0) return faults
  try {
    const input = validLead({ corp_id: organization.corp_id, ...members, ...number }) as LeadFields
    const hash = fingerprint(input)
    return { input, hash, entry_id: input.entry_id ?? `row-${hash.slice(0, 40)}` }
  } catch (error) {
    if (error instanceof ApiError) return faultsOfError(error, leadFaults)
    throw error
  }
}

export const leadFaults: FaultColumns = {
  byCode: { 40401: { column: 'user_id', reason: 'names no user of the organization' } },
  byParameter: {},
  fallback: 'entry_id',
}

function numberOf(
  { mobile, area_code }: Partial<LeadMembers>,
  { country }: Organization,
): Partial<LeadMembers> | ColumnFault[] {
  if (mobile === undefined) return {}
  const given = area_code && areaCode(area_code)
  if (given && !formats['area-code'][0](given))
    return [{ column: 'area_code', reason: formats['area-code'][1] }]
  const number = readPhoneNumber(mobile, given ? { area_code: given } : { country })
  if (!number)
    return [
      { column: 'mobile', reason: `is not a phone number of ${given ? `calling code ${given}` : country}` },
    ]
  if (given && number.area_code !== given)
    return [
      {
        column: 'mobile',
        reason: `has the calling code ${number.area_code}, but the area code is ${given}`,
      },
    ]
  return number
}
