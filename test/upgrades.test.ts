import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyAudit } from '../src/audit/verify-audit.ts'
import { migrate, migrateTo, schemaStatus, wantedSchema } from '../src/database/migrate.ts'
import { checkLedger } from '../src/finance/check-ledger.ts'
import { listTables } from '../src/postgres-upgrade/table-copy-store.ts'
import { signatureOf } from '../src/tokens/signature.ts'
import { attemptsOf } from './harness/attempts.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { masterKeyText } from './harness/keyring.ts'
import { cleanUp, startService } from './harness/process.ts'
import type { Fixture } from './upgrades/fixture.ts'

/** Databases as earlier versions left them, brought up to date by this one. */

const folder = join(import.meta.dirname, 'upgrades')
const kept = (await readdir(folder)).filter((name) => name.endsWith('.json.gz')).sort()
/** The first, the last, and as many between them as are asked for: each in `npm run test:long`. */
const most = attemptsOf('MATRICULA_UPGRADED_VERSIONS', 3)
const step = Math.max(1, (kept.length - 1) / (most - 1))
const files = kept.filter(
  (_, n) => n === kept.length - 1 || Math.floor(n / step) > Math.floor((n - 1) / step),
)

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

test.each(files)('%s comes up with the answers that its version gave', async (file) => {
  const fixture: Fixture = JSON.parse(gunzipSync(await readFile(join(folder, file))).toString())
  await migrateTo(owner, fixture.schema)
  await insert(fixture.rows)
  const settings = { ...database.settings, MATRICULA_KEY: masterKeyText, MATRICULA_WORKERS: '1' }
  const service = startService({ ...settings, MATRICULA_LOG_LEVEL: 'warn' })
  const url = await service.ready
  const token = await tokenOf(url, fixture.account)
  for (const { question, data } of fixture.answers) {
    const response = await fetch(url + question, { headers: { Authorization: `Bearer ${token}` } })
    const answer = (await response.json()) as { code: number; data: unknown }
    expect(answer.code, question).toBe(0)
    expect(answer.data, question).toMatchObject(asAnsweredToday(data))
  }
  await service.stop()
  expect(await checkLedger(database.owner)).toMatchObject({ total: 0, discrepancies: [] })
  for (const { corp_id, chain_head: head } of clocksOf(fixture))
    if (head) expect(await checkLedger(database.owner, corp_id, { head })).toMatchObject({ total: 0 })
  expect(await verifyAudit(database.owner)).toMatchObject({ total: 0, breaches: [] })
})

test('entries that were in no link before the upgrade are linked after it, in the order of their times', async () => {
  await migrateTo(owner, 30)
  await database.superuser.query(
    `insert into audit_entries (corp_id, entry_id, at, actor_kind, actor_id, operation, action, record_type, record_id)
     select '', 'entry ' || n, now() - n * interval '1 second', 'system', 'me', 'x', 'made', 'accounts', 'x'
       from generate_series(1, 5) n`,
  )
  await migrate(owner)
  expect(await verifyAudit(database.owner)).toMatchObject({ total: 0, entries: 5 })
  const { rows } = await database.superuser.query('select entry_id from audit_links order by seq')
  expect(rows.map(({ entry_id }) => entry_id)).toEqual([5, 4, 3, 2, 1].map((n) => `entry ${n}`))
})

describe('a migration that fails half-way', () => {
  test('leaves the schema as it was, and the version that knows it goes on', async () => {
    const wanted = await wantedSchema()
    const migrations = await mkdtemp(join(tmpdir(), 'matricula-migrations-'))
    try {
      await cp(join(import.meta.dirname, '../migrations'), migrations, { recursive: true })
      const next = `${String(wanted + 1).padStart(4, '0')}_half`
      await writeFile(
        join(migrations, `${next}.sql`),
        'create table half (id text primary key); alter table users drop column name; select 1 / 0;',
      )
      const newer = pathToFileURL(`${migrations}/`)
      await migrate(owner)
      const before = await columns()
      await expect(migrate(owner, () => {}, newer)).rejects.toThrow(
        `Migration ${next} failed and left nothing behind: division by zero`,
      )
      expect(await columns()).toEqual(before)
      expect(await schemaStatus(owner)).toMatchObject({ current: wanted, pending: [] })
    } finally {
      await rm(migrations, { recursive: true })
    }
  })
})

test('a newer schema is refused in one sentence', async () => {
  const wanted = await wantedSchema()
  await migrate(owner)
  await database.superuser.query('insert into schema_migrations (id, name) values ($1, $2)', [
    wanted + 1,
    'of_tomorrow',
  ])
  const service = startService({ ...database.settings, MATRICULA_KEY: masterKeyText, MATRICULA_WORKERS: '1' })
  expect((await service.exited).code).toBe(1)
  expect(
    service
      .stderr()
      .split('\n')
      .filter((line) => !line.startsWith('{')),
  ).toEqual([
    `The database has schema ${wanted + 1}, but this version of Matricula only knows schema ${wanted}: start a newer version.`,
    '',
  ])
})

/** With the heads that somebody may have noted down then. */
function clocksOf({ rows }: Fixture): { corp_id: string; chain_head?: string | null }[] {
  return rows.flatMap(([table, row]) => (table === 'ledger_clocks' ? [JSON.parse(row)] : []))
}

/** Payments have had receipts since schema 16, those that were there already as well. */
function asAnsweredToday(data: unknown): object {
  return JSON.parse(JSON.stringify(data), (name, value) =>
    /receipt_(url|num)$/.test(name) && !value ? undefined : value,
  )
}

async function insert(rows: Fixture['rows']): Promise<void> {
  const client = await database.superuser.connect()
  try {
    // Tables come in any order.
    await client.query('set session_replication_role = replica')
    const columnsOf = new Map((await listTables(client)).map(({ table, columns }) => [table, columns.join()]))
    for (const [table, row] of rows) {
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
