import { batchedRead } from '../database/batched-read.ts'
import { batchedWrite } from '../database/batched-write.ts'
import type { NewRow } from '../database/insert-rows.ts'
import { eachFound, sentRows } from '../database/sent-rows.ts'
import { sql } from '../database/sql.ts'
import { timestamp } from '../database/sql-time.ts'
import type { Attribute } from '../tag-groups/attribute.ts'

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

/** An assignment; the id is its own should it be the first, and the values are what it means under each attribute. */
const assignmentColumns = {
  entity_id: 'text',
  tags_group_id: 'text',
  user_id: 'text',
  define_value: 'boolean',
  number_value: 'double precision',
  string_value: 'text',
  executor_id: 'text',
  now: 'timestamptz',
} as const

/** What was found on the way; `entity_id` is null where nothing was assigned. */
export interface Assignment {
  attribute: Attribute | null
  is_active: boolean | null
  user_exists: boolean
  entity_id: string | null
}

/**
 * Assigns in one statement. The groups are held `for share` meanwhile, so that their attributes and activity cannot
 * change between the look at them and the rows that follow from them. Of assignments of one group to one user only the
 * first is made here.
 */
export const upsertUserTag = batchedWrite(async (on, corp_id, tags: NewRow<typeof assignmentColumns>[]) => {
  const rows = await on.query<Assignment & { is_first: boolean }>(sql`
    with sent as (${sentRows(assignmentColumns, tags)}),
    first_sent as (select min(n) as n from sent group by user_id, tags_group_id),
    tag_group as (
      select entity_id, attribute, is_active
        from tag_groups
       where corp_id = ${corp_id} and entity_id in (select tags_group_id from sent) and not is_deleted
       order by entity_id
         for share),
    assignee as (
      select sent.n, found.user_id
        from sent ${eachFound(sql`
          select u.user_id from users u where u.corp_id = ${corp_id} and u.user_id = sent.user_id`)}),
    fitting as (
      select sent.entity_id, sent.user_id, sent.tags_group_id, sent.executor_id, sent.now, g.attribute,
             case g.attribute when 'define' then sent.define_value end as define,
             case g.attribute when 'number' then sent.number_value end as number,
             case g.attribute when 'string' then sent.string_value end as string
        from sent
        join tag_group g on g.entity_id = sent.tags_group_id and g.is_active
        join assignee on assignee.n = sent.n
        join first_sent on first_sent.n = sent.n),
    assigned as (
      insert into user_tags (corp_id, entity_id, user_id, tags_group_id, attribute, define_value, number_value,
                             string_value, source, executor_id, ctime, mtime)
      select ${corp_id}, entity_id, user_id, tags_group_id, attribute, define, number, string, 'open_api', executor_id,
             now, now
        from fitting
       where num_nonnulls(define, number, string) = 1
       order by user_id, tags_group_id
      on conflict (corp_id, user_id, tags_group_id) do update
         set attribute = excluded.attribute, define_value = excluded.define_value,
             number_value = excluded.number_value, string_value = excluded.string_value, source = excluded.source,
             executor_id = excluded.executor_id, is_deleted = false, mtime = excluded.mtime,
             version = user_tags.version + 1
      returning entity_id, user_id, tags_group_id)
    select g.attribute, g.is_active, assignee.user_id is not null as user_exists, assigned.entity_id,
           first_sent.n is not null as is_first
      from sent
      left join tag_group g on g.entity_id = sent.tags_group_id
      left join assignee on assignee.n = sent.n
      left join assigned on assigned.user_id = sent.user_id and assigned.tags_group_id = sent.tags_group_id
      left join first_sent on first_sent.n = sent.n
     order by sent.n`)
  return rows.map(({ is_first, ...assignment }): Assignment | undefined =>
    is_first ? assignment : undefined,
  )
})

/** The tags of users, oldest first; a user who has none has an empty list. */
export const listTagsOfUser = batchedRead(async (on, { corp_id, time_zone }, userIds) => {
  const rows = await on.query<{ user_id: string; tags: UserTag[] }>(sql`
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
     where u.corp_id = ${corp_id} and u.user_id = any(${userIds})`)
  return new Map(rows.map(({ user_id, tags }) => [user_id, tags]))
})
