import { readdir, readFile } from 'node:fs/promises'
import { parse } from 'libpg-query'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../src/contract/new-id.ts'
import { tenantTables } from '../src/database/tables.ts'
import { endpoints } from '../src/endpoints.ts'
import { insertPlainOrders, insertPlainUser, plainOrder } from './harness/orders.ts'
import { openOrganization } from './harness/organization.ts'
import { startTestServer, type TestServer } from './harness/server.ts'
import { tapStatements } from './harness/statement-tap.ts'

type Node = { [name: string]: unknown }

const migrations = new URL('../migrations/', import.meta.url)

describe('every statement of the stores', () => {
  const texts = new Set<string>()
  const called = new Set<string>()
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer('matricula')
    const school = await openOrganization(server)
    const on = server.db.of(school.corp_id)
    const user_id = await insertPlainUser(on, school.corp_id)
    const order = plainOrder()
    await insertPlainOrders(on, school.corp_id, user_id, [order])

    const tap = tapStatements((text) => {
      texts.add(text)
      return text
    })
    const call = async (id: string, input: Record<string, unknown>) => {
      called.add(id)
      const { code, msg, data } = await school.call(endpoints.find((endpoint) => endpoint.id === id)!, input)
      if (code !== 0) throw new Error(`${id}: ${code} ${msg}`)
      return data
    }
    const group = {
      name: 'Group',
      variable_name: newId(),
      description: 'Group',
      attribute: 'string',
      category: 'lint',
    }
    const { tags_group_id: entity_id } = await call('createTagGroup', group)
    await call('listTagGroups', { category: 'lint', start_index: 0, step: 10 })
    await call('updateTagGroup', { entity_id, ...group })
    await call('deactivateTagGroup', { entity_id })
    await call('activateTagGroup', { entity_id })
    await call('assignUserTag', { tags_group_id: entity_id, user_id, value: 'x' })
    await call('listUserTags', { user_id })
    await call('createUser', { area_code: '86', mobile: '13800138000' })
    await call('createUser', { email: 'lint@example.com' })
    await call('fetchProfile', { user_id })
    await call('updateOwner', { user_id, owner_id: 'a', event_type: 'add' })
    await call('updateOwner', { user_id, owner_id: 'a', event_type: 'remove' })
    await call('updatePool', { user_id, pool: 'alive' })
    await call('updateEmail', { user_id, email: 'x@example.com' })
    await call('fetchContact', { user_id, contact_type: 'email' })
    await call('fetchOrder', { order_id: order.order_id })
    for (const list of ['listOrders', 'listFinancialRows']) {
      await call(list, {})
      await call(list, { start_date: '2024-01-01', end_date: '2030-01-01', status: 'created' })
      await call(list, { time_range_type: 'modify', page_size: 1 })
      await call(list, { time_range_type: 'modify', page_size: 1, page: 1 })
    }
    await call('importLead', { user_id, entry_id: 'lint' })
    const { course_id } = await call('upsertCourse', {
      course_code: 'LINT',
      name: 'Lint',
      listed_price: 100,
      currency: 'CNY',
    })
    await call('upsertCourse', { course_id, listed_price: 200 })
    const { batch_id } = await call('upsertBatch', { course_id, name: 'Lint' })
    await call('upsertCoupon', { coupon_id: 'LINT', basis_points: 500 })
    for (const list of ['listCourses', 'listBatches', 'listCoupons']) await call(list, { is_active: 'true' })
    await call('listBatches', { course_id })
    const made = { user_id, external_id: 'lint', course_id, batch_id, coupon_ids: ['LINT'] }
    const { order_id, sub_order_ids } = await call('createOrder', made)
    await call('createOrder', made)
    await call('updateOrder', { order_id, version: 1, listed_price: 300, contract_id: 'lint' })
    await call('createPayment', { order_id, price: 1, charge_id: 'lint' })
    const refund = { order_id, sub_order_id: sub_order_ids[0], price: 1, charge_id: 'lint' }
    await call('createRefund', refund)
    await call('createRemark', { order_id, content: 'lint' })
    await call('updateStatus', { order_id, status: 'locked' })
    await call('listHistory', { order_id })
    await call('explainOrder', { order_id })
    tap.remove()
  })
  afterAll(() => server.close())

  test('was collected: each operation on records was called', () => {
    const operations = endpoints.filter(({ scope }) => scope === 'organization')
    expect([...called].sort()).toEqual(operations.map(({ id }) => id).sort())
    expect(texts.size).toBeGreaterThan(20)
  })

  test('names the organization of every tenant table it touches', async () => {
    const faults: string[] = []
    let touching = 0
    for (const text of texts) {
      const found = await tenantFaults(text)
      if (found.touches > 0) touching++
      faults.push(...found.faults.map((fault) => `${fault}: ${text}`))
    }
    expect(faults).toEqual([])
    expect(touching).toBeGreaterThan(15)
  })

  test('names columns, never all of a table', async () => {
    for (const text of texts) {
      const stars = nodesOf(await parse(text), 'ColumnRef').filter((ref) => columnOf(ref).join('.') === '*')
      expect(stars, text).toEqual([])
    }
  })
})

