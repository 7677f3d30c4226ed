import type { Exchange, Row } from './caller.ts'
import { Skipped } from './check.ts'
import type { Kit } from './kit.ts'
import * as subjects from './subjects.ts'
import type { OperationTable } from './tables/field-types.ts'
import { operationTables } from './tables/operations.ts'

/** The path below /api/v5/. */
export function shortPath({ path }: Pick<OperationTable, 'path'>): string {
  return path.slice('/api/v5/'.length)
}

/** The path as ids of checks have it. */
export function shortName(path: string): string {
  return path.replace(/^entity\//, '')
}

export function tableOf(path: string): OperationTable {
  const table = operationTables.find((each) => shortPath(each) === path)
  if (!table) throw new Error(`The interface has no operation ${path}.`)
  return table
}

export function isWrite({ method, path }: OperationTable): boolean {
  return method === 'POST' && !path.endsWith('/authentication/token')
}

interface Sound {
  /** An input that the operation takes, without corp_id. */
  input(kit: Kit): Promise<Row>
}

/** A valid call of each operation. */
const sound: Record<string, Sound['input']> = {
  'authentication/token': async (kit) => kit.caller.signed(),
  'authentication/verify': async () => ({}),
  'entity/tags/group/create': async (kit) => {
    const name = kit.unique()
    const variable_name = name.replaceAll('-', '_')
    return { name, variable_name, description: name, attribute: 'define', category: subjects.categoryOf(kit) }
  },
  'entity/tags/group/list': async (kit) => {
    if (kit.options.readOnly && kit.options.category === undefined)
      throw new Skipped('With --read-only, --category names the tag groups to list.')
    if (!kit.options.readOnly) await subjects.groups(kit)
    return { category: subjects.categoryOf(kit), start_index: 0, step: 1000 }
  },
  'entity/tags/group/update': async (kit) => {
    const { entity_id, fields } = await kit.once('updated group', () => subjects.makeGroup(kit))
    return { entity_id, ...fields, name: kit.unique() }
  },
  'entity/tags/group/deactivate': async (kit) => ({ entity_id: (await switchedGroup(kit)).entity_id }),
  'entity/tags/group/activate': async (kit) => ({ entity_id: (await switchedGroup(kit)).entity_id }),
  'entity/user/tags/assign': async (kit) => {
    const [group] = await subjects.groups(kit)
    return { tags_group_id: group!.entity_id, user_id: (await subjects.user(kit)).user_id, value: 'true' }
  },
  'entity/user/tags/list': async (kit) => ({
    user_id: kit.options.readOnly ? await subjects.anyUserId(kit) : (await subjects.tags(kit)).user_id,
  }),
  'entity/user/create': async (kit) => ({ email: (await subjects.user(kit)).email }),
  'entity/profile/fetch': async (kit) => ({ user_id: await subjects.anyUserId(kit) }),
  'entity/user/owner/update': async (kit) => ({
    user_id: (await subjects.user(kit)).user_id,
    owner_id: `${kit.prefix}owner`,
    event_type: 'add',
  }),
  'entity/user/pool/update': async (kit) => ({ user_id: (await subjects.user(kit)).user_id, pool: 'alive' }),
  'entity/user/email/update': async (kit) => ({
    user_id: (await kit.once('user with another address', () => subjects.makeUser(kit))).user_id,
    email: `${kit.unique()}@example.com`,
  }),
  'entity/user/contact/fetch': async (kit) => ({
    user_id: await subjects.anyUserId(kit),
    contact_type: 'email',
  }),
  'entity/order/fetch': async (kit) => ({ order_id: (await subjects.someOrders(kit))[0]!.entity_id }),
  'entity/order/list': async () => ({ page_size: 1000 }),
  'entity/order/financial/list': async () => ({ page_size: 1000 }),
  'entity/leads/import': async (kit) => ({ user_id: (await subjects.user(kit)).user_id, name: kit.unique() }),
}

/** A group that is deactivated and activated, without an effect on other checks. */
export function switchedGroup(kit: Kit): Promise<subjects.MadeGroup> {
  return kit.once('switched group', () => subjects.makeGroup(kit))
}

/** An input that the operation takes. */
export async function soundInput(kit: Kit, table: OperationTable): Promise<Row> {
  if (isWrite(table)) kit.requireWrites()
  const input = await sound[shortPath(table)]!(kit)
  return 'corp_id' in table.request ? { corp_id: kit.corp_id, ...input } : input
}

/** Calls the operation with a valid input. Created records are noted for the clean-up. */
export async function callWith(
  kit: Kit,
  table: OperationTable,
  input: Row,
  headers?: Record<string, string>,
) {
  const path = shortPath(table)
  if (path === 'authentication/token') return kit.caller.askForToken(input)
  const exchange = await kit.caller.send({ method: table.method, path, input, ...(headers && { headers }) })
  noteMade(kit, path, exchange)
  return exchange
}

/** The response of a valid call, which all checks of its members use. */
export function observed(kit: Kit, table: OperationTable): Promise<Exchange> {
  const path = shortPath(table)
  return kit.once(`observed ${path}`, async () => {
    if (path === 'entity/order/list') return subjects.orders(kit)
    if (path === 'entity/order/financial/list') return subjects.financialRows(kit)
    if (path === 'entity/user/create') return (await subjects.user(kit)).exchange
    if (path === 'entity/leads/import') return (await subjects.lead(kit)).exchange
    return callWith(kit, table, await soundInput(kit, table))
  })
}

function noteMade(kit: Kit, path: string, { data }: Exchange): void {
  const kinds = {
    'entity/tags/group/create': ['tag group', data?.tags_group_id],
    'entity/user/create': ['user', data?.is_user_exists === false ? data?.user_id : undefined],
    'entity/leads/import': ['lead', data?.lead_id],
  } as const
  const [kind, id] = kinds[path as keyof typeof kinds] ?? []
  if (kind && typeof id === 'string') kit.made.push({ kind, id })
}
