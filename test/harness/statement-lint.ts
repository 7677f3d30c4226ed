import { parse } from 'libpg-query'
import { surveyMark } from '../../src/database/survey.ts'
import { referenceTables, surveyedTables, tenantTables } from '../../src/database/tables.ts'

type Node = { [name: string]: unknown }

/** The faults of a store's statement; empty if it has none. */
export async function lintStatement(text: string): Promise<string[]> {
  const tree = await parse(text)
  if (text.startsWith(surveyMark)) return surveyFaults(tree)
  const stars = nodesOf(tree, 'ColumnRef').filter((ref) => columnOf(ref).join('.') === '*')
  return [
    ...tenantFaults(tree).map((fault) => `does not name the organization of ${fault}`),
    ...logicIn(tree).map((logic) => `holds logic: ${logic}`),
    ...keyFaults(tree).map((fault) => `would not shard: ${fault}`),
    ...stars.map(() => 'takes all columns of a table'),
  ]
}

/** Columns that a survey of all organizations may select: ids of organizations and of their work, states and counts. */
const surveyColumns = [
  ...[
    'corp_id',
    'name',
    'fingerprint',
    'endpoint_id',
    'is_failing',
    'lag',
    'is_due',
    'last_number',
    'is_searched',
    'waiting',
    'age',
    'schools',
    'suspended',
    'program_calls',
    'staff_calls',
    'rows',
    'bytes',
  ],
]

/**
 * The faults of a survey, the only kind of statement that names no organization. It reads surveyed tables, joins them by
 * corp_id, and selects columns of work only.
 */
function surveyFaults(tree: unknown): string[] {
  const [statement] = ((tree as Node).stmts as { stmt: Node }[]).map(({ stmt }) => stmt)
  const select = statement?.SelectStmt as Node | undefined
  if (!select) return ['a survey does not only read']
  const writes = ['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'LockingClause', 'intoClause'].filter(
    (kind) => nodesOf(tree, kind).length > 0,
  )
  const arms = armsOf(select)
  const shown = arms.flatMap((arm) =>
    ((arm.targetList as Node[]) ?? []).map((target) => {
      const { name, val } = target.ResTarget as { name?: string; val: Node }
      return name ?? (val.ColumnRef ? columnOf(val.ColumnRef as Node).at(-1)! : '?')
    }),
  )
  const tables = nodesOf(tree, 'RangeVar').map(({ relname }) => relname as string)
  const inner = nodesOf(tree, 'SelectStmt').filter((level) => level !== select)
  const loose = [
    ...arms.flatMap((level) => untied(level, tenantTablesOf(level), 'first')),
    ...inner.flatMap((level) => untied(level, tenantTablesOf(level))),
  ]
  return [
    ...writes.map((kind) => `a survey does not only read: ${kind}`),
    ...shown.filter((name) => !surveyColumns.includes(name)).map((name) => `a survey shows ${name}`),
    ...tables
      .filter((name) => isTenantTable(name) && !surveyedTables.includes(name))
      .map((name) => `a survey reads ${name}`),
    ...loose.map(({ table }) => `does not name the organization of ${table}`),
    ...outerReferences(tree).map((table) => `would not shard: an outer join keeps all rows of ${table}`),
  ]
}

/** Tables on every node whose rows an outer join keeps: Citus cannot plan it with conditions about the other side. */
function outerReferences(tree: unknown): string[] {
  return nodesOf(tree, 'JoinExpr')
    .filter(({ jointype }) => jointype === 'JOIN_LEFT')
    .map(({ larg }) => nodesOf(larg, 'RangeVar')[0]?.relname as string)
    .filter((table) => (referenceTables as readonly string[]).includes(table))
}

/** The arms of a union; a plain select is its only arm. */
function armsOf(select: Node): Node[] {
  return select.larg ? [...armsOf(select.larg as Node), ...armsOf(select.rarg as Node)] : [select]
}

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

