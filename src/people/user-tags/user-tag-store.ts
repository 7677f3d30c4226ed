import type { Origin } from '../../contract/origin.ts'
import { namesOf } from '../../contract/record-of.ts'
import { batchedRead } from '../../database/batched-read.ts'
import { batchedWrite } from '../../database/batched-write.ts'
import type { Queryable } from '../../database/database.ts'
import { eachFound, type NewRow, sentRows } from '../../database/insert-rows.ts'
import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'
import { changeEntries, type EntryChanges, type FacetEntry } from '../../search/facet-store.ts'
import type { Attribute } from '../tag-groups/tag-group.ts'
import { entriesOf, userFacet } from '../users/user-facets.ts'
import type { UserTag } from './user-tag.ts'

export const userTagColumns = {
  entity_id: 'text',
  user_id: 'text',
  tags_group_id: 'text',
  attribute: 'text',
  define_value: 'boolean',
  number_value: 'double precision',
  string_value: 'text',
  source: 'text',
  executor_id: 'text',
  is_deleted: 'boolean',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
  version: 'integer',
} as const

export type UserTagRecord = NewRow<typeof userTagColumns>

/** One value per attribute; the group decides which applies. `entity_id` is the id of a new tag; an existing tag keeps its own. */
export type NewAssignment = { user_id: string; tags_group_id: string } & Pick<
  UserTagRecord,
  'entity_id' | 'define_value' | 'number_value' | 'string_value' | 'executor_id' | 'ctime'
>

/** With its origin, since one batch has assignments of several callers. */
type BatchedAssignment = NewAssignment & { origin: Origin }

/** The outcome. `entity_id` is null if nothing was assigned. */
export interface Assignment {
  attribute: Attribute | null
  is_active: boolean | null
  user_exists: boolean
  entity_id: string | null
}

/**
 * Assigns tags in batches. A batch locks the groups `for share`, so that their attributes cannot change, and locks the
 * users, so that their previous tags are known. Of several assignments of one group to one user, a batch makes only the
 * first; the batcher retries the others.
 */
export function assignTag(on: Queryable, corp_id: string, assignment: NewAssignment): Promise<Assignment> {
  return assignTogether(on, corp_id, { ...assignment, origin: on.origin })
}

const assignTogether = batchedWrite((on, corp_id, assignments: BatchedAssignment[]) => {
  const firsts = new Map(assignments.toReversed().map((assignment) => [keyOf(assignment), assignment]))
  const userIds = [...new Set(assignments.map(({ user_id }) => user_id))]
  return on.transaction(async (tx) => {
    const { groups, users, before, assigned } = await tx.pipeline<{
      groups: LockedGroup
      users: TaggedUser
      before: TagOfUser
      assigned: TagOfUser
    }>({
      groups: lockGroups(corp_id, [...new Set(assignments.map(({ tags_group_id }) => tags_group_id))]),
      users: lockTagged(corp_id, userIds),
      before: tagsOf(corp_id, userIds),
      assigned: upsertFitting(corp_id, [...firsts.values()]),
    })
    const groupOf = new Map(groups.map((group) => [group.entity_id, group]))
    const existing = new Map(users.map((user) => [user.user_id, user]))
    const assignedTo = new Map(assigned.map((tag) => [keyOf(tag), tag]))
    const replaced = before.filter((tag) => assignedTo.has(keyOf(tag)))
    const previous = new Map(replaced.map((tag) => [keyOf(tag), tag]))
    tx.note(
      ...assigned.map((after) => ({
        record_type: 'user_tags',
        record_id: after.entity_id,
        person_id: after.user_id,
        before: previous.get(keyOf(after)),
        after,
        origin: firsts.get(keyOf(after))?.origin ?? tx.origin,
      })),
    )
    await changeEntries(tx, corp_id, entryChanges(existing, replaced, assigned))
    return assignments.map((assignment): Assignment | undefined => {
      if (firsts.get(keyOf(assignment)) !== assignment) return undefined
      const { attribute = null, is_active = null } = groupOf.get(assignment.tags_group_id) ?? {}
      const user_exists = existing.has(assignment.user_id)
      const entity_id = assignedTo.get(keyOf(assignment))?.entity_id ?? null
      return { attribute, is_active, user_exists, entity_id }
    })
  })
})

/** A tag with its value. */
interface TagOfUser {
  entity_id: string
  user_id: string
  tags_group_id: string
  define_value: boolean | null
  number_value: number | null
  string_value: string | null
  version: number
}

interface TaggedUser {
  user_id: string
  ctime: Date
}

function entryChanges(users: Map<string, TaggedUser>, before: TagOfUser[], after: TagOfUser[]): EntryChanges {
  const entriesOfTags = (tags: TagOfUser[]) =>
    tags.flatMap((tag) => {
      const user = users.get(tag.user_id)
      return user ? entriesOf(user, tagFacetsOf(tag)) : []
    })
  const keys = (entries: FacetEntry[]) => new Set(entries.map(({ facet, id }) => `${id} ${facet}`))
  const [old, now] = [entriesOfTags(before), entriesOfTags(after)]
  const [oldKeys, nowKeys] = [keys(old), keys(now)]
  return {
    added: now.filter(({ facet, id }) => !oldKeys.has(`${id} ${facet}`)),
    removed: old.filter(({ facet, id }) => !nowKeys.has(`${id} ${facet}`)),
  }
}

/** The facets of a tag: one for the group, one for its value. */
export function tagFacetsOf({
  tags_group_id,
  define_value,
  number_value,
  string_value,
}: TagOfUser): string[] {
  const value = String(define_value ?? number_value ?? string_value)
  return [userFacet.tag(tags_group_id), userFacet.tagValue(tags_group_id, value)]
}

