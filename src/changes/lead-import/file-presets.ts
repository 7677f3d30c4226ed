import { forgiven } from '../../files/header-words.ts'
import { ignoredColumn, type Mapping } from '../../files/map-columns.ts'
import type { ColumnName } from './lead-columns.ts'

/** A source whose files are recognised by their headers. */
interface Preset {
  name: string
  /** Headers that together occur in files of this source only. */
  signs: string[]
  /** The columns of its headers. Headers that are missing here are found by their names. */
  columns: Partial<Record<ColumnName | typeof ignoredColumn, string>>
  /** Whether its other headers are questions of a form. */
  asksQuestions?: boolean
}

/** Separated by |, because some headers have commas. */
const presets: Preset[] = [
  {
    name: 'facebook',
    signs: ['created_time', 'ad_id', 'adset_id', 'form_id'],
    columns: {
      entry_id: 'id',
      lead_time: 'created_time',
      campaign: 'campaign_name',
      utm_medium: 'adset_name',
      utm_term: 'ad_name',
      utm_source: 'platform',
      page_id: 'form_name',
      name: 'full_name',
      mobile: 'phone_number|phone',
      email: 'email',
      ignore: 'ad_id|adset_id|campaign_id|form_id|is_organic|inbox_url|lead_status|is_test',
    },
    asksQuestions: true,
  },
  {
    name: 'google_ads',
    signs: ['lead_id', 'form_id', 'gcl_id|gclid|lead_submit_time'],
    columns: {
      entry_id: 'lead_id',
      lead_time: 'lead_submit_time|submit_time',
      campaign: 'campaign_name',
      name: 'FULL_NAME',
      first_name: 'FIRST_NAME',
      last_name: 'LAST_NAME',
      mobile: 'PHONE_NUMBER',
      email: 'EMAIL',
      company_name: 'COMPANY_NAME',
      job_title: 'JOB_TITLE',
      city: 'CITY',
      ignore: 'campaign_id|adgroup_id|creative_id|gcl_id|gclid|form_id|asset_group_id|api_version|is_test',
    },
    asksQuestions: true,
  },
  {
    name: 'linkedin',
    signs: ['Lead ID|Lead Type', 'Form Name', 'Email Address', 'Campaign Name|Account Name'],
    columns: {
      entry_id: 'Lead ID',
      lead_time: 'Timestamp|Submitted At|Created Date',
      campaign: 'Campaign Name',
      page_id: 'Form Name',
      first_name: 'First Name',
      last_name: 'Last Name',
      email: 'Email Address',
      mobile: 'Phone Number',
      company_name: 'Company Name',
      job_title: 'Job Title',
      city: 'City',
      ignore: 'Lead Type|Campaign ID|Form ID|Creative ID|Ad Creative ID|Account Name|is_test',
    },
  },
  {
    name: 'tiktok',
    signs: ['Lead ID', 'Ad Group Name', 'Ad Name'],
    columns: {
      entry_id: 'Lead ID',
      lead_time: 'Created Time',
      campaign: 'Campaign Name',
      utm_medium: 'Ad Group Name',
      utm_term: 'Ad Name',
      page_id: 'Form Name',
      name: 'Full name|Name',
      first_name: 'First name',
      last_name: 'Last name',
      mobile: 'Phone number',
      email: 'Email',
      ignore: 'Campaign ID|Ad Group ID|Ad ID|Form ID',
    },
    asksQuestions: true,
  },
  {
    name: 'tencent_ads',
    signs: ['线索ID', '线索提交时间|线索生成时间', '广告名称|广告ID|创意名称'],
    columns: {
      entry_id: '线索ID',
      lead_time: '线索提交时间|线索生成时间',
      campaign: '推广计划名称|计划名称',
      utm_medium: '广告名称|广告组名称',
      utm_term: '创意名称',
      page_id: '落地页名称',
      name: '姓名|客户姓名',
      mobile: '电话|手机号|手机',
      wechat_id: '微信号|微信',
      city: '所在城市|城市|所在地区',
      note: '备注|留言',
      ignore: '推广计划ID|广告ID|创意ID|落地页ID|账户ID',
    },
  },
  {
    name: 'ocean_engine',
    signs: ['线索ID', '广告主ID|广告主名称|广告账户ID|广告计划ID|推广计划ID|流量来源'],
    columns: {
      entry_id: '线索ID',
      lead_time: '创建时间|线索创建时间|线索生成时间|提交时间',
      campaign: '广告计划名称|计划名称|推广计划名称|项目名称',
      utm_medium: '广告组名称|广告名称|单元名称',
      utm_term: '创意名称',
      utm_source: '流量来源|线索来源',
      utm_channel: '线索类型|组件类型|应用名称',
      page_id: '落地页名称|站点名称|落地页',
      name: '姓名|客户姓名|用户姓名',
      mobile: '电话号码|手机号|手机号码|电话|联系电话',
      wechat_id: '微信号|微信',
      note: '备注|留言|跟进记录',
      city: '城市|所在城市|号码归属地',
      ignore:
        '广告主ID|广告主名称|广告账户ID|广告账户名称|广告计划ID|推广计划ID|广告组ID|创意ID|落地页ID|落地页链接|站点ID|跟进状态',
    },
  },
  {
    name: 'xiaohongshu',
    signs: ['留资时间|线索留资时间|线索时间', '笔记ID|笔记标题|小红书昵称|用户昵称|小红书号|创意名称'],
    columns: {
      entry_id: '线索ID|线索编号',
      lead_time: '留资时间|线索留资时间|线索时间',
      campaign: '计划名称|推广计划名称|投放计划',
      utm_medium: '单元名称|推广单元名称',
      utm_term: '创意名称|笔记标题',
      utm_source: '线索来源|来源|留资来源',
      page_id: '笔记ID|落地页名称',
      name: '姓名|客户姓名',
      mobile: '手机号|手机号码|电话|联系电话',
      wechat_id: '微信号|微信',
      note: '备注|留言',
      city: '城市|所在城市',
      ignore: '计划ID|单元ID|创意ID|用户昵称|小红书昵称|小红书号|账户ID|账户名称',
    },
  },
  {
    name: 'hubspot',
    signs: ['Record ID', 'First Name', 'Contact owner|Lifecycle Stage|Lead Status'],
    columns: {
      external_id: 'Record ID|Record ID - Contact',
      first_name: 'First Name',
      last_name: 'Last Name',
      email: 'Email',
      mobile: 'Mobile Phone Number|Phone Number',
      backup_mobile: 'Phone Number',
      owner_ids: 'Contact owner',
      lead_time: 'Create Date',
      company_name: 'Company Name|Associated Company',
      job_title: 'Job Title',
      city: 'City',
      utm_source: 'Original Source|Original Traffic Source',
      ignore:
        'Lifecycle Stage|Lead Status|Marketing contact status|Associated Company IDs|Last Activity Date|Last Modified Date|Favorite Content Topics',
    },
  },
  {
    name: 'google_contacts',
    signs: ['Phone 1 - Value|E-mail 1 - Value', 'First Name|Given Name', 'Last Name|Family Name'],
    columns: {
      name: 'Name',
      first_name: 'First Name|Given Name',
      last_name: 'Last Name|Family Name',
      mobile: 'Phone 1 - Value',
      backup_mobile: 'Phone 2 - Value',
      email: 'E-mail 1 - Value',
      company_name: 'Organization Name|Organization 1 - Name',
      job_title: 'Organization Title|Organization 1 - Title',
      department: 'Organization Department|Organization 1 - Department',
      birthday: 'Birthday',
      note: 'Notes',
      city: 'Address 1 - City',
      ignore:
        'Labels|Group Membership|Photo|E-mail 1 - Label|E-mail 1 - Type|Phone 1 - Label|Phone 1 - Type|Phone 2 - Label|Phone 2 - Type|Phonetic First Name|Phonetic Middle Name|Phonetic Last Name|Name Prefix|Name Suffix|File As|Yomi Name',
    },
  },
  {
    name: 'salesforce',
    signs: ['Last Name', 'Lead Source', 'Lead Owner|Lead Status|Lead ID|Company / Account|Lead Owner Alias'],
    columns: {
      entry_id: 'Lead ID',
      first_name: 'First Name',
      last_name: 'Last Name',
      job_title: 'Title',
      company_name: 'Company / Account|Company',
      email: 'Email',
      mobile: 'Mobile|Mobile Phone|Phone',
      backup_mobile: 'Phone',
      utm_source: 'Lead Source',
      owner_ids: 'Lead Owner',
      lead_time: 'Created Date|Create Date',
      note: 'Description',
      city: 'City',
      ignore: 'Lead Status|Lead Owner Alias|Rating|Street|Unread By Owner',
    },
  },
  {
    name: 'pipedrive',
    signs: ['Person - Name', 'Person - Owner|Person - Organization|Person - ID'],
    columns: {
      external_id: 'Person - ID',
      name: 'Person - Name',
      first_name: 'Person - First name',
      last_name: 'Person - Last name',
      email: 'Person - Email|Person - Email - Work',
      mobile: 'Person - Phone - Mobile|Person - Phone|Person - Phone - Work',
      backup_mobile: 'Person - Phone - Work|Person - Phone - Home',
      company_name: 'Person - Organization',
      owner_ids: 'Person - Owner',
      tags: 'Person - Label|Person - Labels',
      lead_time: 'Person - Person created|Person - Created',
    },
  },
  {
    name: 'mailchimp',
    signs: ['Email Address', 'OPTIN_TIME', 'LEID|EUID|MEMBER_RATING'],
    columns: {
      email: 'Email Address',
      first_name: 'First Name',
      last_name: 'Last Name',
      mobile: 'Phone Number|SMS Phone Number',
      lead_time: 'OPTIN_TIME',
      note: 'NOTES',
      tags: 'TAGS',
      birthday: 'Birthday',
      ignore:
        'MEMBER_RATING|OPTIN_IP|CONFIRM_TIME|CONFIRM_IP|LATITUDE|LONGITUDE|GMTOFF|DSTOFF|TIMEZONE|CC|REGION|LAST_CHANGED|LEID|EUID',
    },
  },
  {
    name: 'typeform',
    signs: ['#', 'Submit Date (UTC)', 'Network ID|Start Date (UTC)'],
    columns: {
      entry_id: '#',
      lead_time: 'Submit Date (UTC)',
      ignore: 'Start Date (UTC)|Stage Date (UTC)|Network ID|Response Type|Ending|Tags',
    },
    asksQuestions: true,
  },
  {
    name: 'wenjuanxing',
    signs: ['序号', '提交答卷时间', '所用时间|来自IP|来源详情'],
    columns: {
      lead_time: '提交答卷时间',
      utm_source: '来源',
      ignore: '序号|所用时间|来源详情|来自IP|总分',
    },
    asksQuestions: true,
  },
  {
    name: 'wecom',
    signs: ['客户名称|客户昵称', '添加人|所属客服|添加人账号', '添加时间'],
    columns: {
      name: '客户名称|客户昵称',
      mobile: '手机|手机号|电话',
      lead_time: '添加时间',
      owner_ids: '添加人|所属客服',
      utm_source: '来源|添加来源|添加方式',
      note: '描述|备注',
      company_name: '企业名称|客户企业|企业',
      ignore: '添加人账号|标签|客户类型|添加人所属部门|性别',
    },
  },
  {
    name: 'jinshuju',
    signs: ['序号', '提交时间', '填写设备|浏览器|操作系统|IP|提交人'],
    columns: {
      lead_time: '提交时间',
      // This number counts the answers of one form. Other forms have the same numbers.
      ignore: '序号|填写设备|浏览器|操作系统|IP|提交人|修改时间|填写地区|扩展属性',
    },
    asksQuestions: true,
  },
]

