import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { createKeyring } from '../src/access/organizations/keyring.ts'
import { createAccount } from '../src/access/organizations/manage-accounts.ts'
import { findSecrets } from '../src/access/organizations/secret-store.ts'
import { createAccessTokens } from '../src/access/tokens/access-token.ts'
import { openDatabase } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { rebuildDerivedData } from '../src/derived/derived-data.ts'
import { readModelFingerprint } from '../src/orders/listing/fingerprint.ts'
import { renderAll } from '../src/orders/listing/rebuild.ts'
import { indexUsers } from '../src/people/users/search/index-users.ts'
import { type PostgresAddress, startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts'
import { storingFingerprint } from '../src/search/derived-version-store.ts'
import { makeBitmaps } from '../src/search/facet-bitmap-store.ts'
import { type GeneratedSchool, generateSchool, schoolTimeZone, settle } from './data.ts'
import type { Caller } from './load.ts'
import { tell } from './report.ts'

/** Settings for a machine of some gigabytes, the same for every contestant. */
export const settings = {
  max_connections: '200',
  shared_buffers: '2GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '30min',
}

/** Shared by the contestants: a PostgreSQL, four schools, and accounts with access to all of them. */
export interface Stage {
  database: PostgresAddress
  /** The folder of logs, removed at the end. */
  folder: string
  masterKey: string
  callers: Record<CallerName, Caller>
  schools: Record<SchoolName, GeneratedSchool>
  /** Stores the texts of the first rows of a list, for the contestant `raw`. */
  keepRows(list: string, rows: string[]): Promise<void>
  /** Waits until PostgreSQL is idle, so that remaining work of one contestant does not slow the next one. */
  quiet(): Promise<void>
}

/** Closes something that was opened. */
export type Closer = () => Promise<void>

/** `other` is as `usual`; `limited` has a limit that it does not reach. */
type CallerName = 'usual' | 'other' | 'limited'

/** Small and large are read; ours and plain are written, each by one contestant only. */
export type SchoolName = 'small' | 'large' | 'ours' | 'plain'

export async function setStage(size: { orders: number; users: number }, closers: Closer[]): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-bench-'))
  closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings })
  closers.push(postgres.stop)
  const owner = openDatabase(postgres.owner)
  // Interrupted work ends with PostgreSQL, without waiting.
  closers.push(async () => void owner.close())
  await migrate(postgres.owner)
  const little = { users: 10_000, orders: 10_000 }
  const written = { users: 5000, orders: 5000 }
  const schools = {} as Stage['schools']
  for (const [name, wanted] of Object.entries({
    small: little,
    large: size,
    ours: written,
    plain: written,
  })) {
    const corp_id = `bench-${name}`
    schools[name as SchoolName] = await generateSchool(postgres.owner, owner, { corp_id, ...wanted })
  }
  await settle(postgres.owner)
  for (const name of ['small', 'large', 'ours'] as const) {
    await makeReadModel(owner, schools[name].corp_id)
    await makeFacets(postgres.owner, schools[name].corp_id)
  }
  await settle(postgres.owner)
  const key = randomBytes(32)
  const callers = await openAccounts(owner, key, Object.values(schools))
  const keepRows = (list: string, rows: string[]) => keepTexts(postgres.owner, list, rows)
  const quiet = await watchActivity(postgres.owner, closers)
  const database = postgres.owner
  return { database, folder, masterKey: key.toString('hex'), callers, schools, keepRows, quiet }
}

const longestWaitMs = 120_000

async function watchActivity(postgres: PostgresAddress, closers: Closer[]): Promise<() => Promise<void>> {
  const client = new pg.Client({ ...postgres, user: 'postgres' })
  client.on('error', () => undefined)
  await client.connect()
  closers.push(() => client.end())
  const isBusy = async () => {
    const { rows } = await client.query(`
      select 1 from pg_stat_activity
       where state <> 'idle' and pid <> pg_backend_pid() or backend_type = 'autovacuum worker' limit 1`)
    return rows.length > 0
  }
  return async () => {
    const end = performance.now() + longestWaitMs
    // Twice, because a server with waiting calls pauses briefly between two of them.
    for (let idle = 0; idle < 2 && performance.now() < end; ) {
      idle = (await isBusy()) ? 0 : idle + 1
      await setTimeout(50)
    }
  }
}

