import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { timestamp } from '../database/sql-time.ts'
import type { Attribute } from '../tag-groups/attribute.ts'
import type { TagValue } from './tag-value.ts'

export interface UserTag {
  entity_id: string
  attribute: Attribute
  corp_id: string
  ctime: string
  define_value: boolean | null
  executor_id: string
  is_deleted: boolean
  mtime: string
  source: string
  tags_group_id: string
  user_id: string
  version: number
  number_value: number | null
  string_value: string | null
}

interface NewAssignment {
  corp_id: string
  /** Of the assignment, should it be the first. */
  entity_id: string
  tags_group_id: string
  user_id: string
  value: TagValue
  executor_id: string
  now: Date
}

/** What was found on the way; `entity_id` is null where nothing was assigned. */
export interface Assignment {
  attribute: Attribute | null
  is_active: boolean | null
  user_exists: boolean
  entity_id: string | null
}

/**
 * Assigns in one statement. The group is held `for share` meanwhile, so that its attribute and activity cannot
 * change between the look at them and the row that follows from them.
 */
export async function upsertUserTag(on: Queryable, tag: NewAssignment): Promise<Assignment> {
  const { value } = tag
  const [found] = await on.query<Assignment>(sql`
    with tag_group as (
      select entity_id, attribute, is_active
        from tag_groups
       where corp_id = ${tag.corp_id} and entity_id = ${tag.tags_group_id} and not is_deleted
         for share),
    assignee as (
      select user_id from users where corp_id = ${tag.corp_id} and user_id = ${tag.user_id}),
    fitting as (
      select entity_id, attribute,
             case attribute when 'define' then ${value.define}::boolean end as define_value,
             case attribute when 'number' then ${value.number}::double precision end as number_value,
             case attribute when 'string' then ${value.string}::text end as string_value
        from tag_group
       where is_active),
    assigned as (
      insert into user_tags (corp_id, entity_id, user_id, tags_group_id, attribute, define_value, number_value,
                             string_value, source, executor_id, ctime, mtime)
      select ${tag.corp_id}, ${tag.entity_id}, assignee.user_id, fitting.entity_id, fitting.attribute, define_value,
             number_value, string_value, 'open_api', ${tag.executor_id}, ${tag.now}::timestamptz,
             ${tag.now}::timestamptz
        from assignee, fitting
       where num_nonnulls(define_value, number_value, string_value) = 1
      on conflict (corp_id, user_id, tags_group_id) do update
         set attribute = excluded.attribute, define_value = excluded.define_value,
             number_value = excluded.number_value, string_value = excluded.string_value, source = excluded.source,
             executor_id = excluded.executor_id, is_deleted = false, mtime = excluded.mtime,
             version = user_tags.version + 1
      returning entity_id)
    select (select attribute from tag_group) as attribute,
           (select is_active from tag_group) as is_active,
           exists (select 1 from assignee) as user_exists,
           (select entity_id from assigned) as entity_id`)
  return found!
}

/** The tags of a user, oldest first; undefined where there is no such user. */
export async function listTagsOfUser(
  on: Queryable,
  { corp_id, user_id }: { corp_id: string; user_id: string },
  timeZone: string,
): Promise<UserTag[] | undefined> {
  const [user] = await on.query<{ tags: UserTag[] }>(sql`
    select (select coalesce(json_agg(to_json(tag)), '[]')
              from (select t.entity_id, t.attribute, t.corp_id, ${timestamp('t.ctime', timeZone)} as ctime,
                           t.define_value, t.executor_id, t.is_deleted, ${timestamp('t.mtime', timeZone)} as mtime,
                           t.source, t.tags_group_id, t.user_id, t.version, t.number_value, t.string_value
                      from user_tags t
                      join tag_groups g on g.corp_id = t.corp_id and g.entity_id = t.tags_group_id
                     where t.corp_id = ${corp_id} and t.user_id = ${user_id}
                       and not t.is_deleted and not g.is_deleted
                     order by t.ctime, t.entity_id) as tag) as tags
      from users
     where corp_id = ${corp_id} and user_id = ${user_id}`)
  return user?.tags
}
