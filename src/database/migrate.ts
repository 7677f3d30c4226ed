import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { alignGrants, withoutGrants } from './grants.ts'

const schemaFolder = new URL('../../schema/', import.meta.url)
const migrationsFolder = new URL('../../migrations/', import.meta.url)
/** Taken by schema changes: servers that start together, and a distribution. */
export const schemaLock = 7_204_193
/** The role of the server. It owns no tables and cannot bypass row-level security. */
export const appRole = 'matricula_app'

/** `schema/` is version 1. Each file of `migrations/` is a further version. */
interface Version {
  id: number
  name: string
  text: string
  /** The oldest schema that a server may know and still write to this one. */
  oldestWriter: number
}

const firstVersion = { id: 1, name: '0001_schema' }

export interface SchemaStatus {
  current: number
  wanted: number
  applied: string[]
  pending: string[]
}

interface MigrateOptions {
  report?: (name: string) => void
  /** Stops at an earlier version; absent: the newest. */
  until?: number
  /** For tests. */
  migrations?: URL
}

/** Brings the schema up to date, one transaction per version. */
export async function migrate(
  connection: pg.ClientConfig,
  { report = () => {}, until, migrations }: MigrateOptions = {},
): Promise<SchemaStatus> {
  const known = await readVersions(migrations)
  const versions = known.filter(({ id }) => id <= (until ?? id))
  return withClient(connection, async (client) => {
    for (;;) {
      await refuseOlderWriters(client, versions)
      const name = await underLock(client, () => applyNext(client, versions))
      if (name === undefined) return statusOf(client, versions)
      report(name)
    }
  })
}

export async function schemaStatus(connection: pg.ClientConfig): Promise<SchemaStatus> {
  const versions = await readVersions()
  return withClient(connection, (client) => statusOf(client, versions))
}

/** The newest schema version of this release. */
export async function wantedSchema(): Promise<number> {
  return newestOf(await readVersions())
}

function newestOf(versions: Version[]): number {
  return Math.max(0, ...versions.map(({ id }) => id))
}

async function statusOf(client: pg.Client, versions: Version[]): Promise<SchemaStatus> {
  const done = await appliedVersions(client)
  const current = Math.max(0, ...done.map(({ id }) => id))
  const wanted = newestOf(versions)
  if (done[0] && done[0].name !== firstVersion.name) {
    throw new Error(
      `The database was made by a version of Matricula before the first release (schema ${current}), which this version cannot ` +
        'upgrade: export the data with the version that made it, or start with a new data folder or an empty database.',
    )
  }
  // A newer schema may be one that this version can work with: a server that crashes during an upgrade starts again.
  if (current > wanted && done.at(-1)!.oldest_writer > wanted) {
    throw new Error(
      `The database has schema ${current}, but this version of Matricula only knows schema ${wanted}: start a newer version.`,
    )
  }
  const names = new Set(done.map(({ name }) => name))
  return {
    current,
    wanted,
    applied: versions.filter(({ name }) => names.has(name)).map(({ name }) => name),
    pending: versions.filter(({ name }) => !names.has(name)).map(({ name }) => name),
  }
}

interface AppliedVersion {
  id: number
  name: string
  oldest_writer: number
}

async function appliedVersions(client: pg.Client): Promise<AppliedVersion[]> {
  const { rows: found } = await client.query(`
    select to_regclass('schema_migrations') is not null as exists,
           exists (select from pg_attribute
                    where attrelid = to_regclass('schema_migrations') and attname = 'oldest_writer') as states_writer`)
  if (!found[0].exists) return []
  const oldestWriter = found[0].states_writer ? 'coalesce(oldest_writer, id)' : 'id'
  const { rows } = await client.query(
    `select id, name, ${oldestWriter} as oldest_writer from schema_migrations order by id`,
  )
  return rows
}

/** A transaction of a server ends after its statement timeout, which is shorter than this. */
const longestDrainMs = 120_000

/**
 * Before a migration that older servers must not write after: refuses their writes from now on, and waits for those in
 * progress. They only read until they are replaced.
 */
