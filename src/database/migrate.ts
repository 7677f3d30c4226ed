import { readdir, readFile } from 'node:fs/promises'
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
  if (current > wanted) {
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

async function appliedVersions(client: pg.Client): Promise<{ id: number; name: string }[]> {
  const { rows: found } = await client.query(`select to_regclass('schema_migrations') is not null as exists`)
  if (!found[0].exists) return []
  return (await client.query('select id, name from schema_migrations order by id')).rows
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
  const { pending } = await statusOf(client, versions)
  const next = versions.find(({ name }) => pending.includes(name))
  if (next) await applyOne(client, next)
  else await grantToServer(client, versions)
  return next?.name
}

async function applyOne(client: pg.Client, { id, name, text }: Version): Promise<void> {
  try {
    await client.query(withoutGrants(text, appRole))
    await client.query('insert into schema_migrations (id, name) values ($1, $2)', [id, name])
  } catch (error) {
    throw new Error(`Migration ${name} failed and left nothing behind: ${(error as Error).message}`)
  }
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
    { ...firstVersion, text: schema.map(({ text }) => text).join('\n') },
    ...migrations.map(({ name, text }) => ({ id: Number.parseInt(name, 10), name, text })),
  ]
}

async function readFiles(folder: URL): Promise<Omit<Version, 'id'>[]> {
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