/** Logic inside the database. */
export function logicIn(tree: unknown): string[] {
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

/** Keys of tenant tables that do not begin with the organization, and other obstacles to sharding by it. */
export function keyFaults(tree: unknown): string[] {
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
  const choices = ['UpdateStmt', 'onConflictClause']
    .flatMap((kind) => nodesOf(tree, kind))
    .flatMap(({ targetList }) => ['CaseExpr', 'CoalesceExpr'].flatMap((kind) => nodesOf(targetList, kind)))
    .filter((choice) =>
      nodesOf(choice, 'FuncCall').some(({ funcname }) => stable.test(JSON.stringify(funcname))),
    )
  const policies = nodesOf(tree, 'CreatePolicyStmt').filter((policy) => nodesOf(policy, 'SubLink').length > 0)
  return [
    ...creations.flatMap(constraintFaults),
    ...indexes.filter(({ indexParams }) => namesOf(indexParams)[0] !== 'corp_id').map(() => 'unique index'),
    ...conflicts
      .filter((insert) => !namesOf(insert.onConflictClause).includes('corp_id'))
      .map(() => 'conflict'),
    ...updates.map(() => 'update of corp_id'),
    ...choices.map(() => 'a stable function in a CASE or COALESCE of an update'),
    ...policies.map(() => 'subselect in a policy'),
  ]
}

/** Functions that depend on settings, such as the time zone. Citus refuses them where an update chooses a value. */
const stable =
  /"(jsonb?_build_object|jsonb?_build_array|to_jsonb?|now|to_char|concat|concat_ws|format|date_trunc)"/

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

/** The arms of a union are levels too. Those of a join have neither `from` nor `where`, so they have no effect. */
const levels = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'larg', 'rarg']

/**
 * The lookups before sign-in, when the organization is not known: a read of one table by one of these columns. They run on
 * a handle that is bound to the value (`credentialScope`), and a policy of the table lets it read these rows only.
 */
const lookupsByCredential: Record<string, string> = {
  staff: 'email_key',
  staff_passkeys: 'credential_id',
  sign_in_providers: 'email_domains',
}

function isLookupByCredential(level: Node): boolean {
  const tables = tenantTablesOf(level)
  const column = tables.length === 1 && lookupsByCredential[tables[0]!.table]
  if (!column || level.lockingClause || !level.targetList || level.relation) return false
  return conjunctsOf(level.whereClause as Node | undefined).some((condition) => {
    const { kind, name, lexpr, rexpr } = (condition.A_Expr ?? {}) as Record<string, Node | Node[]>
    if (!['AEXPR_OP', 'AEXPR_OP_ANY'].includes(String(kind))) return false
    if (((name as Node[])[0]!.String as Node).sval !== '=') return false
    const sides = [lexpr, rexpr] as Node[]
    const names = sides.map((side) => (side.ColumnRef ? columnOf(side.ColumnRef as Node).at(-1) : undefined))
    return names.includes(column) && names.includes(undefined)
  })
}

/** The tenant tables of each level of a statement that no condition of that level ties to an organization. */
export function tenantFaults(tree: unknown): string[] {
  const faults = levels
    .flatMap((name) => nodesOf(tree, name))
    .filter((level) => !isLookupByCredential(level))
    .flatMap((level) =>
      untied(level, tenantTablesOf(level)).map(({ table, alias }) => `${table} as ${alias}`),
    )
  const inserts = nodesOf(tree, 'InsertStmt').filter((insert) => {
    const columns = ((insert.cols as Node[]) ?? []).map((column) => (column.ResTarget as Node).name)
    return isTenantTable((insert.relation as Node).relname as string) && !columns.includes('corp_id')
  })
  return [...faults, ...inserts.map((insert) => `${(insert.relation as Node).relname}, inserted into`)]
}

/**
 * Tables without a chain of equalities to a value outside the level, or to its first table if that
 * is free.
 */
function untied(level: Node, tables: NamedTable[], free?: 'first'): NamedTable[] {
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
  const tied = new Set(free ? tables.slice(0, 1).map(({ alias }) => alias) : [])
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

/** Outer joins with their nullable tables: the condition applies to these only. */
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

/** The conditions that hold for every row: the where clause and inner joins, split at each `and`. */
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

type Nodes = Map<string, Node[]>
const nodesOfTrees = new WeakMap<object, Nodes>()

/** Every node of this kind in a tree, at any depth. A tree is walked once for all kinds. */
function nodesOf(tree: unknown, kind: string): readonly Node[] {
  if (typeof tree !== 'object' || tree === null) return []
  let nodes = nodesOfTrees.get(tree)
  if (!nodes) {
    nodes = new Map()
    collectNodes(tree, nodes)
    nodesOfTrees.set(tree, nodes)
  }
  return nodes.get(kind) ?? []
}

function collectNodes(tree: object, nodes: Nodes): void {
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value !== 'object' || value === null) continue
    const ofName = nodes.get(name)
    if (ofName) ofName.push(value)
    else nodes.set(name, [value])
    collectNodes(value, nodes)
  }
}