test.each([
  'select name from users where user_id = $1',
  'select o.order_id from orders o join users u on u.user_id = o.user_id where o.corp_id = $1',
  'update users set name = $1 where user_id = $2',
  'delete from leads where lead_id = $1',
  'insert into leads (lead_id) values ($1)',
  'select (select count(*) from payments p where p.order_id = o.order_id) from orders o where o.corp_id = $1',
  'with a as (select user_id from users) select user_id from a',
  'select user_id from users where corp_id = $1 union all select user_id from users where user_id = $2',
  'select user_id from users where user_id = $1 union all select user_id from users where corp_id = $2',
  'select name from users where corp_id = $1 or user_id = $2',
  'select name from users where not corp_id = $1',
  'select name from users where corp_id <> $1',
  'select name from users where corp_id = corp_id',
  'select o.order_id from orders o where o.corp_id = o.corp_id',
  'select u.name from users u left join orders o on u.corp_id = $1 and o.corp_id = $1',
  'update users set owner_ids = $1 from orders o where o.corp_id = $2',
])('the lint finds the missing organization in: %s', async (text) => {
  expect((await tenantFaults(text)).faults).not.toEqual([])
})

test('migrations hold no logic: no triggers, functions, sequences or notifications', async () => {
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql'))
  expect(files.length).toBeGreaterThan(2)
  for (const file of files) {
    expect(await logicIn(await readFile(new URL(file, migrations), 'utf8')), file).toEqual([])
  }
})

test.each([
  'create trigger t before insert on users for each row execute function f()',
  `create function f() returns int language sql as 'select 1'`,
  `create procedure f() language sql as 'select 1'`,
  'create sequence s',
  'create table t (id serial primary key)',
  'create table t (id bigserial)',
  'create table t (id int generated always as identity)',
  `create table t (id int default nextval('s'))`,
  'alter table t alter column id add generated by default as identity',
  'alter table t add column id smallserial',
  'listen c',
  'notify c',
  `select pg_notify('c', '')`,
  'do $$ begin end $$',
  'create rule r as on insert to users do nothing',
])('the lint finds the logic in: %s', async (text) => {
  expect(await logicIn(text)).not.toEqual([])
})

const logicNodes = [
  'CreateTrigStmt',
  'CreateEventTrigStmt',
  'CreateFunctionStmt',
  'CreateSeqStmt',
  'AlterSeqStmt',
  'ListenStmt',
  'NotifyStmt',
  'DoStmt',
  'RuleStmt',
]

async function logicIn(text: string): Promise<string[]> {
  const tree = await parse(text)
  const statements = logicNodes.filter((name) => nodesOf(tree, name).length > 0)
  const identities = nodesOf(tree, 'Constraint').filter(({ contype }) => contype === 'CONSTR_IDENTITY')
  const serials = nodesOf(tree, 'ColumnDef').filter(({ typeName }) => /serial/.test(JSON.stringify(typeName)))
  const calls = nodesOf(tree, 'FuncCall').filter(({ funcname }) =>
    /nextval|pg_notify/.test(JSON.stringify(funcname)),
  )
  const identityChanges = nodesOf(tree, 'AlterTableCmd').filter(({ subtype }) => subtype === 'AT_AddIdentity')
  const found = { identities, serials, calls, identityChanges }
  return [...statements, ...Object.entries(found).flatMap(([name, nodes]) => nodes.map(() => name))]
}

