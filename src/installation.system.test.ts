import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyInitialized } from '../test/harness/data-folders.ts'
import { ownSql as sql } from '../test/harness/own-sql.ts'
import { makeMasterKey } from './access/organizations/master-key.ts'
import { type Config, readConfig } from './config.ts'
import { openDatabase } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { type Installation, openInstallation, poolLimits } from './installation.ts'
import { joinKeyring, openKeyring } from './open-keyring.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres/embedded-postgres.ts'

const quick = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

let dataDir: string
let postgres: EmbeddedPostgres

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'matricula-connect-'))
  await copyInitialized(dataDir)
  postgres = await startEmbeddedPostgres({ dataDir, settings: quick })
})

afterEach(async () => {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('a superuser works as the app role, which sees no row without an organization', async () => {
  await dropAppRole()
  const installation = await openInstallation(configFor('postgres'), 'serve')
  expect(installation.notice).toBe(
    'The database role postgres is a superuser, so the server works as the app role matricula_app.',
  )
  expect(await seenByServer(installation)).toEqual({ role: 'matricula_app', unscoped: 0, own: 1, foreign: 0 })
})

test('a role that may create roles works as the app role too', async () => {
  await dropAppRole()
  await asSuperuser('alter role matricula_owner createrole')
  const installation = await openInstallation(configFor('matricula_owner'), 'serve')
  expect(await seenByServer(installation)).toEqual({ role: 'matricula_app', unscoped: 0, own: 1, foreign: 0 })
})

test('an ordinary role works as itself, and row-level security applies', async () => {
  await dropAppRole()
  const installation = await openInstallation(configFor('matricula_owner'), 'serve')
  expect(installation.notice).toContain('works as the database role matricula_owner itself')
  expect(await seenByServer(installation)).toEqual({
    role: 'matricula_owner',
    unscoped: 0,
    own: 1,
    foreign: 0,
  })
})

test('a role that bypasses row-level security and cannot become the app role is refused', async () => {
  await asSuperuser('alter role matricula_owner bypassrls')
  await expect(openInstallation(configFor('matricula_owner'), 'serve')).rejects.toThrow(
    /^The database role matricula_owner bypasses row-level security and may not work as the app role matricula_app: [^\n]+\.$/,
  )
})

test('an app role that bypasses row-level security itself is refused', async () => {
  await asSuperuser('alter role matricula_app bypassrls')
  await expect(openInstallation(configFor('postgres'), 'serve')).rejects.toThrow(
    /^The database role matricula_app is a superuser or has BYPASSRLS/,
  )
})

test('two servers that start at once agree on the role', async () => {
  await dropAppRole()
  await asSuperuser('alter role matricula_owner createrole')
  const config = configFor('matricula_owner')
  const both = await Promise.all([openInstallation(config, 'serve'), openInstallation(config, 'serve')])
  for (const { notice } of both) expect(notice).toContain('works as the app role matricula_app')
})

test('a role that may not create tables gets the statement to run', async () => {
  // The owner of the database may create tables; a role that was only granted access may not.
  await asSuperuser(
    'alter database matricula owner to postgres; grant connect on database matricula to matricula_owner',
  )
  const { owner } = await openInstallation(configFor('matricula_owner'), 'serve')
  await expect(migrate(owner)).rejects.toThrow(
    'The database role matricula_owner may not create tables in the schema public: let an administrator run ' +
      '"grant usage, create on schema public to "matricula_owner"" in the database matricula.',
  )
  await asSuperuser('grant usage, create on schema public to "matricula_owner"')
  expect((await migrate(owner)).pending).toEqual([])
})

test.each(['SQL_ASCII', 'LATIN1'])(
  'a database with the encoding %s is refused in one sentence',
  async (name) => {
    await asSuperuser(`create database other encoding '${name}' locale 'C' template template0`)
    const config = configFor('postgres')
    config.databaseUrl = config.databaseUrl?.replace('/matricula?', '/other?')
    await expect(openInstallation(config, 'serve')).rejects.toThrow(
      new Error(
        `Matricula needs a database with the encoding UTF8, and the one that DATABASE_URL names has ${name}.`,
      ),
    )
  },
)

test('options of the URL are kept together with the role', async () => {
  const config = configFor('postgres')
  config.databaseUrl += '&options=-c%20geqo%3Doff'
  const { app } = await openInstallation(config, 'serve')
  const rows = await query(app, `select current_user as role, current_setting('geqo') as geqo`)
  expect(rows).toEqual([{ role: 'matricula_app', geqo: 'off' }])
})

test('every statement, lock, idle transaction and wait for a connection has a limit', async () => {
  const config = configFor('postgres')
  const { app } = await openInstallation(config, 'serve')
  const names = [
    'statement_timeout',
    'lock_timeout',
    'idle_in_transaction_session_timeout',
    'application_name',
  ]
  const rows = await query(
    app,
    `select name, setting from pg_settings where name = any('{${names}}') order by name`,
  )
  const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout } = poolLimits(config)
  const limits = [idle_in_transaction_session_timeout, lock_timeout, statement_timeout]
  for (const limit of limits) expect(limit).toBeGreaterThan(0)
  expect(rows.map((row) => row.setting)).toEqual(['matricula', ...limits.map(String)])
  expect(app.connectionTimeoutMillis).toBe(5000)
})

test('the wait for an absent database is bounded, and ends with one sentence', async () => {
  const config = {
    ...configFor('postgres'),
    databaseUrl: 'postgres://me:hunter2@127.0.0.1:1/x',
    connectTimeoutMs: 700,
  }
  await expect(openInstallation(config, 'serve')).rejects.toThrow(
    'PostgreSQL at 127.0.0.1:1, named in DATABASE_URL, does not accept connections (ECONNREFUSED).',
  )
})

test('a database that accepts connections and does not answer times out too', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const databaseUrl = `postgres://me:hunter2@127.0.0.1:${port}/x`
  const config = { ...configFor('postgres'), databaseUrl, connectTimeoutMs: 500 }
  await expect(openInstallation(config, 'serve')).rejects.toThrow('does not accept connections (no answer).')
  silent.close()
})

