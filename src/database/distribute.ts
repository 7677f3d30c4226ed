import pg from 'pg'
import { letAppRoleLogIn } from './app-role.ts'
import { schemaLock } from './migrate.ts'
import { referenceTables, tenantTables, walledReferenceTables } from './tables.ts'

/** The change of a table, or that none was needed. */
export interface Distribution {
  table: string
  kind: 'reference' | 'distributed'
  isNew: boolean
}

/**
 * Distributes tenant tables by corp_id, colocated, and makes shared tables reference tables. Tables that are already
 * distributed stay as they are. All of it is one transaction: interrupted at any moment, it leaves tables, rows and
 * foreign keys as they were.
 */
export async function distribute(connection: pg.ClientConfig): Promise<Distribution[]> {
  const client = new pg.Client(connection)
  // A connection that breaks fails the statement that is under way, which is enough.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await refuseWithoutCitus(client)
    await letAppRoleLogIn(client)
    await client.query('begin')
    const plan = await distributeTables(client)
    await client.query('commit')
    return plan.map(({ table, kind, text }) => ({ table, kind, isNew: text !== undefined }))
  } finally {
    await client.end()
  }
}

/** Whether statements for tenant tables leave this PostgreSQL for the nodes of a cluster. */
export async function isDistributed(client: pg.Client): Promise<boolean> {
  return (await hasCitus(client)) && (await distributedTables(client)).has(tenantTables[0])
}

async function distributeTables(client: pg.Client): Promise<Step[]> {
  await client.query('select pg_advisory_xact_lock($1)', [schemaLock])
  // A transaction that changes tables of several kinds may use one connection per node only.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
  const plan = planDistribution(await distributedTables(client))
  const tables = plan.filter(({ text }) => text !== undefined).map(({ table }) => table)
  if (tables.length === 0) return plan
  // Citus refuses a key of a local table that refers to a distributed one, so no order of tables would do.
  const keys = await foreignKeysOf(client, tables)
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  // Rows are copied to the nodes by COPY, which row-level security that confines the owner forbids.
  const walled = await forcedTables(client, tables)
  for (const table of walled) await client.query(`alter table ${table} no force row level security`)
  for (const { text } of plan) if (text !== undefined) await client.query(text)
  for (const table of walled) await client.query(`alter table ${table} force row level security`)
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  }
  await refuseLoss(client, tables, keys)
  return plan
}

interface Step {
  table: string
  kind: Distribution['kind']
  /** Absent where there is nothing left to do. */
  text?: string
}

export function planDistribution(done: Set<string>): Step[] {
  const [anchor] = tenantTables
  const steps: Step[] = [
    ...referenceTables.map((table) => ({
      table,
      kind: 'reference' as const,
      text: `select create_reference_table('${table}')`,
    })),
    ...tenantTables.map((table) => ({
      table,
      kind: 'distributed' as const,
      text: `select create_distributed_table('${table}', 'corp_id', colocate_with => '${table === anchor ? 'none' : anchor}')`,
    })),
  ]
  return steps.map(({ table, kind, text }) => (done.has(table) ? { table, kind } : { table, kind, text }))
}

/** Distributed and reference tables. Citus also lists local tables that refer to a reference table. */
async function distributedTables(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select logicalrelid::regclass::text as name from pg_dist_partition where partmethod = 'h' or repmodel = 't'`,
  )
  return new Set(rows.map(({ name }) => name))
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/** Foreign keys from and to these tables. */
async function foreignKeysOf(client: pg.Client, tables: string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
       from pg_constraint
      where contype = 'f' and (conrelid = any($1::text[]::regclass[]) or confrelid = any($1::text[]::regclass[]))
      order by 1, 2`,
    [tables],
  )
  return rows
}

async function forcedTables(client: pg.Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relforcerowsecurity and oid = any($1::text[]::regclass[])`,
    [tables],
  )
  return rows.map(({ name }) => name)
}

/** Checks that all keys and policies are back: a missing one would go unnoticed until it matters. */
async function refuseLoss(client: pg.Client, tables: string[], keys: ForeignKey[]): Promise<void> {
  const kept = new Set((await foreignKeysOf(client, tables)).map((key) => JSON.stringify(key)))
  const lost = keys.filter((key) => !kept.has(JSON.stringify(key))).map(({ name }) => name)
  const wanted = [...tenantTables, ...walledReferenceTables]
  const walled = new Set(await forcedTables(client, wanted))
  lost.push(...wanted.filter((table) => !walled.has(table)).map((table) => `the wall of ${table}`))
  if (lost.length > 0)
    throw new Error(`Distributing the tables would lose ${lost.join(', ')}: nothing was done.`)
}

async function refuseWithoutCitus(client: pg.Client): Promise<void> {
  if (await hasCitus(client)) return
  throw new Error(
    'This database has no Citus: name the coordinator of a Citus cluster in DATABASE_URL and run "create extension citus" there first.',
  )
}

async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`select 1 from pg_extension where extname = 'citus'`)
  return Boolean(rowCount)
}
