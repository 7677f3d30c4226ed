import { list, text } from '../../files/cell-readers.ts'
import type { ColumnTable } from '../../files/map-columns.ts'
import { CellRefused, type Column, type Columns, column, longText } from '../../files/read-cells.ts'
import type { LeadFields } from '../../people/leads/lead-fields.ts'
import { guessRules } from './guess-rules.ts'
import { birthday, emailAddress, leadTime } from './lead-cells.ts'

/** Fields of a row that leads/import does not have: those of the person, and records that come with the lead. */
export interface FileFields {
  email?: string
  first_name?: string
  last_name?: string
  backup_mobile?: string
  wechat_id?: string
  external_id?: string
  birthday?: string
  /** When the person asked: a local time, or an instant with its offset. */
  lead_time?: string
  note?: string
  /** "name = value", or the name alone for yes. */
  tags?: string[]
  /** An answer. Its header is the question. */
  question?: string
}

/** The values of the columns of a row. Mobile number and area code are read together. */
export type LeadMembers = LeadFields & FileFields
export type ColumnName = keyof LeadMembers & string

/** Several numbers of a cell may be in lines of their own. */
function numbers(aliases: string): Column<string> {
  return { ...column(text, aliases), isLongText: true }
}

/** A text that became several lines in a spreadsheet is still one. */
function folded(aliases: string): Column<string> {
  return { ...column((cell) => cell.replaceAll(/\s*[\r\n]+\s*/g, ' '), aliases), isLongText: true }
}

