import { newId } from '../../src/contract/new-id.ts'
import { createOrganization } from '../../src/organizations/manage-organizations.ts'
import type { Credentials, TestServer } from '../harness/server.ts'

/** Records of one organization that operations can be called on. */
export interface School {
  corp_id: string
  account: Credentials
  user_id: string
  order_id: string
  /** An active tag group. */
  tags_group_id: string
  attribute: string
  category: string
  /** Another group, to be changed and switched off without disturbing the first. */
  entity_id: string
  pool: string
}

/** The sample school, as it lies in the database. */
export async function sampleSchool({ database, sample }: TestServer): Promise<School> {
  const { rows } = await database.superuser.query(
    `select o.corp_id, o.order_id, o.user_id, a.entity_id as tags_group_id, a.attribute, a.category, b.entity_id,
            (select pools[1] from organizations where corp_id = $1) as pool
       from orders o, tag_groups a, tag_groups b
      where o.corp_id = $1 and not o.is_deleted
        and a.corp_id = $1 and a.is_active and not a.is_deleted and a.attribute = 'define'
        and b.corp_id = $1 and b.is_active and not b.is_deleted and b.attribute = 'define' and b.entity_id <> a.entity_id
      order by o.order_id, a.entity_id, b.entity_id limit 1`,
    [sample.corp_id],
  )
  if (rows.length === 0)
    throw new Error('The sample school lacks an order or two active tag groups of define.')
  return { ...rows[0], account: sample }
}

/** A second school with records of its own. */
export async function foundSchool({ database, sample }: TestServer): Promise<School> {
  const { corp_id, pools } = await createOrganization(database.owner, { name: 'Another school' }, new Date())
  const ids = { user_id: newId(), order_id: newId(), tags_group_id: newId(), entity_id: newId() }
  const { superuser } = database
  await superuser.query(
    `insert into users (corp_id, user_id, pool, ctime, mtime) values ($1, $2, 'public', now(), now())`,
    [corp_id, ids.user_id],
  )
  for (const id of [ids.tags_group_id, ids.entity_id]) {
    await superuser.query(
      `insert into tag_groups (corp_id, entity_id, name, variable_name, description, attribute, category, type, ctime, mtime)
       values ($1, $2, 'Group', $2, 'A group', 'define', 'test', 'custom', now(), now())`,
      [corp_id, id],
    )
  }
  await superuser.query(
    `insert into orders (corp_id, order_id, user_id, type, source, status, currency, listed_price, discounted_price,
                         total_price, ctime, mtime)
     values ($1, $2, $3, 'course', 'console', 'created', 'CNY', 100, 100, 100, now(), now())`,
    [corp_id, ids.order_id, ids.user_id],
  )
  return { ...ids, corp_id, account: sample, attribute: 'define', category: 'test', pool: pools[0]! }
}

/** What lies in every table, as a short text per table. */
export async function fingerprint({ database: { superuser } }: TestServer): Promise<Record<string, string>> {
  const { rows: tables } = await superuser.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  )
  const prints = tables.map(async ({ name }) => {
    const { rows } = await superuser.query(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as print from "${name}" t`,
    )
    return [name, rows[0].print]
  })
  return Object.fromEntries(await Promise.all(prints))
}
