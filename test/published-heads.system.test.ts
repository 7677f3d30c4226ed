import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../src/contract/new-id.ts'
import { createUser } from '../src/people/users/create-user.ts'
import { callCli } from './harness/cli.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { masterKeyText } from './harness/keyring.ts'
import { cleanUp, startService } from './harness/process.ts'
import { obtainToken } from './harness/server.ts'

/** Heads as a server publishes them, and as an operator compares with them. */

let database: TestDatabase
let folder: string
let heads: string
let settings: Record<string, string>

beforeAll(async () => {
  database = await createTestDatabase('sample')
  folder = await mkdtemp(join(tmpdir(), 'matricula-heads-'))
  heads = join(folder, 'heads')
  settings = { ...database.settings, MATRICULA_KEY: masterKeyText }
})
afterAll(async () => {
  await cleanUp()
  await database.drop()
  await rm(folder, { recursive: true })
})

const verify = (own: Record<string, string>, ...words: string[]) =>
  callCli(['audit', 'verify', ...words], { ...settings, ...own })

test('a server with workers links what they commit, and publishes the heads before it ends', async () => {
  const { corp_id, ...account } = database.sample!
  const service = startService({ ...settings, MATRICULA_WORKERS: '2', MATRICULA_AUDIT_HEADS: heads })
  const url = await service.ready
  const token = await obtainToken(url, account)
  for (let n = 0; n < 12; n++) {
    const response = await fetch(`${url}${createUser.path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ corp_id, email: `${newId()}@example.com` }),
    })
    expect(response.status).toBe(200)
  }
  expect(await service.stop()).toEqual({ code: 0, signal: null })
  const { rows } = await database.superuser.query(
    `select (select count(*)::int from audit_waiting) as waiting,
            (select count(*)::int from audit_entries where corp_id = $1) as entries,
            head, length::int from audit_heads where corp_id = $1`,
    [corp_id],
  )
  expect(rows).toMatchObject([{ waiting: 0, length: rows[0].entries }])
  await writeFile(join(folder, 'server.log'), service.stderr())
  expect(service.stderr()).toContain(`"head":"${rows[0].head}"`)
  expect(await readdir(heads)).toHaveLength(1)
})

test('verify compares with the folder and with named files; it reports if there are no heads', async () => {
  const byFolder = await verify({ MATRICULA_AUDIT_HEADS: heads })
  expect(byFolder).toMatchObject({ code: 0, stderr: '' })
  expect(byFolder.stdout).toMatch(/^The audit is intact: \d+ entries checked\./)
  expect(byFolder.stdout).toMatch(
    new RegExp(`Compared with \\d+ heads in ${heads}, from \\S+Z until \\S+Z\\.`),
  )
  const byLog = await verify({}, '--heads', join(folder, 'server.log'), '--json')
  expect(JSON.parse(byLog.stdout)).toMatchObject({
    total: 0,
    compared: { sources: [{ source: join(folder, 'server.log') }] },
  })
  const byNothing = await verify({})
  expect(byNothing.stdout).toContain('No published heads to compare with')
  expect(byNothing.stdout).toContain('Set MATRICULA_AUDIT_HEADS')
  const nowhere = await verify({}, '--heads', join(folder, 'nowhere'))
  expect(nowhere).toMatchObject({ code: 1, stdout: '' })
  expect(nowhere.stderr).toContain('cannot be read (ENOENT)')
  const books = await callCli(['finance', 'check'], { ...settings, MATRICULA_AUDIT_HEADS: heads })
  expect(books).toMatchObject({ code: 0, stdout: expect.stringContaining('Compared with') })
})

test('entries and versions that are removed from the end are found by the heads of the folder', async () => {
  const { corp_id } = database.sample!
  const cut = (chain: string, keep: number) =>
    database.superuser.query(`delete from ${chain} where corp_id = $1 and seq > $2`, [corp_id, keep])
  const { rows } = await database.superuser.query(
    `select (select length::int from audit_heads where corp_id = $1) - 10 as entries,
            (select chain_length::int from ledger_clocks where corp_id = $1) - 1 as versions`,
    [corp_id],
  )
  const [{ entries, versions }] = rows
  const gone = 'select entry_id from audit_links where corp_id = $1 and seq > $2'
  for (const table of ['audit_personal', 'audit_entries'])
    await database.superuser.query(`delete from ${table} where corp_id = $1 and entry_id in (${gone})`, [
      corp_id,
      entries,
    ])
  await cut('audit_links', entries)
  await cut('ledger_chain', versions)
  await database.superuser.query(
    `update audit_heads h set length = $2, head = l.hash from audit_links l
      where h.corp_id = $1 and l.corp_id = $1 and l.seq = $2`,
    [corp_id, entries],
  )
  // The head of the last check reveals it. If an attacker also removes that note, the folder reveals it.
  expect((await verify({})).stdout).toMatch(/the chain was rewritten after 2\S+Z/)
  await database.superuser.query('delete from verified_heads where corp_id = $1', [corp_id])
  expect((await verify({})).stdout).toContain('The audit is intact')
  const found = await verify({ MATRICULA_AUDIT_HEADS: heads })
  expect(found.code).toBe(1)
  expect(found.stdout).toMatch(/links were removed after 2\S+Z: the length of the chain/)
  const books = await callCli(['finance', 'check'], { ...settings, MATRICULA_AUDIT_HEADS: heads })
  expect(books.code).toBe(1)
  expect(books.stdout).toMatch(/chain: links were removed after 2\S+Z/)
})

test('after a restore by other tools, the operator publishes it, and verify reports a restore instead of breaches', async () => {
  const own = { ...settings, MATRICULA_AUDIT_HEADS: heads }
  const published = await callCli(['audit', 'publish', '--restored'], own)
  expect(published).toMatchObject({ code: 0, stderr: '' })
  expect(published.stdout).toMatch(/^Published the heads of \d+ chains to the folder /)
  const explained = await verify({ MATRICULA_AUDIT_HEADS: heads })
  expect(explained.code).toBe(0)
  expect(explained.stdout).toMatch(/The database was restored at 2\S+Z\. [1-9]\d* earlier heads/)
  const unset = await callCli(['audit', 'publish'], settings)
  expect(unset).toMatchObject({ code: 1, stderr: 'Name a folder or address in MATRICULA_AUDIT_HEADS.\n' })
})