/** The columns of a lead. The first names of a column are its best ones. */
export const columns: Columns<LeadMembers> = {
  user_id: column(text, '用户id, 用户编号'),
  area_code: column(text, 'country code, calling code, dial code, 区号, 国家区号, 国际区号'),
  mobile: numbers(
    'mobile number, mobile phone, mobile phone number, cell, cell phone, 手机, 手机号, 手机号码, 手机电话, 移动电话, phone, phone number, telephone, tel, 电话, 电话号码, 联系电话, 联系方式, 联系号码, whatsapp, handy, handynummer, mobil, mobilnummer, mobiltelefon, telefon, telefonnummer, téléphone, téléphone portable, portable, teléfono, móvil, 家长手机, 家长手机号, 家长电话, 收货人手机号, 收件人手机, 客户手机, 客户电话',
  ),
  backup_mobile: numbers(
    'second phone, other phone, phone 2, mobile 2, home phone, work phone, landline, 备用电话, 备用手机, 备用手机号, 备用联系方式, 其他电话, 第二电话, 第二联系电话, 座机, 固定电话, 家庭电话, 电话2, 手机2',
  ),
  email: column(
    emailAddress,
    'e-mail, mail, email address, e-mail address, 邮箱, 电子邮箱, 电子邮件, 邮箱地址, 邮件, 邮件地址, e-mail-adresse, courriel, adresse e-mail, correo, correo electrónico, 电子邮件地址, 电邮',
  ),
  name: folded(
    'full name, user name, contact, contact name, 姓名, 名字, 客户姓名, 学员姓名, 学生姓名, 联系人, 客户名称, 称呼, 收货人, 收件人, 家长姓名, 参会人, 报名人, 客户昵称',
  ),
  first_name: folded('given name, forename, 名, vorname, prénom, nombre'),
  last_name: folded('family name, surname, 姓, 姓氏, nachname, nom, nom de famille, apellido, apellidos'),
  wechat_id: column(text, 'wechat, weixin, wechat number, 微信, 微信号, 微信号码, 微信id, 微信账号'),
  birthday: column(
    birthday,
    'birth date, date of birth, dob, birthdate, 生日, 出生日期, 出生年月, 出生年月日, geburtsdatum, geburtstag, date de naissance, fecha de nacimiento',
  ),
  lead_time: column(
    leadTime,
    'created time, create time, created at, create date, created date, created, submitted at, submission time, date added, timestamp, inquiry date, enquiry date, 咨询日期, 咨询时间, 创建时间, 创建日期, 提交时间, 留资时间, 登记时间, 登记日期, 报名时间, 线索时间, 录入时间, 添加时间, 填写时间, 留言时间, completion time, submit date, submit time, lead submit time, registration time, registration date, registered at, optin time, 线索提交时间, 提交答卷时间, 答题时间, 时间戳记, 时间戳, 下单时间, 进线时间, 获取时间, 领取时间, 分配时间',
  ),
  note: longText(
    'notes, remark, remarks, comment, comments, message, description, 备注, 说明, 备注信息, 留言, 留言内容, 沟通记录, 跟进记录, 跟进内容, 咨询内容, bemerkung, bemerkungen, notiz, notizen, kommentar, commentaire, commentaires, nachricht, 描述',
  ),
  tags: column(listOfTags, 'tag, labels, label, 标签, 客户标签'),
  external_id: column(
    text,
    'external, crm id, record id, contact id, customer id, 外部id, 外部编号, 客户编号, 客户id, 学号, 学员编号, 学生编号, 学员id, 学生id, 会员编号, 会员号',
  ),
  utm_source: folded('source, lead source, 来源, 渠道来源, 线索来源, 客户来源'),
  utm_medium: column(
    text,
    'medium, 媒介, ad group name, ad group, adset name, ad set name, 广告组, 广告组名称, 单元名称',
  ),
  utm_campaign: column(text, 'utm campaign name, utm活动'),
  utm_channel: column(text, 'channel, 渠道'),
  utm_keyword: column(text, 'keyword, 关键词, 关键字'),
  utm_term: column(text, 'term, 搜索词, ad name, creative name, 创意名称, 创意'),
  campaign: folded(
    'campaign name, event, 活动, 活动名称, 推广活动, 广告计划, 广告计划名称, 计划名称, event name, 推广计划, 推广计划名称',
  ),
  is_corporate_training: column(yesOrNo, 'corporate training, corporate, 企业培训, 企业内训, 是否企业培训'),
  question: longText('question and answer, 问答'),
  form1_name: longText('question 1, question1, 问题1, 问题一'),
  form2_name: longText('question 2, question2, 问题2, 问题二'),
  form3_name: longText('question 3, question3, 问题3, 问题三'),
  form4_name: longText('question 4, question4, 问题4, 问题四'),
  form1_value: longText('answer 1, answer1, 回答1, 答案1, 答案一'),
  form2_value: longText('answer 2, answer2, 回答2, 答案2, 答案二'),
  form3_value: longText('answer 3, answer3, 回答3, 答案3, 答案三'),
  form4_value: longText('answer 4, answer4, 回答4, 答案4, 答案四'),
  entry_id: column(
    text,
    'entry number, submission id, 提交编号, 表单编号, 条目编号, 线索编号, 线索id, lead id, response id, form response id',
  ),
  page_id: column(text, 'landing page, 页面编号, 落地页, form name, landing page name, 落地页名称, 表单名称'),
  course_code: folded('course, 课程, 课程代码, 课程编码, 意向课程, 咨询课程, 报名课程, 感兴趣的课程'),
  bd_vid: column(text, 'bdvid, 百度vid'),
  company_name: folded(
    'company, organisation, organization, employer, 公司, 公司名称, 单位, 工作单位, firma, unternehmen, entreprise, société, empresa, organization name, associated company',
  ),
  work_exp: column(text, 'work experience, years of work, experience, 工作年限, 工作经验'),
  job_title: folded('title, position, 职位, 职务, beruf, funktion, poste, cargo'),
  department: folded('dept, 部门'),
  city: folded('town, 城市, 所在城市, 所在地, stadt, ort, wohnort, ville, ciudad, 号码归属地, 归属地'),
  owner_ids: column(
    list,
    'owners, owner, owner id, adviser, advisor, counsellor, 负责人, 顾问, 跟进人, 课程顾问, 所属顾问, 所属人, 归属人',
  ),
  oid: column(text, 'single owner'),
}

/** A file must identify the people. */
export const leadColumns: ColumnTable<ColumnName> = {
  columns,
  missing: (found) =>
    found.has('user_id') || found.has('mobile') || found.has('email')
      ? undefined
      : 'A column that identifies people is missing: a mobile number, an e-mail address, or user_id.',
  guess: guessRules,
}

/** Some systems separate tags by commas, which a value may contain. */
export function listOfTags(cell: string): string[] {
  const parts = cell.split(/[,，、|\n]/).flatMap((part) => part.replace(/^"(.*)"$/, '$1').trim() || [])
  const named = parts.filter((part) => /[=＝:：]/.test(part)).length
  return /[;；]/.test(cell) || (named > 0 && named < parts.length) ? list(cell) : parts
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
