import type { Queryable } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { insertionOf, type NewRow } from '../../database/insert-rows.ts'
import { type Statement, sql, timestamp } from '../../database/sql.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import type { Attribute, TagGroup } from './tag-group.ts'

/** The fields that callers set. */
export type TagGroupFields = Pick<
  TagGroup,
  'corp_id' | 'entity_id' | 'name' | 'variable_name' | 'description' | 'attribute' | 'category'
>

export const tagGroupColumns = {
  entity_id: 'text',
  name: 'text',
  variable_name: 'text',
  description: 'text',
  attribute: 'text',
  category: 'text',
  type: 'text',
  calculation_rules: 'jsonb',
  is_active: 'boolean',
  is_auto: 'boolean',
  is_deleted: 'boolean',
  is_locked: 'boolean',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
  version: 'integer',
} as const

export type TagGroupRecord = NewRow<typeof tagGroupColumns>

export async function findAttribute(
  on: Queryable,
  corp_id: string,
  entity_id: string,
): Promise<Attribute | undefined> {
  const [row] = await on.query<{ attribute: Attribute }>(sql`
    select attribute from tag_groups where corp_id = ${corp_id} and entity_id = ${entity_id} and not is_deleted`)
  return row?.attribute
}

/** Returns false if a group of the organization already has the variable name. */
export async function insertTagGroup(on: Queryable, group: TagGroupFields & { now: Date }): Promise<boolean> {
  const { corp_id, now, ...fields } = group
  const record = {
    ...fields,
    type: 'custom',
    calculation_rules: {},
    is_active: true,
    is_auto: false,
    is_deleted: false,
    is_locked: false,
    ctime: now,
    mtime: now,
    version: 1,
  }
  return on.transaction(async (tx) => {
    const rows = await tx.query(sql`
      ${insertionOf('tag_groups', tagGroupColumns, corp_id, [record])}
      on conflict (corp_id, variable_name) where not is_deleted do nothing
      returning entity_id`)
    if (rows.length === 1) tx.note({ record_type: 'tag_groups', record_id: fields.entity_id, after: record })
    return rows.length === 1
  })
}

interface Page {
  corp_id: string
  category: string
  start_index: number
  step: number
}

/** One statement, therefore one snapshot: the total and the rows agree. */
export async function listLiveTagGroups(
  on: Queryable,
  page: Page,
  timeZone: string,
): Promise<{ total: number; rows: TagGroup[] }> {
  const found = await on.query<{ total: number; rows: TagGroup[] }>(sql`
    select (select count(*) from tag_groups where ${liveOfCategory(page)}) as total,
           coalesce(json_agg(to_json(page)), '[]') as rows
      from (select ${shownColumns(timeZone)}
              from tag_groups
             where ${liveOfCategory(page)}
             order by tag_groups.ctime, entity_id
            offset ${page.start_index} limit ${page.step}) as page`)
  return firstRow(found)
}

export interface NamedTagGroup {
  entity_id: string
  name: string
  variable_name: string
  attribute: Attribute
}

const mostNames = 1000

/** The groups that take assignments. */
export async function listTagGroupNames(on: Queryable, corp_id: string): Promise<NamedTagGroup[]> {
  return on.query<NamedTagGroup>(sql`
    select entity_id, name, variable_name, attribute from tag_groups
     where corp_id = ${corp_id} and is_active and not is_deleted
     order by name, entity_id limit ${mostNames}`)
}

/** The groups of every category, by category and name. */
export async function listEveryTagGroup(
  on: Queryable,
  corp_id: string,
  limit: number,
  timeZone: string,
): Promise<TagGroup[]> {
  return on.query<TagGroup>(sql`
    select ${shownColumns(timeZone)} from tag_groups
     where corp_id = ${corp_id} and not is_deleted
     order by category, name, entity_id limit ${limit}`)
}

function shownColumns(timeZone: string): Statement {
  return sql`entity_id, attribute, calculation_rules, category, corp_id,
             ${timestamp('ctime', timeZone)} as ctime, description, is_active, is_auto, is_deleted, is_locked,
             ${timestamp('mtime', timeZone)} as mtime, name, type, variable_name, version`
}

function liveOfCategory({ corp_id, category }: Page): Statement {
  return sql`corp_id = ${corp_id} and category = ${category} and not is_deleted`
}

export type TagGroupUpdate =
  | { outcome: 'updated' | 'missing' | 'variable name taken' }
  | { outcome: 'attribute in use'; attribute: Attribute }

/**
 * Locks the group before it searches for assignments. An assignment locks the group `for share`: it is either committed
 * and found here, or waits and reads the new attribute.
 */
export async function updateLiveTagGroup(
  on: Queryable,
  group: TagGroupFields & { now: Date },
): Promise<TagGroupUpdate> {
  try {
    return await on.transaction(async (tx) => {
      const before = await lockTagGroup(tx, group)
      if (before === undefined) return { outcome: 'missing' }
      if (!(await writeTagGroup(tx, group)))
        return { outcome: 'attribute in use', attribute: before.attribute }
      const { corp_id: _, now: __, ...after } = group
      tx.note({ record_type: 'tag_groups', record_id: group.entity_id, before, after })
      return { outcome: 'updated' }
    })
  } catch (error) {
    if (isUniqueViolation(error, 'tag_groups_by_variable_name')) return { outcome: 'variable name taken' }
    throw error
  }
}

async function lockTagGroup(
  on: Queryable,
  group: TagGroupFields,
): Promise<Omit<TagGroupFields, 'corp_id'> | undefined> {
  const [row] = await on.query<Omit<TagGroupFields, 'corp_id'>>(sql`
    select entity_id, name, variable_name, description, attribute, category
      from tag_groups
     where corp_id = ${group.corp_id} and entity_id = ${group.entity_id} and not is_deleted
       for no key update`)
  return row
}

/** Returns false if the attribute would change while the group has assignments. */
async function writeTagGroup(on: Queryable, group: TagGroupFields & { now: Date }): Promise<boolean> {
  const rows = await on.query(sql`
    update tag_groups
       set name = ${group.name}, variable_name = ${group.variable_name}, description = ${group.description},
           attribute = ${group.attribute}, category = ${group.category}, mtime = ${group.now}, version = version + 1
     where corp_id = ${group.corp_id} and entity_id = ${group.entity_id}
       and (attribute = ${group.attribute}
            or not exists (select 1 from user_tags
                            where corp_id = ${group.corp_id} and tags_group_id = ${group.entity_id}
                              and not is_deleted))
    returning entity_id`)
  return rows.length === 1
}

interface Activation {
  corp_id: string
  entity_id: string
  active: boolean
  now: Date
}

export async function setActive(on: Queryable, group: Activation): Promise<boolean> {
  return on.transaction(async (tx) => {
    const rows = await tx.query(sql`
      update tag_groups
         set is_active = ${group.active}, mtime = ${group.now}, version = version + 1
       where corp_id = ${group.corp_id} and entity_id = ${group.entity_id} and not is_deleted
      returning entity_id`)
    const after = { is_active: group.active }
    if (rows.length === 1)
      tx.note({ record_type: 'tag_groups', record_id: group.entity_id, action: 'changed', after })
    return rows.length === 1
  })
}