async function refuseOlderWriters(client: pg.Client, versions: Version[]): Promise<void> {
  const done = await appliedVersions(client)
  const next = versions.find(({ name }) => !done.some((applied) => applied.name === name))
  const last = done.at(-1)
  if (!next || !last || next.oldestWriter <= last.oldest_writer) return
  await underLock(client, () =>
    client.query(
      'update schema_migrations set oldest_writer = $2 where id = $1 and coalesce(oldest_writer, id) < $2',
      [last.id, next.oldestWriter],
    ),
  )
  const { rows } = await client.query('select clock_timestamp() as refused_at')
  for (const end = performance.now() + longestDrainMs; performance.now() < end; await pause(50)) {
    const { rows: open } = await client.query(
      `select 1 from pg_stat_activity
        where datname = current_database() and application_name = 'matricula' and xact_start < $1
          and pid <> pg_backend_pid() limit 1`,
      [rows[0].refused_at],
    )
    if (open.length === 0) return
  }
  throw new Error(
    `Migration ${next.name} waited ${longestDrainMs / 1000} s for transactions in progress: end them, and start again.`,
  )
}

/** A transaction lock: a session lock would stay on the connection of a pooler. */
async function underLock<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [schemaLock])
    // On a cluster, a transaction may change tables over one connection per node only.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Applies the next version and returns its name. Undefined if the schema is up to date. */
async function applyNext(client: pg.Client, versions: Version[]): Promise<string | undefined> {
  const { pending, current, wanted } = await statusOf(client, versions)
  const next = versions.find(({ name }) => pending.includes(name))
  if (next) await applyOne(client, next)
  // A newer version has granted more than this one knows of.
  else if (current <= wanted) await grantToServer(client, versions)
  return next?.name
}

async function applyOne(client: pg.Client, { id, name, text, oldestWriter }: Version): Promise<void> {
  try {
    await client.query(withoutGrants(text, appRole))
    await client.query('insert into schema_migrations (id, name, oldest_writer) values ($1, $2, $3)', [
      id,
      name,
      oldestWriter,
    ])
  } catch (error) {
    if (isSchemaRefused(error as pg.DatabaseError)) throw schemaRefusal(client)
    throw new Error(`Migration ${name} failed and left nothing behind: ${(error as Error).message}`)
  }
}

/** Since PostgreSQL 15, only the owner of a database may create tables in its schema `public`. */
function isSchemaRefused({ code, message }: pg.DatabaseError): boolean {
  return code === '3F000' || (code === '42501' && message.includes('schema public'))
}

function schemaRefusal({ user = '', database }: pg.Client): Error {
  const grant = `grant usage, create on schema public to ${pg.escapeIdentifier(user)}`
  return new Error(
    `The database role ${user} may not create tables in the schema public: let an administrator run "${grant}" ` +
      `in the database ${database}.`,
  )
}

/** Without the app role, the server uses the owner of the tables, which needs no grants. */
async function grantToServer(client: pg.Client, versions: Version[]): Promise<void> {
  const { rows } = await client.query(
    `select has_schema_privilege(oid, 'public', 'usage') as has_usage
       from pg_roles where rolname = $1 and rolname <> current_user`,
    [appRole],
  )
  if (!rows[0]) return
  if (!rows[0].has_usage) await client.query(`grant usage on schema public to ${appRole}`)
  const texts = versions.map(({ text }) => text)
  await alignGrants(client, appRole, texts)
}

async function readVersions(folder = migrationsFolder): Promise<Version[]> {
  const schema = await readFiles(schemaFolder)
  const migrations = await readFiles(folder)
  return [
    { ...firstVersion, text: schema.map(({ text }) => text).join('\n'), oldestWriter: firstVersion.id },
    ...migrations.map(({ name, text }) => {
      const id = Number.parseInt(name, 10)
      return { id, name, text, oldestWriter: oldestWriterOf(text) ?? id }
    }),
  ]
}

/** As the first line of a migration states it. */
function oldestWriterOf(text: string): number | undefined {
  const [, schema] = /^-- Oldest writer: schema (\d+)\.?$/m.exec(text) ?? []
  return schema === undefined ? undefined : Number(schema)
}

async function readFiles(folder: URL): Promise<Pick<Version, 'name' | 'text'>[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => ({
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
