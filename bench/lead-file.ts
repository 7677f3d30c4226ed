import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import pg from 'pg'
import { createKeyring } from '../src/access/organizations/keyring.ts'
import { createAccount } from '../src/access/organizations/manage-accounts.ts'
import { findOrganizations } from '../src/access/organizations/organization-store.ts'
import { findSecrets } from '../src/access/organizations/secret-store.ts'
import { createAccessTokens } from '../src/access/tokens/access-token.ts'
import { undoBatch } from '../src/changes/undo/undo-batch.ts'
import { programAccount } from '../src/contract/caller.ts'
import { newId } from '../src/contract/new-id.ts'
import { openDatabase } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { type PostgresAddress, startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts'
import { createCursors } from '../src/search/cursors.ts'
import { generateSchool, settle } from './data.ts'
import type { FileToImport, Told } from './lead-file-import.ts'
import { copiesFor, multiplySchool, prototypes } from './multiply.ts'
import { buildPlain, openPlainPool } from './plain/app.ts'
import { type Figure, figure, printTable, tell } from './report.ts'
import { type Closer, makeFacets } from './stage.ts'

/** Imports a lead file into a database with users: speed over time, memory, and the speed of single calls. */
async function main(closers: Closer[]): Promise<void> {
  const { values } = parseArgs({
    options: {
      users: { type: 'string', default: '1000000' },
      rows: { type: 'string', default: '500000' },
      seconds: { type: 'string', default: '10' },
    },
  })
  const [users, rows] = [Number(values.users), Number(values.rows)]
  const folder = await mkdtemp(join(tmpdir(), 'matricula-bench-'))
  closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    settings: { shared_buffers: '2GB', max_wal_size: '8GB' },
  })
  closers.push(postgres.stop)
  const owner = openDatabase(postgres.owner)
  closers.push(async () => void owner.close())
  await migrate(postgres.owner)
  const corp_id = 'bench-leads'
  await generateSchool(postgres.owner, owner, { corp_id, users: prototypes, orders: 1 })
  await settle(postgres.owner)
  await makeFacets(postgres.owner, corp_id)
  await multiplySchool(postgres.owner, { corp_id, copies: copiesFor(users) })
  await settle(postgres.owner)
  const file = join(folder, 'leads.csv')
  await writeLeads(file, rows)
  const plain = await plainRate(
    postgres.owner,
    owner,
    { corp_id, folder, seconds: Number(values.seconds) },
    closers,
  )
  tell(`plain, one by one: ${Math.round(plain)} rows/s`)
  const records = await watchRecords(postgres.owner, corp_id, closers)
  const before = await records()
  tell('what was there before is known; a dry run')
  const job = { database: postgres.owner, corp_id, file }
  const clock = startClock(rows)
  const planned = await runImport({ ...job, dryRun: true }, () => undefined)
  tell(`planned ${JSON.stringify(planned!.rows)}`)
  clock.begin()
  const half = (told: Progress) => clock.note(told) && told.done >= rows / 2
  if (await runImport({ ...job, dryRun: false }, half)) throw new Error('It was done before it was killed')
  tell('killed at half; taken up')
  const report = await runImport({ ...job, dryRun: false }, (told) => clock.note(told) && false)
  tell(`imported ${JSON.stringify(report!.rows)}`)
  const figures = clock.figures(plain)
  for (const { ratio, value } of figures) tell(`${ratio}: ${value}`)
  const stored = await leadsOfFile(postgres.owner, corp_id)
  const wanted = report!.rows.new_user! + report!.rows.known_user!
  const isEachOnce = report!.was_resumed && stored.leads === wanted && stored.names === wanted
  figures.push(
    yes('each row once, though killed and resumed', isEachOnce),
    yes('rows as planned', isDeepStrictEqual(planned!.rows, report!.rows)),
  )
  const [organization] = await findOrganizations(owner.shared, [corp_id])
  const context = {
    db: owner.of(corp_id),
    organization: organization!,
    account: programAccount('bench', 'Bench'),
    now: new Date(),
    newId,
    cursors: createCursors(),
  }
  const begun = performance.now()
  await undoBatch(context, report!.batch_id!)
  const undone = (rows * 1000) / (performance.now() - begun)
  figures.push(
    figure(`undo of ${rows} rows`, 'rows/s', undone, null),
    yes(
      'undone: every earlier record and facet is restored exactly',
      isDeepStrictEqual(await records(), before),
    ),
  )
  printTable(figures)
}

type Progress = Extract<Told, { done: number }>
type Report = Exclude<Told, Progress>

function yes(what: string, holds: boolean): Figure {
  return figure(what, '1 is yes', holds ? 1 : 0, '≥ 1')
}

/** Imports in a separate process. If `kill` ends it, there is no report. */
function runImport(
  job: FileToImport,
  kill: (told: Progress) => boolean | undefined,
): Promise<Report | undefined> {
  const child = fork(new URL('./lead-file-import.ts', import.meta.url), [JSON.stringify(job)])
  let report: Report | undefined
  child.on('message', (told: Told) => {
    if (!('done' in told)) report = told
    else if (kill(told)) child.kill('SIGKILL')
  })
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve(report)
      else reject(new Error(`The import ended with ${code ?? signal}`))
    })
  })
}

