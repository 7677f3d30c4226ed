import type { Word } from './people.ts'
import { staffIdOf } from './sample-staff.ts'

/** Employers and offices of the sample, in Chinese and in English. Every company is invented. */
export const companies: readonly Word[] = [
  ['云帆科技有限公司', 'Cloudsail Technology Co., Ltd.'],
  ['北辰能源集团', 'Northstar Energy Group'],
  ['青禾生物医药', 'Greenshoot Biopharma'],
  ['海岳物流', 'Haiyue Logistics'],
  ['明川资本', 'Mingchuan Capital'],
  ['拾光文化传媒', 'Lumen Culture & Media'],
  ['远山机械制造', 'Farhill Machinery'],
  ['麦田连锁餐饮', 'Wheatfield Restaurants'],
]

export const industries: readonly Word[] = [
  ['互联网', 'Internet'],
  ['能源', 'Energy'],
  ['医药健康', 'Health care'],
  ['物流', 'Logistics'],
  ['金融', 'Finance'],
  ['文化传媒', 'Media'],
  ['制造业', 'Manufacturing'],
  ['餐饮', 'Hospitality'],
]

export const departments: readonly Word[] = [
  ['市场部', 'Marketing'],
  ['财务部', 'Finance'],
  ['研发部', 'Research & Development'],
  ['人力资源部', 'Human Resources'],
  ['运营部', 'Operations'],
]

export const jobTitles: readonly Word[] = [
  ['总经理', 'General Manager'],
  ['产品总监', 'Product Director'],
  ['财务经理', 'Finance Manager'],
  ['高级工程师', 'Senior Engineer'],
  ['创始人', 'Founder'],
  ['区域销售经理', 'Regional Sales Manager'],
]

export const companyCategories: readonly Word[] = [
  ['民营企业', 'Private company'],
  ['国有企业', 'State-owned company'],
  ['外资企业', 'Foreign-invested company'],
]

export const companySizes: readonly Word[] = [
  ['50人以下', 'Under 50'],
  ['50-500人', '50 to 500'],
  ['500人以上', 'Over 500'],
]

export const annualRevenues: readonly Word[] = [
  ['1亿元以下', 'Under CNY 100 million'],
  ['1亿-10亿元', 'CNY 100 million to 1 billion'],
  ['10亿元以上', 'Over CNY 1 billion'],
]

export const annualIncomes: readonly Word[] = [
  ['30万元以下', 'Under CNY 300,000'],
  ['30万-80万元', 'CNY 300,000 to 800,000'],
  ['80万元以上', 'Over CNY 800,000'],
]

export const degrees: readonly Word[] = [
  ['本科', 'Bachelor'],
  ['硕士', 'Master'],
  ['博士', 'Doctor'],
]

export const universities: readonly Word[] = [
  ['湖滨大学', 'Lakefront University'],
  ['东岭理工大学', 'Dongling Institute of Technology'],
  ['南屏财经大学', 'Nanping University of Finance'],
]

/** The advisers who own users and share in orders; the first is the counsellor who can sign in. */
export const owners = [
  { id: staffIdOf('counsellor'), name: '李雷' },
  { id: 'owner-zhao', name: '赵磊 Zhao Lei' },
  { id: 'owner-qian', name: '钱敏 Qian Min' },
  { id: 'owner-garcia', name: 'Lucía García' },
  { id: 'owner-okafor', name: 'Chidi Okafor' },
  { id: 'owner-schmidt', name: 'Jörg Schmidt' },
] as const

export type OwnerId = (typeof owners)[number]['id']