/** The arms of a union are levels too; those of a join hold neither a from nor a where, and so count for nothing. */
const levels = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'larg', 'rarg']

/** The tenant tables of each level of a statement that no condition of that level ties to an organization. */
async function tenantFaults(text: string): Promise<{ touches: number; faults: string[] }> {
  const tree = await parse(text)
  const faults: string[] = []
  let touches = 0
  for (const level of levels.flatMap((name) => nodesOf(tree, name))) {
    const tables = tenantTablesOf(level)
    const conditions = conditionsOf(level)
    touches += tables.length
    for (const { table, alias } of tables) {
      const isTied = conditions.some((condition) => ties(condition, alias, tables.length === 1))
      if (!isTied) faults.push(`${table} as ${alias}`)
    }
  }
  for (const insert of nodesOf(tree, 'InsertStmt')) {
    const table = (insert.relation as Node).relname as string
    if (!isTenantTable(table)) continue
    touches++
    const columns = ((insert.cols as Node[]) ?? []).map((column) => (column.ResTarget as Node).name)
    if (!columns.includes('corp_id')) faults.push(`insert into ${table}`)
  }
  return { touches, faults }
}

interface NamedTable {
  table: string
  alias: string
}

function isTenantTable(name: string): boolean {
  return (tenantTables as readonly string[]).includes(name)
}

/** Those named in the from clause, or as the target, of this level; sub-selects are levels of their own. */
function tenantTablesOf(level: Node): NamedTable[] {
  const from = [...((level.fromClause as Node[]) ?? []), ...((level.usingClause as Node[]) ?? [])].flatMap(
    rangesOf,
  )
  const target = level.relation ? [level.relation as Node] : []
  return [...target, ...from]
    .map((range) => ({
      table: range.relname as string,
      alias: ((range.alias as Node)?.aliasname ?? range.relname) as string,
    }))
    .filter(({ table }) => isTenantTable(table))
}

function rangesOf(node: Node): Node[] {
  if (node.RangeVar) return [node.RangeVar as Node]
  if (!node.JoinExpr) return []
  const { larg, rarg } = node.JoinExpr as { larg: Node; rarg: Node }
  return [...rangesOf(larg), ...rangesOf(rarg)]
}

/** What must hold for every row: the where clause and the conditions of inner joins, taken apart at each `and`. */
function conditionsOf(level: Node): Node[] {
  const joins = ((level.fromClause as Node[]) ?? []).flatMap(joinsOf)
  return [level.whereClause as Node | undefined, ...joins].flatMap(conjunctsOf)
}

function joinsOf(node: Node): (Node | undefined)[] {
  if (!node.JoinExpr) return []
  const { jointype, larg, rarg, quals } = node.JoinExpr as {
    jointype: string
    larg: Node
    rarg: Node
    quals?: Node
  }
  return [...joinsOf(larg), ...joinsOf(rarg), jointype === 'JOIN_INNER' ? quals : undefined]
}

function conjunctsOf(condition: Node | undefined): Node[] {
  if (!condition) return []
  const bool = condition.BoolExpr as { boolop: string; args: Node[] } | undefined
  return bool?.boolop === 'AND_EXPR' ? bool.args.flatMap(conjunctsOf) : [condition]
}

/** Whether it is `alias.corp_id = …`, the other side being something else than the same column. */
function ties(condition: Node, alias: string, isOnlyTable: boolean): boolean {
  const comparison = condition.A_Expr as { kind: string; name: Node[]; lexpr: Node; rexpr: Node } | undefined
  if (comparison?.kind !== 'AEXPR_OP' || (comparison.name[0]!.String as Node).sval !== '=') return false
  const isOwn = (side: Node) => {
    const name = columnOf((side.ColumnRef as Node) ?? {}).join('.')
    return name === `${alias}.corp_id` || (name === 'corp_id' && isOnlyTable)
  }
  return isOwn(comparison.lexpr) !== isOwn(comparison.rexpr)
}

function columnOf(ref: Node): string[] {
  return ((ref.fields as Node[]) ?? []).map((field) => ((field.String as Node)?.sval as string) ?? '*')
}

/** Every node of this kind in a tree, however deep. */
function nodesOf(tree: unknown, kind: string): Node[] {
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([name, value]) => [
    ...(name === kind ? [value as Node] : []),
    ...nodesOf(value, kind),
  ])
}
