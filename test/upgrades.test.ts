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
import { migrate, migrateTo, schemaStatus, wantedSchema } from '../src/database/migrate.ts'
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

test('accounts with strict time stamps take each signature once, and the others any time stamp', async () => {
  await migrateTo(owner, 28)
  const { superuser } = database
  for (const [app_id, isStrict] of Object.entries({ strict: true, other: false }))
    await superuser.query(
      `insert into accounts (app_id, name, permissions, strict_time_stamps, ctime, mtime)
       values ($1, 'Portal', '{read}', $2, now(), now())`,
      [app_id, isStrict],
    )
  await migrate(owner)
  const { rows } = await superuser.query('select app_id, time_stamps from accounts order by app_id')
  expect(rows).toEqual([
    { app_id: 'other', time_stamps: 'any' },
    { app_id: 'strict', time_stamps: 'once' },
  ])
})

test('somebody with roles in several schools becomes an account in each; sessions, links and people without a role end', async () => {
  await migrateTo(owner, 28)
  const run = async (text: string) => (await database.superuser.query(text)).rows
  await run(`
    insert into organizations (corp_id, name, ctime, mtime) select id, id, now(), now() from unnest(array['a', 'b']) id;
    insert into staff (staff_id, email, name, password_hash, is_disabled, ctime, mtime)
    values ('both', 'Both@x.example', 'Both', 'hash', false, now(), now()),
           ('one', 'one@x.example', 'One', null, true, now(), now()),
           ('gone', 'gone@x.example', 'Gone', 'hash', false, now(), now());
    insert into staff_roles (staff_id, corp_id, role, ctime)
    values ('both', 'a', 'admin', now()), ('both', 'b', 'viewer', now()), ('one', 'b', 'finance', now());
    insert into staff_passkeys (credential_id, staff_id, name, public_key, counter, transports, ctime)
    values ('key', 'both', 'Laptop', 'key', 7, '{internal}', now()), ('lost', 'gone', 'Laptop', 'key', 7, '{}', now());
    insert into staff_sessions (session_hash, staff_id, ctime, seen_at, confirmed_at) values ('h', 'both', now(), now(), now());
    insert into staff_links (link_hash, staff_id, purpose, expires_at, ctime) values ('h', 'both', 'password', now(), now());
    insert into spent_tickets (ticket_hash, ends_at) values ('h', now());
    insert into sign_in_providers (corp_id, issuer, client_id, secret_box, secret_key_id, email_domains, trusts_emails, ctime, mtime)
    values ('b', 'https://b.example', 'x', 'box', 'key', '{x.example}', true, now(), now())`)
  await migrate(owner)
  expect(
    await run(
      `select corp_id, staff_id, email, email_key, name, role, password_hash, is_disabled from staff order by 1, 2`,
    ),
  ).toEqual([
    {
      corp_id: 'a',
      staff_id: 'both',
      email: 'Both@x.example',
      email_key: 'both@x.example',
      name: 'Both',
      role: 'admin',
      password_hash: 'hash',
      is_disabled: false,
    },
    {
      corp_id: 'b',
      staff_id: 'both',
      email: 'Both@x.example',
      email_key: 'both@x.example',
      name: 'Both',
      role: 'viewer',
      password_hash: 'hash',
      is_disabled: false,
    },
    {
      corp_id: 'b',
      staff_id: 'one',
      email: 'one@x.example',
      email_key: 'one@x.example',
      name: 'One',
      role: 'finance',
      password_hash: null,
      is_disabled: true,
    },
  ])
  expect(
    await run(
      `select corp_id, credential_id, staff_id, counter::int, transports from staff_passkeys order by 1`,
    ),
  ).toEqual(
    ['a', 'b'].map((corp_id) => ({
      corp_id,
      credential_id: 'key',
      staff_id: 'both',
      counter: 7,
      transports: ['internal'],
    })),
  )
  expect(await run('select corp_id, issuer, email_domains, trusts_emails from sign_in_providers')).toEqual([
    { corp_id: 'b', issuer: 'https://b.example', email_domains: ['x.example'], trusts_emails: true },
  ])
  for (const table of ['staff_sessions', 'staff_links', 'spent_tickets'])
    expect(await run(`select * from ${table}`), table).toEqual([])
})

test('domains that providers named before anybody verified them wait for verification', async () => {
  await migrateTo(owner, 28)
  const run = (text: string) => database.superuser.query(text)
  await run(
    `insert into organizations (corp_id, name, ctime, mtime) values ('l', 'L', now(), now()), ('e', 'E', now(), now())`,
  )
  await run(
    `insert into sign_in_providers (corp_id, issuer, client_id, secret_box, secret_key_id, email_domains, trusts_emails, ctime, mtime)
     values ('l', 'https://l.example', 'x', '', '', '{l.example,l.example}', false, now(), now()),
            ('e', 'https://e.example', 'x', '', '', '{l.example,e.example}', false, now(), now())`,
  )
  await migrate(owner)
  const named = await run(
    'select corp_id, domain, length(token) as length from sign_in_domains order by 1, 2',
  )
  expect(named.rows).toEqual([
    { corp_id: 'e', domain: 'e.example', length: 64 },
    { corp_id: 'e', domain: 'l.example', length: 64 },
    { corp_id: 'l', domain: 'l.example', length: 64 },
  ])
  expect((await run('select domain from verified_domains')).rows).toEqual([])
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
