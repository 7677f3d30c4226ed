import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'libpg-query'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../src/contract/new-id.ts'
import type { Database } from '../src/database/database.ts'
import { tenantTables } from '../src/database/tables.ts'
import { endpoints } from '../src/endpoints.ts'
import { checkLedger } from '../src/finance/check-ledger.ts'
import { exportFinancialRows } from '../src/finance/export-financial-rows.ts'
import { maintain } from '../src/maintenance.ts'
import { rebuildReadModel } from '../src/orders/read-model/rebuild.ts'
import { loadSample } from '../src/sample/load-sample.ts'
import { createTestDatabase } from './harness/database.ts'
import { testKeyring } from './harness/keyring.ts'
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
    await callAdditions(call, user_id)
    await workBesideCalls(server.db, school.corp_id)
    tap.remove()
  })
  afterAll(() => server.close())

  test('was collected: each operation on records was called', () => {
    const operations = endpoints.filter(({ scope }) => scope === 'organization')
    expect([...called].sort()).toEqual(operations.map(({ id }) => id).sort())
    expect(texts.size).toBeGreaterThan(80)
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
    expect(touching).toBeGreaterThan(70)
  })

  test('is one that an engine which shards by organization takes', async () => {
    for (const text of texts) {
      expect(await logicIn(text), text).toEqual([])
      expect(await keyFaults(text), text).toEqual([])
    }
  })

  test('names columns, never all of a table', async () => {
    for (const text of texts) {
      const stars = nodesOf(await parse(text), 'ColumnRef').filter((ref) => columnOf(ref).join('.') === '*')
      expect(stars, text).toEqual([])
    }
  })
})

/** Orders from their making to their refund, and what they are made of. */
async function callAdditions(
  call: (id: string, input: Record<string, unknown>) => Promise<Record<string, never>>,
  user_id: string,
): Promise<void> {
  const offering = { name: 'Course', currency: 'CNY' }
  const course = { ...offering, course_code: 'lint', listed_price: 1000 }
  const { course_id } = await call('upsertCourse', course)
  await call('upsertCourse', { ...course, course_id, version: 1 })
  const { batch_id } = await call('upsertBatch', { course_id, name: 'Spring' })
  await call('upsertBatch', { batch_id, course_id, name: 'Summer' })
  await call('upsertCoupon', { coupon_id: 'lint', basis_points: 500 })
  await call('upsertCoupon', { coupon_id: 'lint', basis_points: 600 })
  for (const list of ['listCourses', 'listBatches', 'listCoupons']) await call(list, {})
  const order = { user_id, currency: 'CNY', listed_price: 1000 }
  for (const external_id of ['lint', 'lint']) await call('createOrder', { ...order, external_id })
  const made = await call('createOrder', { user_id, course_id, batch_id, coupon_ids: ['lint'] })
  const { order_id } = made
  await call('updateOrder', { order_id, version: 1, contract_id: 'lint' })
  await call('createRemark', { order_id, content: 'lint' })
  const payment = { order_id, price: 500, currency: 'CNY', source: 'payment_gateway', charge_id: 'lint' }
  const completed_time = '2024-03-11 09:30:00'
  for (let n = 0; n < 2; n++) await call('createPayment', { ...payment, completed_time })
  const [sub_order_id] = made.sub_order_ids as unknown as string[]
  for (let n = 0; n < 2; n++) await call('createRefund', { order_id, sub_order_id, price: 1, charge_id: 'r' })
  await call('updateStatus', { order_id, status: 'locked' })
  await call('listHistory', { order_id })
  await call('explainOrder', { order_id })
}