/** A hash of each table that lead imports change. */
async function watchRecords(address: PostgresAddress, corp_id: string, closers: Closer[]) {
  const client = await superuser(address)
  closers.push(() => client.end())
  return async () => {
    const seen: Record<string, unknown> = {}
    for (const table of ['users', 'leads', 'user_tags', 'user_duplicates', 'facet_entries']) {
      const { rows } = await client.query(
        `select count(*), sum(hashtextextended(t::text, 0)::numeric) as sum from ${table} t where corp_id = $1`,
        [corp_id],
      )
      seen[table] = rows[0]
    }
    const { rows } = await client.query(
      `select count(*), sum(hashtextextended(c::text, 0)::numeric) as sum
         from (select list, facet, day, sum(rows) as rows from facet_counts where corp_id = $1
                group by list, facet, day having sum(rows) <> 0) c`,
      [corp_id],
    )
    return { ...seen, facet_counts: rows[0] }
  }
}

/** The number of imported leads, and of the rows with one. */
async function leadsOfFile(address: PostgresAddress, corp_id: string) {
  const client = await superuser(address)
  const { rows } = await client.query<{ leads: number; names: number }>(
    `select count(*)::int as leads, count(distinct fields->>'name')::int as names
       from leads where corp_id = $1 and fields->>'utm_source' like 'fair-%'`,
    [corp_id],
  )
  await client.end()
  return rows[0]!
}

async function superuser(address: PostgresAddress): Promise<pg.Client> {
  const client = new pg.Client({ ...address, user: 'postgres' })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Half of them are new people, some occur twice. */
async function writeLeads(file: string, rows: number): Promise<void> {
  const out = createWriteStream(file)
  out.write('姓名,手机,公司,课程,来源,负责人\n')
  for (let n = 0; n < rows; n++) {
    const mobile = n % 2 === 0 ? 15_000_000_000 + n : 13_000_000_000 + n * 7
    const line = `Person ${n},${mobile},Company ${n % 999},EMBA,fair-${n % 20},adviser-${n % 50}\n`
    if (!out.write(line)) await new Promise((resolve) => out.once('drain', resolve))
  }
  out.end()
  await finished(out)
}

async function plainRate(
  address: Parameters<typeof openPlainPool>[0] & object,
  owner: ReturnType<typeof openDatabase>,
  { corp_id, folder, seconds }: { corp_id: string; folder: string; seconds: number },
  closers: Closer[],
): Promise<number> {
  const keyring = createKeyring([randomBytes(32)])
  const wanted = { name: 'Bench', corp_ids: [corp_id], rate_limit_per_minute: null }
  const account = await createAccount(owner, keyring, wanted, new Date())
  const [secret] = await findSecrets(owner.shared, account.app_id, new Date())
  const caller = { ...account, token_epoch: 0 }
  const { token } = createAccessTokens(keyring).issue(caller, secret!, 'bench', new Date())
  const pool = openPlainPool({ ...address, user: 'postgres', max: 10 })
  const app = buildPlain(pool, keyring, join(folder, 'plain.log'))
  closers.push(() => pool.end())
  closers.push(() => app.close())
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v5/entity/leads/import`
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const end = performance.now() + seconds * 1000
  let sent = 0
  while (performance.now() < end) {
    const lead = {
      area_code: '86',
      mobile: String(17_000_000_000 + sent),
      name: `Person ${sent}`,
      course_code: 'EMBA',
    }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ corp_id, ...lead }) })
    if (!response.ok) throw new Error(`plain: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
    sent++
  }
  return sent / seconds
}

/** The time of each tenth of the rows, and the peak memory. */
function startClock(rows: number) {
  const times: number[] = []
  let [begun, mostMb] = [0, 0]
  return {
    begin() {
      begun = performance.now()
    },
    note({ done, memoryMb }: Progress): true {
      while (times.length <= (done * 10) / rows) {
        times.push(performance.now())
        tell(`${done} rows, ${Math.round(memoryMb)} MB`)
      }
      mostMb = Math.max(mostMb, memoryMb)
      return true
    },
    figures(plain: number): Figure[] {
      const ended = performance.now()
      const rateOf = (from: number, to: number) => (rows * 100) / (to - from)
      const first = rateOf(times[0]!, times[1]!)
      const last = rateOf(times[9]!, ended)
      const rate = (rows * 1000) / (ended - begun)
      const work = `file of ${rows} leads`
      return [
        figure(work, 'rows/s in all, killed and resumed', rate, null),
        figure(work, 'rows/s of the first tenth', first, null),
        figure(work, 'ours / plain, one by one', rate / plain, '≥ 3'),
        figure(work, 'last tenth / first tenth', last / first, '≥ 0.8'),
        figure(work, 'MB of memory', mostMb, '≤ 400'),
      ]
    },
  }
}

const closers: Closer[] = []
try {
  await main(closers)
} finally {
  for (const close of closers.reverse()) await close().catch(() => undefined)
}
