import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli } from '../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'

let database: TestDatabase
let school: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  await school.order()
})
afterAll(() => database.drop())

async function matricula(...words: string[]) {
  const { stdout, stderr } = await callCli([...words, '--org', school.corp_id], {
    ...database.settings,
    MATRICULA_KEY: masterKeyText,
  })
  expect(stderr).toBe('')
  return stdout
}

test.each([
  ['finance', 'check', 'orders'],
  ['audit', 'verify', 'entries'],
])('%s %s continues the last check, and claims nothing about what was before', async (group, name, what) => {
  expect(await matricula(group, name)).not.toContain('before that head')
  await school.order()
  const claim = new RegExp(
    `^1 of 1 chains were checked from the head that was verified at \\S+Z on. Changes of ${what} before that head would not ` +
      'be detected: the last full check was at \\S+Z, and --full does one now.$',
    'm',
  )
  expect(await matricula(group, name)).toMatch(claim)
  const { chains } = JSON.parse(await matricula(group, name, '--json'))
  expect(chains).toMatchObject([{ from: chains[0].length, full_at: expect.stringMatching(/Z$/) }])
  // An earlier head needs every link.
  for (const options of [['--full'], ['--head', chains[0].head]])
    expect(await matricula(group, name, ...options)).not.toContain('before that head')
})

test('doctor requests a full check if there was none', async () => {
  const settings = { ...database.settings, MATRICULA_KEY: masterKeyText }
  const find = async () => {
    const { stdout } = await callCli(['doctor', '--json'], settings)
    return JSON.parse(stdout).findings.find(({ check }: { check: string }) => check === 'full check')
  }
  await database.superuser.query('delete from verified_heads')
  expect(await find()).toMatchObject({ state: 'warning', fix: expect.stringContaining('--full') })
  for (const [group, name] of [
    ['finance', 'check'],
    ['audit', 'verify'],
  ])
    await matricula(group!, name!)
  expect(await find()).toMatchObject({ state: 'ok' })
})