/** What happens without being called: maintenance, and the work of the command line over whole organizations. */
async function workBesideCalls(db: Database, corp_id: string): Promise<void> {
  const ended = new AbortController()
  const maintenance = maintain(db, pino({ level: 'silent' }), 60_000, ended.signal)
  await rebuildReadModel(db.of(corp_id), corp_id)
  await checkLedger(db, corp_id)
  const folder = await mkdtemp(join(tmpdir(), 'matricula-lint-'))
  const out = join(folder, 'rows.csv')
  await exportFinancialRows({ db }, { corp_id, format: 'csv', out })
  await rm(folder, { recursive: true })
  const empty = await createTestDatabase()
  await loadSample(empty.owner, testKeyring, async () => undefined)
  await empty.drop()
  ended.abort()
  await maintenance
}

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
  'select o.order_id from orders o join users u on u.corp_id = o.corp_id',
  'select o.order_id from orders o left join users u on u.user_id = o.user_id where o.corp_id = $1',
])('the lint finds the missing organization in: %s', async (text) => {
  expect((await tenantFaults(text)).faults).not.toEqual([])
})

test.each([
  'select o.order_id from orders o left join users u on u.corp_id = o.corp_id where o.corp_id = $1',
  'select o.order_id from orders o join users u on u.corp_id = o.corp_id where u.corp_id = $1',
])('the lint takes: %s', async (text) => {
  expect((await tenantFaults(text)).faults).toEqual([])
})

test.each([
  'create table users (corp_id text, user_id text primary key)',
  'create table users (corp_id text, user_id text unique)',
  'create table users (corp_id text, user_id text, primary key (user_id))',
  'create table users (corp_id text, user_id text, primary key (user_id, corp_id))',
  'create table users (corp_id text, user_id text, unique (user_id))',
  'create table leads (corp_id text, user_id text references users (user_id))',
  'create table leads (corp_id text, user_id text, foreign key (user_id) references users (user_id))',
  'create table leads (corp_id text, user_id text, foreign key (corp_id, user_id) references users (user_id, corp_id))',
  'alter table leads add constraint c unique (lead_id)',
  'create unique index i on users (email_key)',
  'create unique index i on users (email_key, corp_id)',
  `create policy p on users using (corp_id = (select current_setting('app.corp_id', true)))`,
  'insert into users (corp_id, user_id) values ($1, $2) on conflict (user_id) do nothing',
  'update users set corp_id = $1 where corp_id = $2',
])('the lint finds the key that would not shard in: %s', async (text) => {
  expect(await keyFaults(text)).not.toEqual([])
})

