import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rangeIn } from '../../../test/harness/check-range.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { listAudit } from '../../access/audit/list-audit.ts'
import { PublishedHeads } from '../../access/audit/published-heads.ts'
import { verifyAudit } from '../../access/audit/verify-audit.ts'
import { bulkUpdateUsers } from '../../changes/bulk-edits/bulk-update.ts'
import { eraseUser } from '../../changes/erasure/erase-user.ts'
import { listLeftAloneRecords, undoChanges } from '../../changes/undo/undo-changes.ts'
import { newId } from '../../contract/new-id.ts'
import { addEvents } from '../../events/add-events.ts'
import { createUser } from '../../people/users/create-user.ts'
import { writeAuditArchive } from './archive-audit.ts'
import { type ArchiveOptions, archiveRows } from './archive-rows.ts'
import { verifyArchive } from './verify-archive.ts'

let database: TestDatabase
let folder: string
let school: TestLedger
let out: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'matricula-archive-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/** A school with people. Its entries are a year old at the time of the archive. */
beforeEach(async () => {
  school = await openLedger(database)
  for (let n = 0; n < 3; n++) await addPerson()
  await verify()
  out = join(folder, `${newId()}.gz`)
})

const canary = () => `canary-${newId()}`
const addPerson = async (name = canary()): Promise<string> => {
  const { user_id } = await school.run(createUser, { email: `${name}@example.com`, name })
  return user_id
}
const superuser = (text: string) => database.superuser.query(text, [school.corp_id])
const lengthOf = async (table: string): Promise<number> =>
  (await superuser(`select count(*)::int as n from ${table} where corp_id = $1`)).rows[0].n

const later = (days = 400) => new Date(Date.now() + days * 86_400_000)

async function archive(more: Partial<ArchiveOptions> = {}) {
  // Links that the event feed has not followed yet stay.
  await verifyAudit(database.owner, school.corp_id)
  await addEvents(database.owner, school.corp_id)
  return archiveRows(database.owner, { ...options(), ...more })
}

function options(): ArchiveOptions {
  const when = { olderThan: new Date(), now: later() }
  return { corp_id: school.corp_id, kind: 'audit', ...when, out, keyring: testKeyring }
}

const verify = (extent: 'full' | 'due' = 'full') =>
  verifyAudit(database.app, school.corp_id, { range: rangeIn(database, extent) })
const verifyFile = (file = out) =>
  verifyArchive(database.owner, file, { keyring: testKeyring, published: new PublishedHeads() })
const linesIn = async (file: string) =>
  gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')

describe('the audit', () => {
  test('is moved to a file; the chain continues after the file', async () => {
    const [before] = (await verify()).chains
    const { archive: made, removed } = await archive()
    expect(made).toMatchObject({ rows: before!.length, length: before!.length, head: before!.head })
    expect(removed).toBe(before!.length)
    // The note of the archive is the first entry after it.
    expect(await verify()).toMatchObject({ total: 0, chains: [{ archived: before!.length }] })
    expect(await lengthOf('audit_entries')).toBe((await verify()).chains[0]!.length - before!.length)
    expect(await verifyFile()).toMatchObject({ from: 0, length: before!.length, breaches: [] })
    await addPerson()
    const second = join(folder, `${newId()}.gz`)
    const { archive: next } = await archive({ out: second })
    expect(next!.rows).toBeGreaterThan(1)
    for (const file of [out, second]) expect(await verifyFile(file)).toMatchObject({ breaches: [] })
    expect(await verify('due')).toMatchObject({ total: 0 })
    const { total, list } = await school.run(listAudit, { page: 0, page_size: 10 })
    expect(list.length).toBe(total)
    expect(list[0].seq).toBe(next!.length! + 1)
  })

  test('keeps younger entries', async () => {
    const { rows } = await superuser('select max(at) as at from audit_entries where corp_id = $1')
    const { length } = (await verify()).chains[0]!
    await addPerson()
    const { archive: made } = await archive({ olderThan: new Date(rows[0].at.getTime() + 1) })
    expect(made).toMatchObject({ length })
    expect(await lengthOf('audit_links')).toBeGreaterThan(0)
    expect(await archive({ olderThan: new Date(0), out: join(folder, newId()) })).toEqual({ removed: 0 })
  })

  test('archives no personal data, of people erased later or not', async () => {
    const name = canary()
    const user_id = await addPerson(name)
    await archive()
    const text = (await linesIn(out)).join('\n')
    expect(text).toContain(user_id)
    expect(text).not.toContain('canary')
    expect(await lengthOf('audit_personal')).toBe(0)
    await school.run(eraseUser, { user_id, reason: 'asked' })
    expect(await verify()).toMatchObject({ total: 0 })
    expect(await verifyFile()).toMatchObject({ breaches: [] })
  })

  test('a changed, removed or swapped entry of the file is found', async () => {
    await archive()
    const lines = await linesIn(out)
    const changes: [string, (lines: string[]) => void][] = [
      [
        'archive: the content of the entry',
        (all) => (all[3] = all[3]!.replace('created', 'changed').replace('made', 'removed')),
      ],
      ['archive: consecutive links', (all) => all.splice(3, 1)],
    ]
    for (const [what, change] of changes) {
      const changed = [...lines]
      change(changed)
      const file = join(folder, newId())
      await writeFile(file, gzipSync(`${changed.join('\n')}\n`))
      await expect(verifyFile(file)).rejects.toThrow('its checksum does not match')
      // An attacker who also recomputes the checksum.
      const sha256 = createHash('sha256')
        .update(`${changed.slice(0, -1).join('\n')}\n`)
        .digest('hex')
      const end = JSON.parse(changed.at(-1)!)
      changed.splice(-1, 1, JSON.stringify({ end: { ...end.end, sha256 } }))
      await writeFile(file, gzipSync(`${changed.join('\n')}\n`))
      const { breaches } = await verifyFile(file)
      expect(breaches.map((breach) => breach.what)).toEqual(
        expect.arrayContaining([what, 'archive: its hash']),
      )
    }
  })

  test('removed entries cannot be passed off as archived', async () => {
    const { rows } = await superuser(
      'select seq::int, hash from audit_links where corp_id = $1 order by seq limit 2',
    )
    const [, second] = rows
    await superuser(`delete from audit_entries where corp_id = $1 and entry_id in
                       (select entry_id from audit_links where corp_id = $1 and seq <= 2)`)
    await superuser('delete from audit_links where corp_id = $1 and seq <= 2')
    await superuser(`insert into archives (corp_id, archive_id, kind, made_at, older_than, rows, sha256, length, head, is_removed)
                     values ($1, 'x', 'audit', now(), now(), 2, 'x', ${second.seq}, '${second.hash}', true)`)
    const { breaches } = await verify()
    expect(breaches).toMatchObject([{ what: 'the note of an archive' }])
  })

  test('a broken chain is not archived', async () => {
    await superuser(`update audit_entries set operation = 'x' where corp_id = $1`)
    await expect(archive()).rejects.toThrow('is not in order')
    await expect(readFile(out)).rejects.toThrow('ENOENT')
  })
})