test('a database that starts late is waited for', async () => {
  const config = configFor('postgres')
  await postgres.stop()
  const session = openInstallation(config, 'serve')
  postgres = await startEmbeddedPostgres({ dataDir, settings: quick })
  expect((await session).isEmbedded).toBe(false)
})

test('a refused connection fails at once, in one sentence without the password', async () => {
  // Waiting would exceed the time limit of the test.
  const config = { ...configFor('postgres'), connectTimeoutMs: 3_600_000 }
  config.databaseUrl = `${config.databaseUrl?.replace('/matricula?', '/nowhere?')}&password=hunter2`
  await expect(openInstallation(config, 'serve')).rejects.toThrow(
    /^PostgreSQL at \S+, named in DATABASE_URL, refuses the connection: database "nowhere" does not exist\.$/,
  )
})

test('the master key of a data folder is created once, readable for its owner only', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => makeMasterKey(dataDir)))
  expect(new Set(keys.map(([key]) => key!.toString('hex'))).size).toBe(1)
  expect(keys[0]![0]).toHaveLength(32)
  expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600)
  expect((await readdir(dataDir)).filter((name) => name.startsWith('master.key'))).toEqual(['master.key'])
})

test('the embedded database needs no settings, and keeps its key', async () => {
  const config = readConfig({ MATRICULA_DATA: dataDir })
  const first = await openInstallation(config, 'borrow')
  const second = await openInstallation(config, 'borrow')
  expect(first.isEmbedded).toBe(true)
  expect(await seenByServer(first)).toEqual({ role: 'matricula_app', unscoped: 0, own: 1, foreign: 0 })
  const db = openDatabase(first.app)
  const [made, joined] = [await openKeyring(config, db), await joinKeyring(config)]
  expect(joined.open('app', made.seal('app', 'secret'))).toBe('secret')
  await db.close()
  await first.stop()
  await second.stop()
})

function configFor(user: string): Config {
  const DATABASE_URL = `postgres:///matricula?host=${encodeURIComponent(postgres.owner.host)}&user=${user}`
  return readConfig({ DATABASE_URL, MATRICULA_KEY: 'ab'.repeat(32), MATRICULA_CONNECT_TIMEOUT_MS: '20000' })
}

/** The rows that the server's own connections see, with one user in the organization c1. */
async function seenByServer({ owner, app }: Installation) {
  await migrate(owner)
  await asSuperuser(`
    insert into organizations (corp_id, name, ctime, mtime) values ('c1', 'One', now(), now());
    insert into users (corp_id, user_id, pool, ctime, mtime) values ('c1', 'u1', 'public', now(), now())`)
  const db = openDatabase(app)
  const count = sql`select current_user as role, (select count(*) from users) as users`
  try {
    const [shared] = await db.shared.query<{ role: string; users: number }>(count)
    const [own] = await db.of('c1').query<{ users: number }>(count)
    const [foreign] = await db.of('c2').query<{ users: number }>(count)
    return { role: shared?.role, unscoped: shared?.users, own: own?.users, foreign: foreign?.users }
  } finally {
    await db.close()
  }
}

async function dropAppRole(): Promise<void> {
  await asSuperuser('drop owned by matricula_app; drop role matricula_app')
}

async function asSuperuser(text: string): Promise<void> {
  await query({ ...postgres.owner, user: 'postgres' }, text)
}

async function query(connection: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