test('every key of a migration is led by corp_id, and no policy looks anything up', async () => {
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql'))
  for (const file of files) {
    expect(await keyFaults(await readFile(new URL(file, migrations), 'utf8')), file).toEqual([])
  }
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

/** Keys of tenant tables that do not begin with the organization, and what else could not be sharded by it. */
async function keyFaults(text: string): Promise<string[]> {
  const tree = await parse(text)
  const creations = [...nodesOf(tree, 'CreateStmt'), ...nodesOf(tree, 'AlterTableStmt')].filter((statement) =>
    isTenantTable((statement.relation as Node).relname as string),
  )
  const indexes = nodesOf(tree, 'IndexStmt').filter(
    ({ unique, relation }) => unique && isTenantTable((relation as Node).relname as string),
  )
  const conflicts = nodesOf(tree, 'InsertStmt').filter(
    ({ relation, onConflictClause }) =>
      (onConflictClause as Node)?.infer && isTenantTable((relation as Node).relname as string),
  )
  const updates = nodesOf(tree, 'UpdateStmt').filter((update) =>
    ((update.targetList as Node[]) ?? []).some((target) => (target.ResTarget as Node).name === 'corp_id'),
  )
  const policies = nodesOf(tree, 'CreatePolicyStmt').filter((policy) => nodesOf(policy, 'SubLink').length > 0)
  return [
    ...creations.flatMap(constraintFaults),
    ...indexes.filter(({ indexParams }) => namesOf(indexParams)[0] !== 'corp_id').map(() => 'unique index'),
    ...conflicts
      .filter((insert) => !namesOf(insert.onConflictClause).includes('corp_id'))
      .map(() => 'conflict'),
    ...updates.map(() => 'update of corp_id'),
    ...policies.map(() => 'subselect in a policy'),
  ]
}

const keyTypes = ['CONSTR_PRIMARY', 'CONSTR_UNIQUE', 'CONSTR_FOREIGN']

function constraintFaults(creation: Node): string[] {
  const ofColumns = nodesOf(creation, 'ColumnDef').flatMap(({ colname, constraints }) =>
    nodesOf(constraints, 'Constraint').map((constraint) => ({ constraint, columns: [colname as string] })),
  )
  const own = new Set(ofColumns.map(({ constraint }) => constraint))
  const ofTable = nodesOf(creation, 'Constraint')
    .filter((constraint) => !own.has(constraint))
    .map((constraint) => ({ constraint, columns: namesOf(constraint.keys ?? constraint.fk_attrs) }))
  return [...ofColumns, ...ofTable]
    .filter(({ constraint }) => keyTypes.includes(constraint.contype as string))
    .filter(({ constraint, columns }) => {
      const referred = constraint.contype === 'CONSTR_FOREIGN' ? namesOf(constraint.pk_attrs) : ['corp_id']
      return columns[0] !== 'corp_id' || referred[0] !== 'corp_id'
    })
    .map(({ constraint, columns }) => `${constraint.contype} (${columns})`)
}

/** The names of columns in a list of a statement. */
function namesOf(list: unknown): string[] {
  const elements = nodesOf(list, 'IndexElem').map(({ name }) => name as string)
  return elements.length > 0 ? elements : nodesOf(list, 'String').map(({ sval }) => sval as string)
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
    touches += tables.length
    faults.push(...untied(level, tables).map(({ table, alias }) => `${table} as ${alias}`))
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

/** Those that no chain of equalities leads from to something other than a table of the level. */
function untied(level: Node, tables: NamedTable[]): NamedTable[] {
  const everywhere = conditionsOf(level)
  const outer = ((level.fromClause as Node[]) ?? []).flatMap(outerJoinsOf)
  const partnersOf = ({ alias }: NamedTable) => {
    const own = outer
      .filter(({ nullable }) => nullable.includes(alias))
      .flatMap(({ quals }) => conjunctsOf(quals))
    return [...everywhere, ...own].flatMap(
      (condition) => partnerOf(condition, alias, tables.length === 1) ?? [],
    )
  }
  const tied = new Set<string>()
  for (let before = -1; before < tied.size; ) {
    before = tied.size
    for (const table of tables) {
      const isAnchor = (partner: string) => !tables.some(({ alias }) => partner === `${alias}.corp_id`)
      const leads = (partner: string) => isAnchor(partner) || tied.has(partner.replace(/\.corp_id$/, ''))
      if (partnersOf(table).some(leads)) tied.add(table.alias)
    }
  }
  return tables.filter(({ alias }) => !tied.has(alias))
}

/** Outer joins with the tables that they may leave empty: for those alone, their condition must hold. */
function outerJoinsOf(node: Node): { nullable: string[]; quals: Node | undefined }[] {
  if (!node.JoinExpr) return []
  const { jointype, larg, rarg, quals } = node.JoinExpr as Record<string, Node> & { jointype: string }
  const arm = jointype === 'JOIN_LEFT' ? rarg : jointype === 'JOIN_RIGHT' ? larg : undefined
  const nullable = (arm ? rangesOf(arm) : []).map(
    (range) => ((range.alias as Node)?.aliasname ?? range.relname) as string,
  )
  return [...outerJoinsOf(larg!), ...outerJoinsOf(rarg!), { nullable, quals }]
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

/** The other side of `alias.corp_id = …`; a column by its name, anything else as a question mark. */
function partnerOf(condition: Node, alias: string, isOnlyTable: boolean): string | undefined {
  const comparison = condition.A_Expr as { kind: string; name: Node[]; lexpr: Node; rexpr: Node } | undefined
  if (comparison?.kind !== 'AEXPR_OP' || (comparison.name[0]!.String as Node).sval !== '=') return undefined
  const nameOf = (side: Node) => (side.ColumnRef ? columnOf(side.ColumnRef as Node).join('.') : '?')
  const isOwn = (name: string) => name === `${alias}.corp_id` || (name === 'corp_id' && isOnlyTable)
  const sides = [nameOf(comparison.lexpr), nameOf(comparison.rexpr)]
  const others = sides.filter((name) => !isOwn(name))
  return others.length === 1 ? others[0] : undefined
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