/** Builds the read model of the service on all cores. The plain server does not use it. */
export async function makeReadModel(owner: ReturnType<typeof openDatabase>, corp_id: string): Promise<void> {
  const organization = { corp_id, time_zone: schoolTimeZone }
  const lanes = Math.min(16, availableParallelism())
  // The ids are hexadecimal and evenly spread.
  const bounds = Array.from({ length: lanes - 1 }, (_, lane) =>
    Math.floor((256 * (lane + 1)) / lanes).toString(16),
  )
  let made = 0
  tell(`${corp_id}: read model`)
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const range = { after: bounds[lane - 1], upTo: bounds[lane] }
      let before = 0
      await owner.of(corp_id).transaction((tx) =>
        renderAll(tx, organization, range, (orders) => {
          const step = 50_000
          if (Math.floor((made + orders - before) / step) > Math.floor(made / step))
            tell(`${corp_id}: read model of ${made + orders - before} orders`)
          made += orders - before
          before = orders
        }),
      )
    }),
  )
  await owner.of(corp_id).query(storingFingerprint(corp_id, 'orders', readModelFingerprint))
}

/** Without a time limit. */
export async function makeFacets(postgres: PostgresAddress, corp_id: string): Promise<void> {
  tell(`${corp_id}: facets, bitmaps and search index`)
  const db = openDatabase({
    ...postgres,
    max: 1,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  })
  const names = ['profiles', 'facets', 'open_payments', 'statement_sums'] as const
  await rebuildDerivedData(db.of(corp_id), corp_id, [...names])
  // Otherwise the server makes them during the measurement.
  while ((await makeBitmaps(db.of(corp_id), corp_id)) > 0);
  await indexUsers(db.of(corp_id), corp_id)
  await db.close()
}

async function openAccounts(
  owner: ReturnType<typeof openDatabase>,
  key: Buffer,
  schools: GeneratedSchool[],
): Promise<Stage['callers']> {
  const keyring = createKeyring([key])
  const corp_ids = schools.map(({ corp_id }) => corp_id)
  const open = (limit: number | null) => openAccount(owner, keyring, corp_ids, { limit })
  return { usual: await open(null), other: await open(null), limited: await open(1_000_000) }
}

/** An account of these schools with a token. */
export async function openAccount(
  owner: ReturnType<typeof openDatabase>,
  keyring: ReturnType<typeof createKeyring>,
  corp_ids: string[],
  { limit = null, permissions }: { limit?: number | null; permissions?: string[] } = {},
): Promise<Caller> {
  const wanted = {
    name: 'Bench',
    corp_ids,
    rate_limit_per_minute: limit,
    ...(permissions && { permissions }),
  }
  const account = await createAccount(owner, keyring, wanted, new Date())
  const [secret] = await findSecrets(owner.shared, account.app_id, new Date())
  const caller = { ...account, token_epoch: 0 }
  const { token } = createAccessTokens(keyring).issue(caller, secret!, 'bench', new Date())
  return { token, app_id: account.app_id }
}

async function keepTexts(postgres: PostgresAddress, list: string, rows: string[]): Promise<void> {
  const client = new pg.Client({ ...postgres, user: 'postgres' })
  await client.connect()
  await client.query(`
    create table if not exists bench_rows (list text, n integer, row text, primary key (list, n))`)
  await client.query(
    'insert into bench_rows select $1, n - 1, row from unnest($2::text[]) with ordinality as r(row, n)',
    [list, rows],
  )
  await client.query('vacuum analyze bench_rows')
  await client.end()
}
