import type { Attribute } from '../src/people/tag-groups/attribute.ts'
import type { TagGroupRecord } from '../src/people/tag-groups/tag-group-store.ts'
import type { UserTagRecord } from '../src/people/user-tags/user-tag-store.ts'
import { at, founded, lastMoment, later, secondsBetween } from './calendar.ts'
import type { Random } from './random.ts'
import type { SampleUser } from './sample-users.ts'

interface GroupPlan {
  name: string
  variable_name: string
  description: string
  attribute: Attribute
  category: string
  type: 'custom' | 'system'
  /** How many of a hundred users have the tag. */
  percent: number
  is_active: boolean
  value(random: Random): boolean | number | string
}

const retired = at('2026-01-15', '18:30:00')

const plans: readonly GroupPlan[] = [
  {
    name: '高意向 High intent',
    variable_name: 'high_intent',
    description: 'Asked for an interview or a contract within the last weeks',
    attribute: 'define',
    category: 'admissions',
    type: 'custom',
    percent: 35,
    is_active: true,
    value: (random) => random.chance(70),
  },
  {
    name: '面试通过 Interview passed',
    variable_name: 'interview_passed',
    description: 'The admission committee has said yes',
    attribute: 'define',
    category: 'admissions',
    type: 'custom',
    percent: 25,
    is_active: true,
    value: (random) => random.chance(80),
  },
  {
    name: 'GMAT score',
    variable_name: 'gmat_score',
    description: 'Best attempt that the applicant has reported',
    attribute: 'number',
    category: 'academic',
    type: 'custom',
    percent: 20,
    is_active: true,
    value: (random) => random.between(41, 76) * 10,
  },
  {
    name: 'Engagement',
    variable_name: 'engagement_score',
    description: 'From 0 to 100, out of visits, openings and replies',
    attribute: 'number',
    category: 'marketing',
    type: 'system',
    percent: 45,
    is_active: true,
    value: (random) => random.below(401) / 4,
  },
  {
    name: '意向校区 Preferred campus',
    variable_name: 'preferred_campus',
    description: 'Where the applicant would like to study',
    attribute: 'string',
    category: 'academic',
    type: 'custom',
    percent: 25,
    is_active: true,
    value: (random) => random.pick(['湖畔校区', 'Singapore', 'Online', '深圳湾校区']),
  },
  {
    name: 'Open day 2025',
    variable_name: 'open_day_2025',
    description: 'Which talk of the open day the user came to; closed when the year was over',
    attribute: 'string',
    category: 'marketing',
    type: 'custom',
    percent: 12,
    is_active: false,
    value: (random) => random.pick(['Morning talk', 'Evening talk', '家长专场']),
  },
]

/** Groups of all three attributes, one of them deactivated with its assignments kept. */
export function makeTags(random: Random, users: SampleUser[], executor_id: string) {
  const groups: TagGroupRecord[] = []
  const tags: UserTagRecord[] = []
  for (const [index, { percent, value, ...plan }] of plans.entries()) {
    const ctime = later(founded, index * 1800)
    const group = { entity_id: random.id(ctime), attribute: plan.attribute }
    groups.push({
      ...plan,
      ...group,
      calculation_rules: {},
      is_auto: plan.type === 'system',
      is_deleted: false,
      is_locked: plan.type === 'system',
      ctime,
      mtime: plan.is_active ? ctime : retired,
      version: plan.is_active ? 1 : 2,
    })
    const until = plan.is_active ? lastMoment : retired
    const tagged = users.filter((user) => user.ctime < until && random.chance(percent))
    tags.push(...tagged.map((user) => makeTag(random, group, user, until, executor_id, value(random))))
  }
  return { groups, tags }
}

function makeTag(
  random: Random,
  group: { entity_id: string; attribute: Attribute },
  user: SampleUser,
  until: Date,
  executor_id: string,
  value: boolean | number | string,
): UserTagRecord {
  const ctime = later(user.ctime, random.below(secondsBetween(user.ctime, until)))
  const changed = random.chance(20)
  return {
    entity_id: random.id(ctime),
    user_id: user.user_id,
    tags_group_id: group.entity_id,
    attribute: group.attribute,
    define_value: typeof value === 'boolean' ? value : null,
    number_value: typeof value === 'number' ? value : null,
    string_value: typeof value === 'string' ? value : null,
    source: random.pick(['open_api', 'open_api', 'console']),
    executor_id,
    is_deleted: false,
    ctime,
    mtime: changed ? later(ctime, random.below(secondsBetween(ctime, until) + 1)) : ctime,
    version: changed ? 2 : 1,
  }
}
