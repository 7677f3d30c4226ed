import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli } from '../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { newId } from '../contract/new-id.ts'
import { findBackupRole } from './backup-role.ts'
import { tenantTables } from './tables.ts'

const run = promisify(execFile)
/** Roles belong to the whole server, which other tests use too. */
const role = `backup_${newId()}`

let database: TestDatabase
let owner: pg.ClientConfig
let settings: Record<string, string>
beforeAll(async () => {
  database = await createTestDatabase('sample')
  owner = { ...database.appOptions, user: 'matricula_owner' }
  settings = { ...database.settings, MATRICULA_KEY: masterKeyText }
})
afterAll(async () => {
  await database?.superuser.query(`drop owned by ${role}; drop role ${role}`)
  await database?.drop()
})

test('a dump by the owner of the tables is refused, and one with row-level security would be empty', async () => {
  await expect(dumpAs('matricula_owner', 'off')).rejects.toThrow('would be affected by row-level security')
  expect((await dumpAs('matricula_owner', 'on')).get('users')).toBe(0)
})

test('the command gives statements that make a role whose dump holds every row', async () => {
  const { stdout } = await callCli(['db', 'backup-role', '--role', role, '--json'], settings)
  const missing = JSON.parse(stdout)
  expect(missing).toMatchObject({ exists: false, bypasses_rls: false })
  expect(missing.unreadable).toContain('users')
  for (const statement of missing.statements) await database.superuser.query(statement)

  const said = await callCli(['db', 'backup-role', '--role', role], settings)
  expect(said.stdout).toBe(`The role ${role} reads every row. A dump as this role is complete.\n`)
  const dumped = await dumpAs(role, 'off')
  expect(dumped).toEqual(await countsOf([...dumped.keys()]))
  expect(dumped.get('users')).toBeGreaterThan(0)
  for (const table of tenantTables) expect(dumped.has(table)).toBe(true)
  await expect(asRole(role, (client) => client.query('delete from users'))).rejects.toThrow(
    'permission denied',
  )
})

test('a role without one of its rights gets it, and is not created again', async () => {
  await database.superuser.query(`alter role ${role} nobypassrls; revoke pg_read_all_data from ${role}`)
  const { statements } = await findBackupRole(owner, role)
  expect(statements[0]).toBe(`alter role "${role}" login bypassrls;`)
  for (const statement of statements) await database.superuser.query(statement)
  expect(await findBackupRole(owner, role)).toMatchObject({ statements: [], unreadable: [] })
})

test('pg_dump itself, where one of the right version is installed, dumps every user', async () => {
  const { rows } = await database.superuser.query(
    `select current_setting('server_version_num')::int / 10000 as major`,
  )
  const found = await run('pg_dump', ['--version']).catch(() => undefined)
  // An older pg_dump refuses a newer server. The test above copies the tables in the same way.
  if (Number(/\) (\d+)/.exec(found?.stdout ?? '')?.[1] ?? 0) < rows[0].major) return
  const folder = await mkdtemp(join(tmpdir(), 'matricula-dump-'))
  try {
    const { host, port } = database.appOptions
    const place = ['--host', host!, '--port', String(port), '--dbname', database.name]
    await run('pg_dump', [
      ...place,
      '--username',
      'postgres',
      '--role',
      role,
      '--format=custom',
      '--file',
      join(folder, 'dump'),
    ])
    const users = await run('pg_restore', ['--data-only', '--table=users', '--file=-', join(folder, 'dump')])
    const expected = (await countsOf(['users'])).get('users')!
    expect(users.stdout.split('\n').filter((line) => line.includes('\t'))).toHaveLength(expected)
  } finally {
    await rm(folder, { recursive: true })
  }
})

/** Rows per table that pg_dump copies. pg_dump turns row-level security off, which fails where it would apply. */
async function dumpAs(user: string, rowSecurity: 'on' | 'off'): Promise<Map<string, number>> {
  return asRole(user, async (client) => {
    await client.query(`set row_security = ${rowSecurity}`)
    const { rows } = await client.query(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    )
    const counts = new Map<string, number>()
    for (const { name } of rows) {
      const { rowCount } = await client.query(`select 1 from ${name}`)
      counts.set(name, rowCount!)
    }
    return counts
  })
}

async function countsOf(tables: string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const table of tables)
    counts.set(table, (await database.superuser.query(`select 1 from ${table}`)).rowCount!)
  return counts
}

async function asRole<T>(user: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { host, port } = database.appOptions
  // The embedded server lets no other roles log in.
  const client = new pg.Client({ host, port, user: 'postgres', database: database.name })
  await client.connect()
  try {
    await client.query(`set session authorization ${user}`)
    return await work(client)
  } finally {
    await client.end()
  }
}
