import type { LeadRecord } from '../src/people/leads/lead-store.ts'
import { lastMoment, later, schoolDay, secondsBetween } from './calendar.ts'
import data from './content/leads.json' with { type: 'json' }
import { programs } from './programs.ts'
import type { Random } from './random.ts'
import type { SampleUser } from './sample-users.ts'

export interface SampleLead extends LeadRecord {
  user_id: string
  lead_id: string
  ctime: Date
  fields: Record<string, unknown>
}

const { sources, questions } = data

/** Some users have several leads, some have none. */
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

/** The fields of a form, with the mobile number if there is one. */
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
  const given = Object.entries(details).filter(([, value]) => value !== null && random.chance(70))
  return {
    ...(mobile === null ? { user_id } : { area_code, mobile }),
    ...Object.fromEntries(given),
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
      asked.flatMap(({ question, answers }, index) => [
        [`form${index + 1}_name`, question],
        [`form${index + 1}_value`, random.pick(answers)],
      ]),
    ),
  }
}
