import people from './content/people.json' with { type: 'json' }
import work from './content/work-life.json' with { type: 'json' }
import { staffIdOf } from './sample-staff.ts'

/** A word as written (in Chinese or in the language of its country), and in English or Latin letters. */
export type Word = readonly [written: string, latin: string]

function wordOf(text: string): Word {
  const [written = '', latin = written] = text.split('/')
  return [written, latin]
}

/**
 * The countries of the users: names and mobile numbers, which are a prefix and a number of digits. `users` is the number
 * of users of the country; `isChinese` says whether they fill in forms in Chinese.
 */
export const origins = people.origins.map((origin) => ({
  ...origin,
  last_names: origin.last_names.split(' ').map(wordOf),
  first_names: origin.first_names.split(' ').map(wordOf),
}))
export type Origin = (typeof origins)[number]

/** Names that software often handles wrongly. They replace the names of the first users. */
export const trickyNames = people.trickyNames.map(wordOf)

/** Employers and jobs in Chinese and English. Every company is invented. */
export const workLife = {
  companies: work.companies.map(wordOf),
  industries: work.industries.map(wordOf),
  departments: work.departments.map(wordOf),
  jobTitles: work.jobTitles.map(wordOf),
  companyCategories: work.companyCategories.map(wordOf),
  companySizes: work.companySizes.map(wordOf),
  annualRevenues: work.annualRevenues.map(wordOf),
  annualIncomes: work.annualIncomes.map(wordOf),
  degrees: work.degrees.map(wordOf),
  universities: work.universities.map(wordOf),
}

/** The advisers who own users and share in orders. The first is the counsellor who can sign in. */
export const owners = [
  { id: staffIdOf('counsellor'), name: '李雷' },
  { id: 'owner-zhao', name: '赵磊 Zhao Lei' },
  { id: 'owner-qian', name: '钱敏 Qian Min' },
  { id: 'owner-garcia', name: 'Lucía García' },
  { id: 'owner-okafor', name: 'Chidi Okafor' },
  { id: 'owner-schmidt', name: 'Jörg Schmidt' },
] as const

export type OwnerId = (typeof owners)[number]['id']
