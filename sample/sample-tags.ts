import type { Attribute } from '../src/people/tag-groups/tag-group.ts'
import type { TagGroupRecord } from '../src/people/tag-groups/tag-group-store.ts'
import type { UserTagRecord } from '../src/people/user-tags/user-tag-store.ts'
import { at, founded, lastMoment, later, secondsBetween } from './calendar.ts'
import groupPlans from './content/tags.json' with { type: 'json' }
import type { Random } from './random.ts'
import type { SampleUser } from './sample-users.ts'

/** `percent` is the share of users with the tag. */
interface GroupPlan extends Omit<(typeof groupPlans)[number], 'value'> {
  attribute: Attribute
  type: 'custom' | 'system'
  value: TagValue
}

type TagValue = { chance: number } | { from: number; to: number; step: number } | { oneOf: string[] }

// JSON types texts as string; the file has only valid attributes and types.
const plans = groupPlans as GroupPlan[]

const retired = at('2026-01-15', '18:30:00')

function tagValueOf(random: Random, value: TagValue): boolean | number | string {
  if ('chance' in value) return random.chance(value.chance)
  return 'oneOf' in value ? random.pick(value.oneOf) : random.between(value.from, value.to) * value.step
}

/** Groups of all attributes. One is inactive and keeps its assignments. */
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
    tags.push(
      ...tagged.map((user) => makeTag(random, group, user, until, executor_id, tagValueOf(random, value))),
    )
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
