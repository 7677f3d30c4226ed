import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signatureOf } from '../../src/access/tokens/signature.ts'
import { chooseBackup, listBackups } from '../../src/backup/backup-folder.ts'
import { readPublishedHeads } from '../../src/backup/published-heads/destinations.ts'
import { type Restored, restoreBackup } from '../../src/backup/restore-backup.ts'
import { takeBackup } from '../../src/backup/take-backup.ts'
import { newId } from '../../src/contract/new-id.ts'
import { borrowEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts'
import { callCli, runCli, startCli } from '../harness/cli.ts'
import { newDataDir } from '../harness/data-folders.ts'
import { cleanUp, type ServiceProcess, settledDataDir, startService, waitUntil } from '../harness/process.ts'

/** How often the property is tried; more of both with `npm run test:faults`. */
const restores = Number(process.env.MATRICULA_RESTORES ?? 1)
const kills = Number(process.env.MATRICULA_BACKUP_KILLS ?? 1)

const tables = { users: 'user_id', leads: 'lead_id', orders: 'order_id', payments: 'payment_id' } as const
type Kind = keyof typeof tables

interface Acknowledged {
  kind: Kind
  id: string
  /** An instant between the acknowledgement of this write and the begin of the next one. */
  at: string
}

let base: string
let dataDir: string
let backups: string
/** The folder of published heads. */
let heads: string
let service: ServiceProcess
let school: { url: string; corp_id: string; token: string }
let settings: Record<string, string>
const before = new Set<string>()
const history: Acknowledged[] = []
let ordersAtTheEnd: unknown

beforeAll(async () => {
  base = await newDataDir()
  dataDir = await settledDataDir()
  backups = join(base, 'backups')
  heads = join(base, 'heads')
  settings = {
    ...{ MATRICULA_DATA: dataDir, MATRICULA_WORKERS: '1', MATRICULA_LOG_LEVEL: 'warn' },
    MATRICULA_AUDIT_HEADS: heads,
  }
  service = startService(settings)
  await service.ready
  school = await enter(dataDir)
  for (const id of await idsIn(dataDir)) before.add(id)
})
afterAll(cleanUp)

describe('a backup that is taken under writes, and continued by the server', () => {
  test('is complete, tested, and states the last instant that it can be restored to', async () => {
    const stop = new AbortController()
    const writing = writeUntil(stop.signal)
    const taken = await runCli(['backup', backups, '--json'], settings)
    expect(taken.stderr).toBe('')
    const report = JSON.parse(taken.stdout)
    expect(report.check).toMatchObject({ extent: 'full', discrepancies: 0, audit_breaches: 0 })
    expect(report.has_key).toBe(false)
    // Later writes are only in the log that the server adds.
    const length = history.length
    await waitUntil(() => history.length > length + 20, 30_000)
    stop.abort()
    await writing
    ordersAtTheEnd = await listOrders()
    expect(await service.stop()).toEqual({ code: 0, signal: null })
    expect(service.stderr()).toBe('')
    const [backup] = await listBackups(backups)
    expect(backup!.through >= history.at(-1)!.at).toBe(true)
    expect(await filesNamed(backups, /\.partial|master\.key/)).toEqual([])
  })

  test('includes the heads of the chains, from its begin and from the stop of the server', async () => {
    const [backup] = await listBackups(backups)
    const [taken] = (await readPublishedHeads([backup!.folder], backup!.manifest.completed_at)).report()
      .sources
    const [all] = (await readPublishedHeads([backup!.folder])).report().sources
    expect(taken!.heads).toBeGreaterThan(0)
    expect(all!.heads).toBeGreaterThan(taken!.heads)
    expect(all!.until <= backup!.through).toBe(true)
    const verified = await callCli(['audit', 'verify', '--heads', backups, '--json'], settings)
    expect(JSON.parse(verified.stdout)).toMatchObject({
      total: 0,
      compared: { sources: [{ source: heads }, { source: backups, heads: all!.heads }], restores: [] },
    })
  })

  test('restored to any noted instant, shows exactly the writes acknowledged by then', async () => {
    const [backup] = await listBackups(backups)
    const reachable = history.filter(({ at }) => at >= backup!.manifest.completed_at)
    expect(reachable.length).toBeGreaterThan(20)
    const property = fc.asyncProperty(fc.nat({ max: reachable.length - 1 }), async (index) => {
      const { at } = reachable[index]!
      const to = join(base, `restored-${newId()}`)
      const chosen = chooseBackup(await listBackups(backups), backups, at)
      const { check } = await restoreBackup({ backup: chosen, to, until: at, durable: false }, () => {})
      expect(check).toMatchObject({ discrepancies: 0, audit_breaches: 0 })
      const acknowledged = history.filter((each) => each.at <= at).map(({ id }) => id)
      expect(new Set(await idsIn(to))).toEqual(new Set([...before, ...acknowledged]))
    })
    await fc.assert(property, { numRuns: restores, endOnFailure: true })
  })

  test('restored to its end, gives the same responses', async () => {
    const to = join(base, 'all')
    const restored = await runCli(['restore', backups, '--to', to, '--json'], {})
    expect(restored.stderr).toBe('')
    expect(JSON.parse(restored.stdout)).toMatchObject({
      to,
      check: { discrepancies: 0, audit_breaches: 0 },
      has_key: false,
    })
    // Without the key it would start with a new key, which opens no stored secret, and refuse every token.
    const { key_id } = JSON.parse(restored.stdout)
    const keyless = startService({ ...settings, MATRICULA_DATA: to, MATRICULA_AUDIT_HEADS: '' })
    expect(await keyless.exited).toEqual({ code: 1, signal: null })
    expect(keyless.stderr()).toMatch(
      new RegExp(`need the master key ${key_id}, but .*master.key does not exist: `),
    )
    expect(await readdir(to)).not.toContain('master.key')
    const MATRICULA_KEY = (await readFile(join(dataDir, 'master.key'), 'utf8')).trim()
    // A copy for inspection publishes no heads next to those of the original.
    const copy = startService({ ...settings, MATRICULA_DATA: to, MATRICULA_KEY, MATRICULA_AUDIT_HEADS: '' })
    school.url = await copy.ready
    expect(await listOrders()).toEqual(ordersAtTheEnd)
    await copy.stop()
  })

  test('restored to an earlier instant, publishes this with its heads: verify reports a restore instead of breaches', async () => {
    const [backup] = await listBackups(backups)
    const reachable = history.filter(({ at }) => at >= backup!.manifest.completed_at)
    const to = join(base, 'earlier')
    const until = reachable[Math.floor(reachable.length / 2)]!.at
    await restoreBackup({ backup: backup!, to, until, durable: false }, () => {})
    const MATRICULA_KEY = (await readFile(join(dataDir, 'master.key'), 'utf8')).trim()
    const own = { ...settings, MATRICULA_DATA: to, MATRICULA_KEY }
    const verify = async (place: Record<string, string>) =>
      JSON.parse((await callCli(['audit', 'verify', '--json'], { ...own, ...place })).stdout)
    const whileUnpublished = await verify({})
    expect(whileUnpublished).toMatchObject({
      total: 0,
      compared: { restores: [{ discarded: expect.any(Number) }] },
    })
    expect(whileUnpublished.compared.restores[0].discarded).toBeGreaterThan(0)
    const copy = startService(own)
    school.url = await copy.ready
    await post('entity/user/create', { email: `${newId()}@example.com` })
    await copy.stop()
    expect(await readdir(to)).not.toContain('restored.json')
    expect(await verify({})).toMatchObject({
      total: 0,
      compared: { restores: whileUnpublished.compared.restores },
    })
    // Without the line about the restore, the same chain has lost entries.
    const [file] = await readdir(heads)
    const lines = (await readFile(join(heads, file!), 'utf8')).split('\n')
    const silent = join(base, 'silent.ndjson')
    await writeFile(silent, lines.filter((line) => !line.includes('restored')).join('\n'))
    const accused = await callCli(['audit', 'verify', '--heads', silent, '--json'], {
      ...own,
      MATRICULA_AUDIT_HEADS: '',
    })
    expect(accused.code).toBe(1)
    expect(JSON.parse(accused.stdout).total).toBeGreaterThan(0)
  })

  test('is refused if it cannot reach the requested state', async () => {
    const found = await listBackups(backups)
    const { manifest, through } = found[0]!
    const choose = (until: string) => () => chooseBackup(found, backups, until)
    expect(choose('2020-01-01T00:00:00.000000Z')).toThrow(`begin at ${manifest.completed_at}`)
    expect(choose('2100-01-01T00:00:00.000000Z')).toThrow(`ends at ${through}`)
    expect(() => chooseBackup([], base, undefined)).toThrow('contains no backup')
    const to = join(base, 'refused')
    await mkdir(to)
    await writeFile(join(to, 'mine'), '')
    await expect(restoreInto(to)).rejects.toThrow(
      `The folder ${to} is not empty. Name an empty or a new one.`,
    )
    expect(await readdir(to)).toEqual(['mine'])
  })
})

describe('a damaged log', () => {
  /** A copy of the newest backup with a damaged log. */
  async function damagedCopy(name: string, damage: (wal: string, files: string[]) => Promise<void>) {
    const [backup] = await listBackups(backups)
    const folder = join(base, name, basename(backup!.folder))
    await cp(backup!.folder, folder, { recursive: true })
    const wal = join(folder, 'wal')
    await damage(wal, (await readdir(wal)).filter((each) => /^[0-9A-F]{24}$/.test(each)).sort())
    return join(base, name)
  }
  async function restore(folder: string, to: string, until?: string): Promise<Restored> {
    const backup = chooseBackup(await listBackups(folder), folder, until)
    return restoreBackup({ backup, to: join(base, to), until, durable: false }, () => {})
  }

  test('in its newest file is reported with the last valid instant, which can be restored', async () => {
    const { wal } = (await listBackups(backups))[0]!
    const folder = await damagedCopy('cut', async (dir, files) => {
      expect(files.at(-1)).toBe(wal!.file)
      const bytes = await readFile(join(dir, wal!.file))
      bytes.fill(0, wal!.bytes - 65_536)
      await writeFile(join(dir, wal!.file), bytes)
    })
    const refusal: Error = await restore(folder, 'cut-whole').catch((error) => error)
    expect(refusal.message).toContain(`does not match the checksum of its first ${wal!.bytes} bytes`)
    const [, reached] = /the restore reached (\S+), not/.exec(refusal.message)!
    expect(reached! < (await listBackups(folder))[0]!.through).toBe(true)
    expect(await filesNamed(base, /^cut-whole/)).toEqual([])
    expect((await restore(folder, 'cut-again', reached)).last_change).toBe(reached)
  })

  test('with a missing file refuses an instant in it', async () => {
    const folder = await damagedCopy('lost', (dir, files) => rm(join(dir, files.at(-1)!)))
    await expect(restore(folder, 'lost-part', history.at(-1)!.at)).rejects.toThrow(
      /^The file wal\/[0-9A-F]{24} of the backup \S+ is missing: the restore reached /,
    )
  })
})

test('a backup that is killed at any moment keeps the earlier ones intact, and the next one removes its remains', async () => {
  const [first] = await listBackups(backups)
  for (let n = 0; n < kills; n++) {
    const child = startCli(['backup', backups, '--once'], settings)
    const closed = once(child, 'close')
    const isUnderWay = async () => (await filesNamed(backups, /\.partial$/)).length > 0
    await waitUntil(isUnderWay, 30_000)
    await pause(Math.random() * 4000)
    child.kill('SIGKILL')
    await closed
    const whole = await listBackups(backups)
    expect(whole[0]!.folder).toBe(first!.folder)
    for (const { folder } of whole) expect(await readdir(folder)).toContain('manifest.json')
  }
  const taken = await runCli(['backup', backups, '--with-key', '--keep', '1', '--json'], settings)
  expect(taken.stderr).toBe('')
  const { id, pruned, check } = JSON.parse(taken.stdout)
  // The first backup had a full check, so this one continues it.
  expect(check).toMatchObject({
    extent: 'recent',
    since: expect.any(String),
    discrepancies: 0,
    audit_breaches: 0,
  })
  expect(pruned).toContain(first!.manifest.id)
  expect(await readdir(backups)).toEqual([id])
  const to = join(base, 'after-kills')
  expect((await restoreInto(to)).check).toMatchObject({ discrepancies: 0, audit_breaches: 0 })
  expect(new Set(await idsIn(to))).toEqual(new Set([...before, ...history.map(({ id: each }) => each)]))
  expect(await readFile(join(to, 'master.key'))).toEqual(await readFile(join(dataDir, 'master.key')))
})

test.for([
  ['quick', 'recent'],
  ['full', 'full'],
])('--check %s checks the copy as the option says', async ([option, extent]) => {
  const taken = await runCli(['backup', backups, '--once', '--check', option!, '--json'], settings)
  expect(taken.stderr).toBe('')
  expect(JSON.parse(taken.stdout).check).toMatchObject({ extent, discrepancies: 0, audit_breaches: 0 })
})

test('a damaged backup is detected before anything is restored', async () => {
  const backup = chooseBackup(await listBackups(backups), backups, undefined)
  const { path } = backup.manifest.files.find(({ bytes }) => bytes > 100_000)!
  const file = join(backup.folder, 'postgres', path)
  const bytes = await readFile(file)
  bytes[50_000]! ^= 1
  await writeFile(file, bytes)
  const to = join(base, 'damaged')
  await expect(restoreInto(to)).rejects.toThrow('does not match its checksum. The backup is damaged.')
  expect(await filesNamed(base, /^damaged/)).toEqual([])
})

test('a folder with backups of another database is refused, and so is an external database', async () => {
  const other = join(base, 'other')
  const postgres = await borrowEmbeddedPostgres({ dataDir: other })
  const options = {
    dataDir: other,
    into: backups,
    keyId: '',
    findHeads: async () => [],
    withKey: false,
    isContinued: true,
    keep: 1,
  }
  await expect(takeBackup({ ...options, host: postgres.owner.host }, () => {})).rejects.toThrow(
    `The folder ${backups} contains backups of another database. Name another folder.`,
  )
  await postgres.stop()
  const external = { DATABASE_URL: 'postgres://127.0.0.1/x', MATRICULA_KEY: '07'.repeat(32) }
  expect((await callCli(['backup', backups], external)).stderr).toContain('docs/backup.md')
})

test('without a database, none is created for a backup', async () => {
  const nowhere = join(base, 'nowhere')
  const { code, stderr } = await callCli(['backup', backups], { MATRICULA_DATA: nowhere })
  expect([code, stderr]).toEqual([
    1,
    `The folder ${nowhere} contains no database. Set MATRICULA_DATA to the data folder.\n`,
  ])
  expect(await filesNamed(base, /^nowhere/)).toEqual([])
})

async function restoreInto(to: string): Promise<Restored> {
  const backup = chooseBackup(await listBackups(backups), backups, undefined)
  return restoreBackup({ backup, to, until: undefined, durable: false }, () => {})
}

/** Sequential writes, so that an instant lies between any two. */
async function writeUntil(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const user = await post('entity/user/create', { email: `${newId()}@example.com` })
    await acknowledge('users', user.user_id)
    const lead = await post('entity/leads/import', { entry_id: newId(), user_id: user.user_id })
    await acknowledge('leads', lead.lead_id)
    const order = await post('entity/order/create', { user_id: user.user_id, listed_price: 3000 })
    await acknowledge('orders', order.order_id)
    const paid = await post('entity/order/payment/create', { order_id: order.order_id, price: 1000 })
    await acknowledge('payments', paid.payment_id)
  }
}