const tagColumns = raw('entity_id, user_id, tags_group_id, define_value, number_value, string_value, version')

function lockTagged(corp_id: string, userIds: string[]): Statement {
  return sql`
    select user_id, ctime from users
     where corp_id = ${corp_id} and user_id = any(${userIds}::text[])
     order by user_id
       for no key update`
}

/** The tags of users. */
export async function findTagsOf(on: Queryable, corp_id: string, userIds: string[]): Promise<TagOfUser[]> {
  return on.query<TagOfUser>(tagsOf(corp_id, userIds))
}

function tagsOf(corp_id: string, userIds: string[]): Statement {
  return sql`
    select ${tagColumns} from user_tags
     where corp_id = ${corp_id} and user_id = any(${userIds}::text[]) and not is_deleted`
}

export interface LockedGroup {
  entity_id: string
  attribute: Attribute
  is_active: boolean
}

function keyOf({ user_id, tags_group_id }: { user_id: string; tags_group_id: string }): string {
  return `${user_id} ${tags_group_id}`
}

export function lockGroups(corp_id: string, groupIds: string[]): Statement {
  return sql`
    select entity_id, attribute, is_active
      from tag_groups
     where corp_id = ${corp_id} and entity_id = any(${groupIds}::text[]) and not is_deleted
     order by entity_id
       for share`
}

/** Columns with other values than those of the assignment. */
const computed: { [Name in keyof typeof userTagColumns]?: string } = {
  attribute: 'g.attribute',
  define_value: `case g.attribute when 'define' then t.define_value end`,
  number_value: `case g.attribute when 'number' then t.number_value end`,
  string_value: `case g.attribute when 'string' then t.string_value end`,
  source: `'open_api'`,
  is_deleted: 'false',
  mtime: 't.ctime',
  version: '1',
}
const columnNames = namesOf(userTagColumns)
const columnValues = raw(columnNames.map((name) => computed[name] ?? `t.${name}`).join(', '))

/** Upserts the assignments whose user exists, whose group is active, and whose value fits the attribute of the group. */
function upsertFitting(corp_id: string, assignments: NewAssignment[]): Statement {
  return sql`
    insert into user_tags (corp_id, ${raw(columnNames.join(', '))})
    select ${corp_id}, ${columnValues}
      from ${sentRows('t', userTagColumns, assignments)}
      join tag_groups g on g.corp_id = ${corp_id} and g.entity_id = t.tags_group_id and g.is_active and not g.is_deleted
           ${eachFound(sql`select u.user_id from users u where u.corp_id = ${corp_id} and u.user_id = t.user_id`)}
     where case g.attribute when 'define' then t.define_value is not null
                            when 'number' then t.number_value is not null
                            else t.string_value is not null end
     order by t.user_id, t.tags_group_id
    on conflict (corp_id, user_id, tags_group_id) do update
       set attribute = excluded.attribute, define_value = excluded.define_value,
           number_value = excluded.number_value, string_value = excluded.string_value, source = excluded.source,
           executor_id = excluded.executor_id, is_deleted = false, mtime = excluded.mtime,
           version = user_tags.version + 1
    returning ${tagColumns}`
}

/** Inserts tags of groups that the user has none of, and that are active. Returns the ids of the inserted ones. */
export async function insertMissingTags(
  tx: Queryable,
  corp_id: string,
  tags: UserTagRecord[],
  users: TaggedUser[],
): Promise<string[]> {
  const groupIds = [...new Set(tags.flatMap(({ tags_group_id }) => tags_group_id ?? []))]
  const { inserted } = await tx.pipeline<{ groups: LockedGroup; inserted: TagOfUser }>({
    groups: lockGroups(corp_id, groupIds),
    inserted: sql`
      insert into user_tags (corp_id, ${raw(columnNames.join(', '))})
      select ${corp_id}, ${raw(columnNames.map((name) => `t.${name}`).join(', '))}
        from ${sentRows('t', userTagColumns, tags)}
        join tag_groups g on g.corp_id = ${corp_id} and g.entity_id = t.tags_group_id and g.attribute = t.attribute
             and g.is_active and not g.is_deleted
       order by t.user_id, t.tags_group_id
      on conflict (corp_id, user_id, tags_group_id) do nothing
      returning ${tagColumns}`,
  })
  tx.note(
    ...inserted.map((after) => ({
      record_type: 'user_tags',
      record_id: after.entity_id,
      person_id: after.user_id,
      after,
    })),
  )
  const userOf = new Map(users.map((user) => [user.user_id, user]))
  await changeEntries(tx, corp_id, entryChanges(userOf, [], inserted))
  return inserted.map(({ entity_id }) => entity_id)
}

/** The tags of users, oldest first. */
export const listTagsOfUser = batchedRead('user_id', (on, { corp_id, time_zone }, userIds) =>
  on.query<{ user_id: string; tags: UserTag[] }>(sql`
    select u.user_id,
           (select coalesce(json_agg(to_json(tag)), '[]')
              from (select t.entity_id, t.attribute, t.corp_id, ${timestamp('t.ctime', time_zone)} as ctime,
                           t.define_value, t.executor_id, t.is_deleted, ${timestamp('t.mtime', time_zone)} as mtime,
                           t.source, t.tags_group_id, t.user_id, t.version, t.number_value, t.string_value
                      from user_tags t
                      join tag_groups g on g.corp_id = t.corp_id and g.entity_id = t.tags_group_id
                     where t.corp_id = ${corp_id} and t.user_id = u.user_id
                       and not t.is_deleted and not g.is_deleted
                     order by t.ctime, t.entity_id) as tag) as tags
      from users u
     where u.corp_id = ${corp_id} and u.user_id = any(${userIds})`),
)
