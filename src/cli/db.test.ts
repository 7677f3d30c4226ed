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

const matricula = (...words: string[]) =>
  callCli(words, { ...database.settings, MATRICULA_KEY: masterKeyText })

async function rebuild(): Promise<{ text: string; repaired: string[]; wasRight: boolean }> {
  const { stdout } = await matricula('db', 'rebuild', '--org', school.corp_id, '--json')
  const { organizations } = JSON.parse(stdout)
  const { stdout: text } = await matricula('db', 'rebuild', '--org', school.corp_id)
  return { ...organizations[0], text }
}

test('db rebuild names wrong data, and reports the rest as correct', async () => {
  await rebuild()
  expect(await rebuild()).toMatchObject({ wasRight: true, repaired: [] })
  const run = (text: string) => database.superuser.query(text, [school.corp_id])
  await run(
    `update profile_read_model set profile = replace(profile, '"name"', '"nombre"') where corp_id = $1`,
  )
  await run(`delete from facet_entries where corp_id = $1 and list = 'users' and facet = ''`)
  const { wasRight, repaired, text } = await rebuild()
  expect({ wasRight, repaired }).toEqual({ wasRight: false, repaired: ['profiles', 'facets'] })
  // The second rebuild of the helper found nothing left.
  expect(text).toContain('was correct')
  await run(`update order_read_model set detail = '{}' where corp_id = $1`)
  const { stdout } = await matricula('db', 'rebuild', '--org', school.corp_id)
  expect(stdout).toContain('WAS WRONG, now corrected: orders')
})
