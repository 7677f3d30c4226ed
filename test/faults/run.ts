import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `npm run test:faults`: the long runs of tests that `npm test` runs briefly, one by one, and a table of how often each was
 * tried and failed. `npm run test:faults -- kills restarts` runs some of them, `--share 0.1` a tenth of each.
 */
interface Run {
  name: string
  file: string
  counts: Record<string, number>
}

const runs: Run[] = [
  { name: 'kills', file: 'test/system/faults.test.ts', counts: { MATRICULA_KILLS: 500 } },
  { name: 'feed', file: 'test/faults/feed-kills.long.test.ts', counts: { MATRICULA_FEED_KILLS: 50 } },
  {
    name: 'network',
    file: 'test/faults/network-faults.long.test.ts',
    counts: { MATRICULA_NETWORK_FAULTS: 1000 },
  },
  {
    name: 'restarts',
    file: 'test/faults/rolling-restarts.long.test.ts',
    counts: { MATRICULA_ROLLING_RESTARTS: 50 },
  },
  {
    name: 'drains',
    file: 'test/system/drain.test.ts',
    counts: { MATRICULA_SERVER_RESTARTS: 50, MATRICULA_WRITES_PER_SECOND: 200 },
  },
  {
    name: 'operator',
    file: 'test/faults/operator-drill.long.test.ts',
    counts: { MATRICULA_DRILL_RESTARTS: 5, MATRICULA_DRILL_WRITES: 200 },
  },
  {
    name: 'requests',
    file: 'test/faults/generated-requests.test.ts',
    counts: { MATRICULA_GENERATED_REQUESTS: 1_000_000 },
  },
  {
    name: 'tenants',
    file: 'test/faults/tenant-probes.test.ts',
    counts: { MATRICULA_TENANT_PROBES: 100_000 },
  },
  {
    name: 'forgeries',
    file: 'test/faults/forged-credentials.test.ts',
    counts: { MATRICULA_FORGERIES: 50_000 },
  },
  { name: 'canaries', file: 'test/canaries.test.ts', counts: { MATRICULA_CANARIES: 1 } },
  { name: 'commands', file: 'src/cli/run-command.canaries.test.ts', counts: { MATRICULA_CANARIES: 1 } },
  { name: 'screens', file: 'test/system/canaries.long.test.ts', counts: { MATRICULA_CANARIES: 1 } },
  { name: 'erased', file: 'src/changes/erasure/erase-user.test.ts', counts: { MATRICULA_CANARIES: 1 } },
  {
    name: 'starved',
    file: 'test/faults/starved-database.long.test.ts',
    counts: { MATRICULA_STARVED_SECONDS: 30 },
  },
  {
    name: 'tampering',
    file: 'src/backoffice/finance/check-ledger.tampering.test.ts',
    counts: { MATRICULA_TAMPERINGS: 500 },
  },
  { name: 'audit', file: 'src/access/audit/verify-audit.test.ts', counts: { MATRICULA_TAMPERINGS: 500 } },
  {
    name: 'backups',
    file: 'test/system/backup.test.ts',
    counts: { MATRICULA_RESTORES: 20, MATRICULA_BACKUP_KILLS: 20 },
  },
  { name: 'soak', file: 'test/faults/soak.long.test.ts', counts: { MATRICULA_SOAK_MINUTES: 30 } },
]

interface Attempts {
  what: string
  attempts: number
  failures: number
  remark: string
}

const args = process.argv.slice(2)
const share = args.includes('--share') ? Number(args[args.indexOf('--share') + 1]) : 1
const wanted = args.filter((arg, index) => arg !== '--share' && args[index - 1] !== '--share')
const chosen = runs.filter(
  ({ name, file }) => (wanted.length === 0 || wanted.includes(name)) && existsSync(file),
)
const folder = await mkdtemp(join(tmpdir(), 'matricula-attempts-'))
const lines: string[][] = [['run', 'what', 'attempts', 'failures', 'remark']]
for (const run of chosen) {
  const file = join(folder, run.name)
  const code = await runTests(run, file)
  const noted = await readFile(file, 'utf8').catch(() => '')
  const attempts: Attempts[] = noted
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  if (attempts.length === 0) {
    const count = String(Object.values(run.counts)[0]! * share)
    attempts.push({ what: run.file, attempts: Number(count), failures: code, remark: '' })
  }
  for (const { what, attempts: made, failures, remark } of attempts)
    lines.push([run.name, what, String(made), String(failures), code === 0 ? remark : `FAILED ${remark}`])
  if (code !== 0) process.exitCode = 1
}
await rm(folder, { recursive: true })
const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
for (const line of lines)
  console.log(
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )

async function runTests({ file, counts }: Run, attemptsFile: string): Promise<number> {
  const scaled = Object.entries(counts).map(([name, count]) => [
    name,
    String(Math.max(1, Math.round(count * share))),
  ])
  const env = {
    MATRICULA_SEED: 'random',
    ...process.env,
    ...Object.fromEntries(scaled),
    MATRICULA_ATTEMPTS_FILE: attemptsFile,
  }
  const child = spawn('vitest', ['run', '--config', configOf(file), file], { env, stdio: ['ignore', 2, 2] })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

/** Each file is in one of the runs. */
function configOf(file: string): string {
  if (file.endsWith('.long.test.ts')) return 'test/long/vitest.config.ts'
  return file.startsWith('test/system/') ? 'test/system/vitest.config.ts' : 'vitest.config.ts'
}
