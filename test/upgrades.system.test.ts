import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyAudit } from '../src/access/audit/verify-audit.ts'
import { signatureOf } from '../src/access/tokens/signature.ts'
import { checkLedger } from '../src/backoffice/finance/check-ledger.ts'
import { listTables } from '../src/backup/postgres-upgrade/table-copy-store.ts'
import { migrate, schemaStatus, wantedSchema } from '../src/database/migrate.ts'
import { rebuildOutdated } from '../src/derived/derived-data.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { masterKeyText } from './harness/keyring.ts'
import { ownSql as sql } from './harness/own-sql.ts'
import { cleanUp, startService } from './harness/process.ts'
import type { Fixture } from './upgrades/fixture.ts'

const folder = join(import.meta.dirname, 'upgrades')
const fixtures = (await readdir(folder)).filter((name) => name.endsWith('.json.gz')).sort()
const wanted = await wantedSchema()

let database: TestDatabase
let owner: pg.ClientConfig

beforeEach(async () => {
  database = await createTestDatabase('template1')
  owner = { connectionString: database.settings.DATABASE_URL! }
})
afterEach(async () => {
  await cleanUp()
  await database.drop()
})

describe('a database of an earlier version', () => {
  test.each(fixtures)('%s comes up with the answers that its version gave', async (file) => {
    const fixture = await restore(file)
    const service = startTestService()
    const url = await service.ready
    const token = await tokenOf(url, fixture.account)
    for (const { question, data } of fixture.answers) {
      const response = await fetch(url + question, { headers: { Authorization: `Bearer ${token}` } })
      const answer = (await response.json()) as { code: number; data: object }
      expect(answer.code, question).toBe(0)
      expect(answer.data, question).toMatchObject(data as object)
    }
    await service.stop()
    // The server rebuilds derived data in the background.
    await rebuildOutdated(database.owner)
    expect(await checkLedger(database.owner)).toMatchObject({ total: 0, discrepancies: [] })
    for (const { corp_id, chain_head: head } of clocksOf(fixture))
      expect(await checkLedger(database.owner, corp_id, { head })).toMatchObject({ total: 0 })
    expect(await verifyAudit(database.owner)).toMatchObject({ total: 0, breaches: [] })
  })
})

/** Possible migrations of a later version. */
describe('a later migration', () => {
  let migrations: string
  beforeEach(async () => {
    migrations = await mkdtemp(join(tmpdir(), 'matricula-migrations-'))
    await cp(join(import.meta.dirname, '../migrations'), migrations, { recursive: true })
  })
  afterEach(() => rm(migrations, { recursive: true }))

  const [next, afterNext] = [1, 2].map((more) => String(wanted + more).padStart(4, '0'))
  const campuses = `
create table campuses (corp_id text not null references organizations (corp_id), name text not null, primary key (corp_id, name));
-- Before row-level security, which is forced on the owner too.
insert into campuses (corp_id, name) select corp_id, 'Main' from organizations;
alter table campuses enable row level security, force row level security;
create policy organization on campuses using (corp_id = current_setting('app.corp_id', true));
grant select, insert on campuses to matricula_app;
alter table users add column campus text;
grant update (campus) on users to matricula_app;
revoke delete on users from matricula_app;
`
  const broken = `create table half (id text primary key); alter table users drop column name; select 1 / 0;`

  const write = (name: string, text: string) => writeFile(join(migrations, `${name}.sql`), text)
  const upgrade = (report: (name: string) => void = () => {}) =>
    migrate(owner, { report, migrations: pathToFileURL(`${migrations}/`) })

  test('keeps every row, and the new table has row-level security and its grants', async () => {
    await restore(fixtures[0]!)
    const before = await everyRow()
    await write(`${next}_campuses`, campuses)
    const status = await upgrade()
    expect(status).toMatchObject({ current: wanted + 1, pending: [] })
    expect(status.applied.at(-1)).toBe(`${next}_campuses`)
    const { campuses: added, ...kept } = await everyRow()
    expect(added).toEqual([{ corp_id: 'harbour', name: 'Main' }])
    const withoutCampus = kept.users!.map(({ campus: _, ...user }) => user)
    expect({ ...kept, users: withoutCampus }).toEqual(before)
    const seen = (corp_id: string) => database.app.of(corp_id).query(sql`select name from campuses`)
    expect(await seen('harbour')).toEqual([{ name: 'Main' }])
    expect(await seen('elsewhere')).toEqual([])
    expect(await privilegesOf('campuses')).toEqual(['insert', 'select'])
    expect(await privilegesOf('users')).toEqual(['insert', 'select', 'update'])
  })

  test('that fails does not change the schema, and the current version continues', async () => {
    await migrate(owner)
    const before = await columns()
    await write(`${next}_half`, broken)
    await expect(upgrade()).rejects.toThrow(
      `Migration ${next}_half failed and left nothing behind: division by zero`,
    )
    expect(await columns()).toEqual(before)
    expect(await schemaStatus(owner)).toMatchObject({ current: wanted, pending: [] })
  })

  test('that fails keeps the earlier migrations, and the next start continues with it', async () => {
    await write(`${next}_campuses`, campuses)
    await write(`${afterNext}_half`, broken)
    await expect(upgrade()).rejects.toThrow(`Migration ${afterNext}_half failed`)
    expect(Object.keys(await everyRow())).toContain('campuses')
    await write(`${afterNext}_half`, 'create table half (id text primary key)')
    const ran: string[] = []
    await upgrade((name) => ran.push(name))
    expect(ran).toEqual([`${afterNext}_half`])
  })

  test('runs once if several servers start at the same time on an empty database', async () => {
    await write(`${next}_campuses`, campuses)
    const ran: string[] = []
    const starts = await Promise.all([1, 2, 3].map(() => upgrade((name) => ran.push(name))))
    expect(ran.toSorted()).toEqual(starts[0]!.applied)
    for (const status of starts) expect(status).toMatchObject({ current: wanted + 1, pending: [] })
  })

  test('is refused in one sentence by the version before it', async () => {
    await write(`${next}_campuses`, campuses)
    await upgrade()
    await refuses(
      `The database has schema ${wanted + 1}, but this version of Matricula only knows schema ${wanted}: start a newer version.`,
    )
  })
})

