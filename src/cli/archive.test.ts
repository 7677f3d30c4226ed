import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli } from '../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { addEvents } from '../events/add-events.ts'

let database: TestDatabase
let school: TestLedger
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  await school.order()
  folder = await mkdtemp(join(tmpdir(), 'matricula-archive-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const matricula = (...words: string[]) =>
  callCli([...words, '--org', school.corp_id], { ...database.settings, MATRICULA_KEY: masterKeyText })
const archive = (age: string) =>
  matricula('archive', '--kind', 'audit', '--older-than', age, '--out', join(folder, 'audit.gz'))

test('only a day or an age of at least 30 days is accepted', async () => {
  expect(await archive('29d')).toMatchObject({ code: 1, stderr: expect.stringContaining('at least 30 days') })
  expect(await archive('2 years')).toMatchObject({ code: 1, stderr: expect.stringContaining('is invalid') })
})

test('the verification command in the output succeeds', async () => {
  // Before they are linked, as if they had been written like this.
  await database.superuser.query(`update audit_entries set at = at - interval '1 year' where corp_id = $1`, [
    school.corp_id,
  ])
  await matricula('audit', 'verify')
  await addEvents(database.owner, school.corp_id)
  const { code, stdout } = await archive('90d')
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^rows +2$/m) })
  expect(stdout).toContain('matricula audit verify --archive')
  const verified = await matricula('audit', 'verify', '--full', '--archive', join(folder, 'audit.gz'))
  expect(verified.code).toBe(0)
  expect(verified.stdout).toContain('is intact, and joins the chain: links 1 to 2')
})
