import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { undoBatch } from '../src/changes/undo-batch.ts'
import { programAccount } from '../src/contract/caller.ts'
import { newId } from '../src/contract/new-id.ts'
import { openDatabase } from '../src/database/database.ts'
import { startEmbeddedPostgres } from '../src/database/embedded/embedded-postgres.ts'
import { migrate } from '../src/database/migrate.ts'
import { importLeadFile } from '../src/lead-import/import-lead-file.ts'
import { createCursors } from '../src/orders/cursors.ts'
import { createKeyring } from '../src/organizations/keyring.ts'
import { createAccount } from '../src/organizations/manage-accounts.ts'
import { findOrganizations } from '../src/organizations/organization-store.ts'
import { rebuildFacets } from '../src/rebuild-facets.ts'
import { createAccessTokens } from '../src/tokens/access-token.ts'
import { generateSchool } from './data.ts'
import { buildPlain, openPlainPool } from './plain/app.ts'
import { type Figure, figure, printTable, tell } from './report.ts'
import type { Closer } from './stage.ts'

/** A file of leads into a database that has users already: does it slow down, how much memory, how fast is one by one. */
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
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings: { shared_buffers: '1GB' } })
  closers.push(postgres.stop)
  const owner = openDatabase(postgres.owner)
  closers.push(async () => void owner.close())
  await migrate(postgres.owner)
  const corp_id = 'bench-leads'
  await generateSchool(postgres.owner, owner, { corp_id, users, orders: 1 })
  tell('what users are found by')
  await rebuildFacets(owner.of(corp_id), corp_id)
  const file = join(folder, 'leads.csv')
  await writeLeads(file, rows)
  const plain = await plainRate(
    postgres.owner,
    owner,
    { corp_id, folder, seconds: Number(values.seconds) },
    closers,
  )
  tell(`plain, one by one: ${Math.round(plain)} rows/s`)
  const [organization] = await findOrganizations(owner.shared, [corp_id])
  const context = {
    ...{ db: owner.of(corp_id), organization: organization!, account: programAccount('bench', 'Bench') },
    ...{ now: new Date(), newId, cursors: createCursors() },
  }
  const clock = startClock(rows)
  const report = await importLeadFile(context, file, {
    onProgress: (_bytes, _total, done) => clock.note(done),
  })
  const figures = [...clock.figures(plain)]
  tell(`imported ${JSON.stringify(report.rows)}`)
  const begun = performance.now()
  await undoBatch(context, report.batch_id!)
  const undone = (rows * 1000) / (performance.now() - begun)
  figures.push(figure(`undo of ${rows} rows`, 'rows/s', undone, null))
  printTable(figures)
}

/** Half of them are new people, some come twice. */
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
  const { token } = createAccessTokens(keyring).issue({ ...account, token_epoch: 0 }, 'bench', new Date())
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

/** When each tenth of the rows was read, and the most memory meanwhile. */
function startClock(rows: number) {
  const times: number[] = []
  const begun = performance.now()
  let mostMb = 0
  return {
    note(done: number) {
      while (times.length <= (done * 10) / rows) times.push(performance.now())
      mostMb = Math.max(mostMb, process.memoryUsage.rss() / 2 ** 20)
    },
    figures(plain: number): Figure[] {
      const ended = performance.now()
      const rateOf = (from: number, to: number) => (rows * 100) / (to - from)
      const first = rateOf(times[0]!, times[1]!)
      const last = rateOf(times[9]!, ended)
      const rate = (rows * 1000) / (ended - begun)
      return [
        figure(`file of ${rows} leads`, 'rows/s, both passes over the file', rate, null),
        figure(`file of ${rows} leads`, 'ours / plain, one by one', rate / plain, '≥ 3'),
        figure(`file of ${rows} leads`, 'last tenth / first tenth', last / first, '≥ 0.8'),
        figure(`file of ${rows} leads`, 'MB of memory', mostMb, '≤ 400'),
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
