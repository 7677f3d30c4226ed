import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signatureOf } from '../../src/access/tokens/signature.ts'
import { borrowEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts'
import { runCli } from '../harness/cli.ts'
import { newDataDir } from '../harness/data-folders.ts'
import { cleanUp, type ServiceProcess, settledDataDir, startService, waitUntil } from '../harness/process.ts'

let dataDir: string
let backups: string
let base: string
let service: ServiceProcess
let settings: Record<string, string>
let corp_id: string
let key: string
/** People erased by a command, by a call, and with a lifted erasure. */
const people: Record<'byCommand' | 'byCall' | 'lifted', string> = { byCommand: '', byCall: '', lifted: '' }
let before: string

const list = 'erasures.ndjson'

beforeAll(async () => {
  base = await newDataDir()
  backups = join(base, 'backups')
  dataDir = await settledDataDir()
  settings = { MATRICULA_DATA: dataDir, MATRICULA_WORKERS: '1', MATRICULA_LOG_LEVEL: 'warn' }
  service = startService(settings)
  const url = await service.ready
  ;({ corp_id } = JSON.parse(await readFile(join(dataDir, 'sample.json'), 'utf8')))
  key = (await readFile(join(dataDir, 'master.key'), 'utf8')).trim()
  const post = await enter(url)
  for (const [index, name] of (['byCommand', 'byCall', 'lifted'] as const).entries()) {
    const user = await post('entity/user/create', { area_code: '86', mobile: `1887776665${index}` })
    people[name] = user.user_id
    await post('entity/leads/import', { user_id: user.user_id, name: `Wren the ${index}th` })
  }
  await post('entity/order/create', { user_id: people.byCall, listed_price: 3000 })
  await cli('backup', backups)
  before = await instant()
  await cli('privacy', 'erase', '--org', corp_id, '--user', people.byCommand, '--reason', 'Asked')
  for (const user_id of [people.byCall, people.lifted])
    await post('entity/user/erase', { user_id, reason: 'Asked', confirm_debt: true })
  await post('entity/user/erasure/lift', { area_code: '86', mobile: '18877766652' })
  // The list reaches the backup within moments, like the log of the database.
  const isListed = async () => {
    const text = await readFile(join(backups, list), 'utf8').catch(() => '')
    return Object.values(people).every((user_id) => text.includes(user_id)) && /"lifted_at":"/.test(text)
  }
  expect(await waitUntil(isListed, 30_000)).toBe(true)
  await service.stop()
})
afterAll(cleanUp)

test('a restore to an instant before erasures erases the people again, and names them', async () => {
  const to = join(base, 'restored')
  const restored = await cli('restore', backups, '--to', to, '--until', before)
  expect(restored.check).toMatchObject({ discrepancies: 0, audit_breaches: 0 })
  const ids = restored.erasures.erased.map(({ user_id }: { user_id: string }) => user_id)
  expect(ids.sort()).toEqual(Object.values(people).sort())
  expect(restored.erasures.failed).toEqual([])
  expect(await tracesIn(to)).toEqual([])

  // With its key, the restored school recognises them, and accepts the person with a lifted erasure.
  const own = { ...settings, MATRICULA_DATA: to, MATRICULA_KEY: key }
  const file = join(base, 'leads.csv')
  await writeFile(file, 'mobile\n18877766650\n18877766651\n18877766652\n')
  const imported = await runCli(['leads', 'import', file, '--org', corp_id, '--dry-run', '--json'], own)
  expect(JSON.parse(imported.stdout).rows).toMatchObject({ erased: 2, new_user: 1 })
  expect(await readFile(join(to, list), 'utf8')).not.toMatch(/1887776665/)
})

test('a copy by other tools applies the list before it serves', async () => {
  const to = join(base, 'by-hand')
  const kept = join(base, list)
  await copyFile(join(backups, list), kept)
  await rm(join(backups, list))
  const restored = await cli('restore', backups, '--to', to, '--until', before)
  expect(restored.erasures).toEqual({ erased: [], failed: [], contacts: 0 })
  expect(await tracesIn(to)).not.toEqual([])
  await copyFile(kept, join(to, list))
  const copy = startService({ ...settings, MATRICULA_DATA: to, MATRICULA_KEY: key })
  await copy.ready
  await copy.stop()
  expect(copy.stderr()).toContain('these people were erased again')
  expect(copy.stderr()).not.toMatch(/1887776665|Wren/)
  expect(await tracesIn(to)).toEqual([])
})

test('a restore accepts a named list, and refuses a missing one', async () => {
  const nowhere = await runCli(
    ['restore', backups, '--to', join(base, 'x'), '--erasures', join(base, 'none')],
    {},
  )
  expect([nowhere.code, nowhere.stderr]).toEqual([
    1,
    `The list of erasures ${join(base, 'none')} does not exist.\n`,
  ])
  const to = join(base, 'named')
  const restored = await cli(
    'restore',
    backups,
    '--to',
    to,
    '--until',
    before,
    '--erasures',
    join(dataDir, list),
  )
  expect(restored.erasures.erased).toHaveLength(3)
  expect(await tracesIn(to)).toEqual([])
})

async function cli(...words: string[]) {
  const { code, stdout, stderr } = await runCli([...words, '--json'], settings)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** An instant after all earlier responses and before the next call. */
async function instant(): Promise<string> {
  const at = Date.now() + 1
  while (Date.now() <= at) await pause(1)
  return new Date(at).toISOString().replace('Z', '000Z')
}

async function enter(url: string) {
  const account = ['account', 'create', '--name', 'Admin', '--org', corp_id]
  const { app_id, user_api_secret } = await cli(...account, '--permissions', 'read,write')
  await cli('account', 'grant', app_id, '--permissions', 'admin')
  let token = ''
  // biome-ignore lint/suspicious/noExplicitAny: data of several shapes.
  const post = async (path: string, body: object): Promise<any> => {
    const response = await fetch(`${url}/api/v5/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ corp_id, ...body }),
    })
    const { code, data, msg } = (await response.json()) as { code: number; msg: string; data: unknown }
    if (code !== 0) throw new Error(`${path}: ${code} ${msg}`)
    return data
  }
  const time_stamp = String(Math.floor(Date.now() / 1000))
  const signature = signatureOf(app_id, time_stamp, user_api_secret)
  ;({ token } = await post('authentication/token', { app_id, time_stamp, signature }))
  return post
}

/** The places in a data folder that still hold data of the people. */
async function tracesIn(folder: string): Promise<string[]> {
  const postgres = await borrowEmbeddedPostgres({ dataDir: folder })
  const client = new pg.Client({ ...postgres.owner, user: 'postgres' })
  await client.connect()
  try {
    const { rows } = await client.query(`
      select table_name, column_name from information_schema.columns
       where table_schema = 'public' and data_type in ('text', 'jsonb')`)
    const found: string[] = []
    for (const { table_name, column_name } of rows) {
      const { rows: hits } = await client.query(
        `select 1 from "${table_name}" where "${column_name}"::text ~ '1887776665|Wren the' limit 1`,
      )
      if (hits.length > 0) found.push(`${table_name}.${column_name}`)
    }
    return found
  } finally {
    await client.end()
    await postgres.stop()
  }
}
