import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { erasableTexts, insertOnlyTables, tenantTables } from './tables.ts'

const ownFolder = new URL('../../migrations/', import.meta.url)
/** Whoever changes the schema does so one after the other: two servers that start together, or a distribution. */
export const schemaLock = 7_204_193
/** The role the server works as: owns nothing, bypasses nothing. */
export const appRole = 'matricula_app'

interface Migration {
  id: number
  name: string
  text: string
}

export interface SchemaStatus {
  current: number
  wanted: number
  applied: string[]
  pending: string[]
}

/** Brings the schema up to date: plain numbered SQL files, each run once, in a transaction. */
export async function migrate(
  connection: pg.ClientConfig,
  report: (name: string) => void = () => {},
  folder = ownFolder,
): Promise<SchemaStatus> {
  return apply(connection, await readMigrations(folder), report, grantToServer)
}

/** Brings an empty database to the schema that an earlier version had, without what today's version adds to any. */
export async function migrateTo(connection: pg.ClientConfig, newest: number): Promise<SchemaStatus> {
  const migrations = (await readMigrations()).filter(({ id }) => id <= newest)
  return apply(
    connection,
    migrations,
    () => {},
    async () => {},
  )
}

async function apply(
  connection: pg.ClientConfig,
  migrations: Migration[],
  report: (name: string) => void,
  finish: (client: pg.Client) => Promise<void>,
): Promise<SchemaStatus> {
  return withClient(connection, async (client) => {
    for (;;) {
      const name = await inTurn(client, () => applyNext(client, migrations, finish))
      if (name === undefined) return statusOf(client, migrations)
      report(name)
    }
  })
}

export async function schemaStatus(connection: pg.ClientConfig): Promise<SchemaStatus> {
  const migrations = await readMigrations()
  return withClient(connection, (client) => statusOf(client, migrations))
}

/** The number of the newest migration that this version of the service knows. */
export async function wantedSchema(): Promise<number> {
  return (await readMigrations()).at(-1)!.id
}

async function statusOf(client: pg.Client, migrations: Migration[]): Promise<SchemaStatus> {
  const done = await appliedMigrations(client)
  const current = Math.max(0, ...done.map((row) => row.id))
  const wanted = migrations.at(-1)!.id
  if (current > wanted) {
    throw new Error(
      `The database has schema ${current}, but this version of Matricula only knows schema ${wanted}: start a newer version.`,
    )
  }
  const names = new Set(done.map((row) => row.name))
  return {
    current,
    wanted,
    applied: migrations.filter((m) => names.has(m.name)).map((m) => m.name),
    pending: migrations.filter((m) => !names.has(m.name)).map((m) => m.name),
  }
}

async function appliedMigrations(client: pg.Client): Promise<{ id: number; name: string }[]> {
  const { rows: found } = await client.query(`select to_regclass('schema_migrations') is not null as exists`)
  if (!found[0].exists) return []
  return (await client.query('select id, name from schema_migrations order by id')).rows
}

/**
 * Runs the work in a transaction that has the lock. A lock of the session would do on a connection of our own, but behind
 * a pooler it would stay with a connection that others go on using.
 */
async function inTurn<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [schemaLock])
    // For a cluster, whose tables may change in one transaction over one connection per node only.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Returns the name of the migration that it ran; undefined where none was left. */
async function applyNext(
  client: pg.Client,
  migrations: Migration[],
  finish: (client: pg.Client) => Promise<void>,
): Promise<string | undefined> {
  await client.query(`
    create table if not exists schema_migrations (
      id integer primary key, name text not null, applied_at timestamptz not null default now())`)
  const { pending } = await statusOf(client, migrations)
  const next = migrations.find(({ name }) => pending.includes(name))
  if (next) await applyOne(client, next)
  else await finish(client)
  return next?.name
}

async function applyOne(client: pg.Client, { id, name, text }: Migration): Promise<void> {
  try {
    await client.query(text)
    await client.query('insert into schema_migrations (id, name) values ($1, $2)', [id, name])
  } catch (error) {
    throw new Error(`Migration ${name} failed and left nothing behind: ${(error as Error).message}`)
  }
}

