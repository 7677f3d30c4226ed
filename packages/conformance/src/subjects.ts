import type { Exchange, Row } from './caller.ts'
import { expect, Skipped } from './check.ts'
import { type Kit, shortOf } from './kit.ts'

/** Records for checks. Each is created or found once, by the first check that needs it. */

export interface MadeGroup {
  entity_id: string
  fields: { name: string; variable_name: string; description: string; attribute: string; category: string }
  exchange: Exchange
}

/** All groups of a run are in one category. */
export function categoryOf(kit: Kit): string {
  return kit.options.readOnly && kit.options.category !== undefined
    ? kit.options.category
    : `${kit.prefix}category`
}

export async function makeGroup(kit: Kit, attribute = 'define'): Promise<MadeGroup> {
  kit.requireWrites()
  const name = kit.unique()
  const variable_name = name.replaceAll('-', '_')
  const fields = {
    name,
    variable_name,
    description: `${name} of a check`,
    attribute,
    category: categoryOf(kit),
  }
  const exchange = await kit.take('POST', 'entity/tags/group/create', fields)
  const entity_id = idOf(exchange, 'tags_group_id')
  kit.made.push({ kind: 'tag group', id: entity_id })
  return { entity_id, fields, exchange }
}

/** Three groups of the category, in the order of their creation. */
export function groups(kit: Kit): Promise<MadeGroup[]> {
  return kit.once('groups', async () => [
    await makeGroup(kit),
    await makeGroup(kit, 'number'),
    await makeGroup(kit, 'string'),
  ])
}

export interface MadeUser {
  user_id: string
  email: string
  exchange: Exchange
}

export async function makeUser(kit: Kit): Promise<MadeUser> {
  kit.requireWrites()
  const email = `${kit.unique()}@example.com`
  const exchange = await kit.take('POST', 'entity/user/create', { email })
  const user_id = idOf(exchange, 'user_id')
  kit.made.push({ kind: 'user', id: user_id })
  return { user_id, email, exchange }
}

/** A user that checks change. */
export function user(kit: Kit): Promise<MadeUser> {
  return kit.once('user', () => makeUser(kit))
}

export interface UserByMobile {
  user_id: string
  area_code: string
  mobile: string
  exchange: Exchange
}

/** A user with a number of the range that the United Kingdom keeps for fiction. */
export function userByMobile(kit: Kit): Promise<UserByMobile> {
  return kit.once('user by mobile', async () => {
    kit.requireWrites()
    for (let attempt = 0; attempt < 5; attempt++) {
      const person = {
        area_code: '44',
        mobile: `7700900${String(Math.floor(Math.random() * 1000)).padStart(3, '0')}`,
      }
      const exchange = await kit.take('POST', 'entity/user/create', person)
      const user_id = idOf(exchange, 'user_id')
      // The kit must not change an existing user.
      if (exchange.data.is_user_exists === true) continue
      kit.made.push({ kind: 'user', id: user_id })
      return { user_id, ...person, exchange }
    }
    throw new Skipped(
      'Five numbers from +44 7700 900000 to 900999 belong to users already, or is_user_exists is always true.',
    )
  })
}

/** Tags of the user, one of each attribute, in the order of the groups. */
export function tags(kit: Kit): Promise<{ user_id: string; ids: string[]; exchanges: Exchange[] }> {
  return kit.once('tags', async () => {
    const { user_id } = await user(kit)
    const exchanges: Exchange[] = []
    for (const [index, { entity_id: tags_group_id }] of (await groups(kit)).entries()) {
      const value = ['true', '12.5', 'several words'][index]
      exchanges.push(await kit.take('POST', 'entity/user/tags/assign', { tags_group_id, user_id, value }))
    }
    return { user_id, ids: exchanges.map(({ data }) => String(data)), exchanges }
  })
}

/** A lead with a value in every field. */
export function lead(kit: Kit): Promise<{ input: Row; exchange: Exchange }> {
  return kit.once('lead', async () => {
    const { user_id } = await user(kit)
    const input: Row = {
      user_id,
      is_corporate_training: true,
      owner_ids: [`${kit.prefix}owner`],
      oid: `${kit.prefix}oid`,
    }
    for (const name of leadTexts) input[name] = `${kit.prefix}${name}`
    const exchange = await kit.call('POST', 'entity/leads/import', input)
    if (exchange.code === 0) kit.made.push({ kind: 'lead', id: idOf(exchange, 'lead_id') })
    return { input, exchange }
  })
}

const leadTexts = [
  ...[
    'name',
    'utm_source',
    'utm_medium',
    'utm_campaign',
    'utm_channel',
    'utm_keyword',
    'utm_term',
    'campaign',
  ],
  ...[1, 2, 3, 4].flatMap((number) => [`form${number}_name`, `form${number}_value`]),
  ...[
    'entry_id',
    'page_id',
    'course_code',
    'bd_vid',
    'company_name',
    'work_exp',
    'job_title',
    'department',
    'city',
  ],
]

/** A page of orders that the organization has. The kit creates none: orders cannot be removed. */
export function orders(kit: Kit): Promise<Exchange> {
  return kit.once('orders', () => kit.take('GET', 'entity/order/list', { page_size: 1000 }))
}

export function financialRows(kit: Kit): Promise<Exchange> {
  return kit.once('financial rows', () => kit.take('GET', 'entity/order/financial/list', { page_size: 1000 }))
}

export function rowsOf(exchange: Exchange, member = 'list'): Row[] {
  const rows = exchange.data?.[member]
  expect(Array.isArray(rows), `data.${member} is a List`, shortOf(exchange), exchange)
  return rows
}

/** Orders of the organization; skips the check if there are fewer than it needs. */
export async function someOrders(kit: Kit, least = 1): Promise<Row[]> {
  const rows = rowsOf(await orders(kit))
  if (rows.length < least) throw new Skipped(`It needs ${least} orders; the organization has ${rows.length}.`)
  return rows
}

/** A user to read: one that the kit created, or the user of an order. */
export async function anyUserId(kit: Kit): Promise<string> {
  if (!kit.options.readOnly) return (await user(kit)).user_id
  return String((await someOrders(kit))[0]!.user_id)
}

/** An id in the data of a response. */
export function idOf(exchange: Exchange, name: string): string {
  const id = exchange.data?.[name]
  expect(typeof id === 'string' && id !== '', `data.${name}: String`, id, exchange)
  return id
}
