import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli } from '../../test/harness/cli.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { type LeadDesk, openLeadDesk } from '../../test/support/lead-import.ts'

let desk: LeadDesk
beforeAll(async () => {
  desk = await openLeadDesk()
})
afterAll(() => desk?.close())

async function leadsImport(content: string, ...options: string[]) {
  const file = await desk.folder.file('leads.csv', content)
  const settings = { ...desk.database.settings, MATRICULA_KEY: masterKeyText }
  return callCli(['leads', 'import', file, '--org', desk.org.corp_id, '--json', ...options], settings)
}

test('the exit code of an import or dry run shows whether all, some or no rows were imported', async () => {
  for (const options of [['--dry-run'], []]) {
    const said = options.length > 0 ? 'would be' : 'were'
    const all = await leadsImport(`mobile\n1390000000${options.length}\n`, ...options)
    expect(all).toMatchObject({ code: 0, stderr: '' })
    const some = await leadsImport('mobile,name\n13900000002,Mei\nnobody,Wu\n"13900000003,Li\n', ...options)
    expect(JSON.parse(some.stdout).rows).toMatchObject({ total: 3, new_user: 1, reject: 2 })
    expect(some).toMatchObject({
      code: 3,
      stderr: `2 of 3 rows ${said} rejected. The others ${said} imported.\n`,
    })
    const none = await leadsImport('colour\nred\n', ...options)
    expect(none).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('A column that identifies people is missing'),
    })
  }
})

test('the header row can be chosen', async () => {
  const file = 'mobile,name\nmobile,name\n13900000009,Mei\n'
  const chosen = await leadsImport(file, '--dry-run', '--header-row', '2')
  expect(JSON.parse(chosen.stdout)).toMatchObject({ header_row: 2, rows: { total: 1, new_user: 1 } })
  const refused = await leadsImport(file, '--dry-run', '--header-row', 'first')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('a row from 0 to 100') })
})