export const presetNames = presets.map(({ name }) => name)

/** The source of a file and the columns of its headers; undefined if it is not known. */
export function presetOf(headers: string[]): { name: string; mapping: Mapping } | undefined {
  const written = new Map(headers.map((header) => [forgiven(header), header]))
  const found = (words: string) => words.split('|').flatMap((word) => written.get(forgiven(word)) ?? [])
  const preset = presets.find(({ signs }) => signs.every((words) => found(words).length > 0))
  if (!preset) return undefined
  const mapping: Mapping = {}
  for (const [column, words] of Object.entries(preset.columns)) {
    const free = found(words).filter((header) => !Object.hasOwn(mapping, header))
    for (const header of column === ignoredColumn ? free : free.slice(0, 1)) mapping[header] = column
  }
  return { name: preset.name, mapping }
}

/** Whether the headers of this source that have no other meaning are questions. */
export function asksQuestions(name: string | undefined): boolean {
  return presets.some((preset) => preset.name === name && preset.asksQuestions)
}

const headersOfPresets = new Set(
  presets.flatMap(({ signs, columns }) =>
    [...signs, ...Object.values(columns)].flatMap((headers) => headers.split('|').map(forgiven)),
  ),
)

/** Whether a known source has a header of this name. The row of the headers is found by such names. */
export function isPresetHeader(text: string): boolean {
  return headersOfPresets.has(forgiven(text))
}
