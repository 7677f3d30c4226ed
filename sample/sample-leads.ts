import type { LeadRecord } from '../src/people/leads/lead-store.ts'
import { lastMoment, later, schoolDay, secondsBetween } from './calendar.ts'
import { programs } from './programs.ts'
import type { Random } from './random.ts'
import type { SampleUser } from './sample-users.ts'

export interface SampleLead extends LeadRecord {
  user_id: string
  lead_id: string
  ctime: Date
  fields: Record<string, unknown>
}

const sources = [
  { utm_source: 'search', utm_medium: 'cpc', utm_channel: 'baidu', utm_keyword: '在职MBA', bd_vid: true },
  { utm_source: 'newsletter', utm_medium: 'email', utm_channel: 'alumni', utm_keyword: '', bd_vid: false },
  { utm_source: 'open-day', utm_medium: 'event', utm_channel: 'campus', utm_keyword: '', bd_vid: false },
  {
    utm_source: 'social',
    utm_medium: 'post',
    utm_channel: 'wechat',
    utm_keyword: 'EMBA 招生',
    bd_vid: false,
  },
  { utm_source: 'referral', utm_medium: 'partner', utm_channel: 'web', utm_keyword: '', bd_vid: false },
] as const

const questions = [
  ['您计划何时入学？', ['今年秋季', '明年春季', '还没想好']],
  ['What do you want to learn?', ['Finance', 'Leadership', 'Starting a company 🚀']],
  ['工作年限？', ['3年以下', '3-8年', '8年以上']],
  ['May we call you?', ['Yes', 'Only in the evening', 'No']],
] as const

/** Some users asked several times, some never did. */
export function makeLeads(
  random: Random,
  corp_id: string,
  app_id: string,
  users: SampleUser[],
  count: number,
): SampleLead[] {
  return Array.from({ length: count }, (_, index) => {
    const user = random.pick(users)
    const ctime = later(
      user.ctime,
      random.below(Math.min(90 * 86_400, secondsBetween(user.ctime, lastMoment))),
    )
    const entry_id = random.chance(80)
      ? `entry-${schoolDay(ctime)}-${String(index + 1).padStart(4, '0')}`
      : null
    return {
      lead_id: random.id(ctime),
      user_id: user.user_id,
      entry_id,
      app_id,
      fields: {
        corp_id,
        ...personOf(random, user),
        ...campaignOf(random, ctime),
        ...(entry_id && { entry_id }),
      },
      ctime,
      mtime: ctime,
      version: 1,
    }
  })
}

/** As a form sends it: by mobile where there is one. */
function personOf(random: Random, user: SampleUser) {
  const { area_code, mobile, user_id } = user
  const details = {
    name: user.name,
    company_name: user.company_name,
    work_exp: user.work_exp,
    job_title: user.job_title,
    department: user.department,
    city: user.city,
  }
  const told = Object.entries(details).filter(([, value]) => value !== null && random.chance(70))
  return {
    ...(mobile === null ? { user_id } : { area_code, mobile }),
    ...Object.fromEntries(told),
    ...(user.owner_ids.length > 0 && random.chance(40) && { owner_ids: user.owner_ids }),
  }
}

function campaignOf(random: Random, ctime: Date) {
  const { bd_vid, utm_keyword, ...source } = random.pick(sources)
  const campaign = `${source.utm_source}-${schoolDay(ctime).slice(0, 7)}`
  const asked = questions.slice(0, random.below(questions.length + 1))
  return {
    ...source,
    utm_campaign: campaign,
    campaign,
    ...(utm_keyword && { utm_keyword, utm_term: utm_keyword }),
    ...(bd_vid && { bd_vid: `bd${random.digits(12)}` }),
    page_id: `page-${random.between(1, 24)}`,
    course_code: random.pick(programs).course_code,
    ...(random.chance(15) && { is_corporate_training: true }),
    ...Object.fromEntries(
      asked.flatMap(([question, answers], index) => [
        [`form${index + 1}_name`, question],
        [`form${index + 1}_value`, random.pick(answers)],
      ]),
    ),
  }
}