describe('after a crash, the same call continues', () => {
  test('between the file and its note', async () => {
    const [before] = (await verify()).chains
    await addEvents(database.owner, school.corp_id)
    await writeAuditArchive(database.owner, options())
    expect(await lengthOf('audit_links')).toBe(before!.length)
    await addPerson()
    const { archive: made, removed } = await archive()
    expect(made!.rows).toBe(removed)
    expect(removed).toBeGreaterThan(before!.length)
    expect(await verifyFile()).toMatchObject({ breaches: [] })
    expect(await verify()).toMatchObject({ total: 0 })
  })

  test('but a file is never rewritten once its rows are removed', async () => {
    await archive()
    await superuser('delete from archives where corp_id = $1')
    await expect(archive()).rejects.toThrow('exists. Name a new one.')
    expect((await linesIn(out)).length).toBeGreaterThan(3)
  })

  test('while rows are removed', async () => {
    const { archive: made } = await archive()
    await superuser('update archives set is_removed = false where corp_id = $1')
    // As if two links were left.
    await superuser(`insert into audit_links (corp_id, seq, entry_id, content_hash, hash)
                     values ($1, 1, 'one', 'x', 'x'), ($1, 2, 'two', 'x', 'x')`)
    expect(await verify()).toMatchObject({ total: 0 })
    expect(await archive()).toMatchObject({ archive: { archive_id: made!.archive_id }, removed: 2 })
    const { rows } = await superuser('select min(seq)::int as first from audit_links where corp_id = $1')
    expect(rows).toEqual([{ first: made!.length! + 1 }])
  })
})

test('archived changes can no longer be undone, and are marked; the file only names their records', async () => {
  const users = [await addPerson(), await addPerson()]
  const { batch_id } = await school.run(bulkUpdateUsers, { user_ids: users, pool: 'alive' })
  expect(await lengthOf('change_batch_records')).toBeGreaterThan(1)
  const { archive: made, removed } = await archive({ kind: 'changes', olderThan: later() })
  expect(made!.rows).toBe(removed)
  expect(removed).toBeGreaterThan(1)
  expect(await lengthOf('change_batch_records')).toBe(0)
  const text = (await linesIn(out)).join('\n')
  for (const id of [batch_id, ...users]) expect(text).toContain(id)
  expect(text).not.toContain('canary')
  for (const operation of [undoChanges, listLeftAloneRecords])
    await expect(school.run(operation, { batch_id })).rejects.toMatchObject({
      code: 40904,
      message: expect.stringContaining('archived'),
    })
  expect(await archive({ kind: 'changes', olderThan: later(), out: join(folder, newId()) })).toEqual({
    removed: 0,
  })
})