async function acknowledge(kind: Kind, id: string): Promise<void> {
  const at = Date.now() + 1
  while (Date.now() <= at) await pause(1)
  history.push({ kind, id, at: new Date(at).toISOString().replace('Z', '000Z') })
}

async function enter(folder: string): Promise<typeof school> {
  const sample = JSON.parse(await readFile(join(folder, 'sample.json'), 'utf8'))
  const { base_url: url, corp_id, app_id, user_api_secret } = sample
  school = { url, corp_id, token: '' }
  const time_stamp = String(Date.now())
  const signature = signatureOf(app_id, time_stamp, user_api_secret)
  const { token } = await post('authentication/token', { app_id, time_stamp, signature })
  return { url, corp_id, token }
}

// biome-ignore lint/suspicious/noExplicitAny: data of several shapes.
async function post(path: string, body: object): Promise<any> {
  const { url, token, corp_id } = school
  const response = await fetch(`${url}/api/v5/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ corp_id, ...body }),
  })
  const { code, data, msg } = (await response.json()) as { code: number; msg: string; data: unknown }
  if (code !== 0) throw new Error(`${path}: ${code} ${msg}`)
  return data
}

async function listOrders(): Promise<unknown> {
  const { url, corp_id, token } = school
  const response = await fetch(`${url}/api/v5/entity/order/list?corp_id=${corp_id}&page_size=1000`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const { code, data } = (await response.json()) as { code: number; data: unknown }
  expect(code).toBe(0)
  return data
}

async function idsIn(folder: string): Promise<string[]> {
  const postgres = await borrowEmbeddedPostgres({ dataDir: folder })
  const client = new pg.Client({ ...postgres.owner, user: 'postgres' })
  await client.connect()
  try {
    const all = Object.entries(tables).map(([table, id]) => `select ${id} as id from ${table}`)
    const { rows } = await client.query(all.join(' union all '))
    return rows.map(({ id }) => id)
  } finally {
    await client.end()
    await postgres.stop()
  }
}

async function filesNamed(folder: string, pattern: RegExp): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((path) => pattern.test(path))
}