/** What an older version may have granted, and is taken back from what must not change. */
const changing = ['update', 'delete', 'truncate']

/** Of the people who sign in, the server deletes nobody, and changes no link and no ticket. */
const identityGrants = [
  { privileges: ['select', 'insert', 'update'], tables: ['staff'] },
  { privileges: ['select', 'insert', 'delete'], tables: ['staff_links', 'spent_tickets'] },
]
const identityTables = identityGrants.flatMap(({ tables }) => tables)

/** The server's role may change tenant data, but for facts; read who may call; and note the signatures it has seen. */
const grants: { privileges: string[]; tables: readonly string[] }[] = [
  {
    privileges: ['select'],
    tables: ['schema_migrations', 'organizations', 'accounts', 'account_organizations'],
  },
  { privileges: ['insert'], tables: ['accounts'] },
  { privileges: ['insert'], tables: ['account_organizations'] },
  { privileges: ['select', 'insert', 'delete'], tables: ['seen_signatures'] },
  { privileges: ['select', 'insert', 'update', 'delete'], tables: ['account_secrets'] },
  ...identityGrants,
  { privileges: ['select', 'insert', 'delete'], tables: ['verified_domains'] },
  { privileges: ['select', 'insert'], tables: insertOnlyTables },
  {
    privileges: ['select', 'insert', 'update', 'delete'],
    tables: tenantTables.filter(
      (table) => !insertOnlyTables.includes(table) && !identityTables.includes(table),
    ),
  },
]

/** Columns of tables that the server may otherwise not change. */
const columnGrants: Record<string, readonly string[]> = {
  ...erasableTexts,
  // What administrators change in the console; command lines work as the owner.
  organizations: ['name', 'time_zone', 'currency', 'country', 'pools', 'mtime'],
  accounts: [
    ...['permissions', 'time_stamps', 'rate_limit_per_minute', 'expires_at', 'allowed_networks'],
    ...['signs_money', 'token_epoch', 'is_disabled', 'mtime'],
  ],
}

/** Only what is missing: on a cluster a grant needs every node, and a server can start without one of them. */
async function grantToServer(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [appRole])
  if (!rowCount) return
  for (const { privileges, tables } of grants) {
    const { rows } = await client.query<{ is_granted: boolean }>(
      `select bool_and(has_table_privilege($1, t, p)) as is_granted from unnest($2::text[]) t, unnest($3::text[]) p`,
      [appRole, tables, privileges],
    )
    if (!rows[0]!.is_granted) await client.query(`grant ${privileges} on ${tables} to ${appRole}`)
  }
  await takeBack(client, changing, [...insertOnlyTables, 'organizations', 'accounts'])
  for (const [table, columns] of Object.entries(columnGrants)) {
    const { rows } = await client.query<{ is_granted: boolean }>(
      `select bool_and(has_column_privilege($1, $2, c, 'update')) as is_granted from unnest($3::text[]) c`,
      [appRole, table, columns],
    )
    if (!rows[0]!.is_granted) await client.query(`grant update (${columns}) on ${table} to ${appRole}`)
  }
  const { rows } = await client.query(`select has_schema_privilege($1, 'public', 'usage') as is_granted`, [
    appRole,
  ])
  if (!rows[0].is_granted) await client.query(`grant usage on schema public to ${appRole}`)
}

async function takeBack(client: pg.Client, privileges: string[], tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ is_granted: boolean }>(
    `select bool_or(has_table_privilege($1, t, p)) as is_granted from unnest($2::text[]) t, unnest($3::text[]) p`,
    [appRole, tables, privileges],
  )
  if (rows[0]!.is_granted) await client.query(`revoke ${privileges} on ${tables} from ${appRole}`)
}

async function readMigrations(folder = ownFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => ({
      id: Number.parseInt(file, 10),
      name: file.replace(/\.sql$/, ''),
      text: await readFile(new URL(file, folder), 'utf8'),
    })),
  )
}

async function withClient<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