test('a database from before the first release is refused with a sentence about the fix', async () => {
  await database.superuser.query(`
    create table schema_migrations (id integer primary key, name text not null);
    alter table schema_migrations owner to matricula_owner;
    insert into schema_migrations (id, name) values (1, '0001_organizations_and_accounts'), (36, '0036_lead_versions')`)
  await refuses(
    'The database was made by a version of Matricula before the first release (schema 36), which this version cannot upgrade: ' +
      'export the data with the version that made it, or start with a new data folder or an empty database.',
  )
})

test('the role of the server regains revoked rights, and loses rights beyond the schema', async () => {
  await migrate(owner)
  const tables = ['payments', 'users', 'organizations']
  const privileges = async () => Promise.all(tables.map(privilegesOf))
  const before = await privileges()
  await database.superuser.query(`
    grant all on payments, organizations to matricula_app;
    revoke all on users from matricula_app;
    grant update (price) on payments to matricula_app`)
  expect(await privileges()).not.toEqual(before)
  await migrate(owner)
  expect(await privileges()).toEqual(before)
})

function startTestService() {
  const settings = { ...database.settings, MATRICULA_KEY: masterKeyText, MATRICULA_WORKERS: '1' }
  return startService({ ...settings, MATRICULA_LOG_LEVEL: 'warn' })
}

async function refuses(sentence: string): Promise<void> {
  const service = startTestService()
  expect((await service.exited).code).toBe(1)
  const lines = service.stderr().split('\n')
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([sentence, ''])
}

/** The database as the version of a fixture left it. */
async function restore(file: string): Promise<Fixture> {
  const fixture: Fixture = JSON.parse(gunzipSync(await readFile(join(folder, file))).toString())
  await migrate(owner, { until: fixture.schema })
  const client = await database.superuser.connect()
  try {
    // Tables come in any order.
    await client.query('set session_replication_role = replica')
    const columnsOf = new Map((await listTables(client)).map(({ table, columns }) => [table, columns.join()]))
    for (const [table, row] of fixture.rows) {
      const names = columnsOf.get(table)
      await client.query(
        `insert into ${table} (${names}) select ${names} from json_populate_record(null::${table}, $1)`,
        [row],
      )
    }
    await client.query('reset session_replication_role')
  } finally {
    client.release()
  }
  return fixture
}

/** Includes the audit heads of that time. */
function clocksOf({ rows }: Fixture): { corp_id: string; chain_head: string }[] {
  return rows.flatMap(([table, row]) => (table === 'ledger_clocks' ? [JSON.parse(row)] : []))
}

async function everyRow(): Promise<Record<string, Record<string, unknown>[]>> {
  const client = await database.superuser.connect()
  try {
    const rows: Record<string, Record<string, unknown>[]> = {}
    for (const { table } of await listTables(client))
      rows[table] = (await client.query(`select t.* from ${table} t order by t::text`)).rows
    return rows
  } finally {
    client.release()
  }
}

async function privilegesOf(table: string): Promise<string[]> {
  const { rows } = await database.superuser.query(
    `select p as name
       from unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) p
      where has_table_privilege('matricula_app', $1, p)
      union all
     select 'update ' || a.attname from pg_attribute a
      where a.attrelid = $1::regclass and a.attnum > 0 and not has_table_privilege('matricula_app', $1, 'update')
        and has_column_privilege('matricula_app', $1::regclass, a.attnum, 'update')
      order by 1`,
    [table],
  )
  return rows.map(({ name }) => name)
}

async function columns(): Promise<unknown[]> {
  const { rows } = await database.superuser.query(
    `select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2`,
  )
  return rows
}

async function tokenOf(url: string, { app_id, user_api_secret }: Fixture['account']): Promise<string> {
  const time_stamp = String(Math.floor(Date.now() / 1000))
  const signature = signatureOf(app_id, time_stamp, user_api_secret)
  const response = await fetch(`${url}/api/v5/authentication/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ app_id, time_stamp, signature }),
  })
  return ((await response.json()) as { data: { token: string } }).data.token
}
