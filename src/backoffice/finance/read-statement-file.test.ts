import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../../test/harness/staff.ts'
import { openFolder, writeXlsx } from '../../../test/support/sheets.ts'
import { matchStatementLines } from './match-statement-lines.ts'
import { readStatementFile } from './read-statement-file.ts'

let server: TestServer
let school: TestOrganization
let clerk: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  clerk = await hireStaff(server, school.corp_id, 'finance')
})
afterAll(() => server?.close())

const read = (file_name: string, content: string | Buffer, who = clerk) =>
  who.call(readStatementFile, { file_name, content: Buffer.from(content).toString('base64') })

const table = [
  ['日期', '金额', '流水号', 'Branch'],
  ['2026-10-12', '1,000.00', 'ch-1', 'North'],
  ['2026-10-13', '-25.50', '', 'North'],
]

test('a statement reads alike as CSV and as XLSX, by headings in either language', async () => {
  const csv = await read('bank.csv', table.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n'))
  const { folder, remove } = await openFolder()
  const workbook = await readFile(await writeXlsx(join(folder, 'bank.xlsx'), table))
  await remove()
  const xlsx = await read('bank.xlsx', workbook)
  const line = { currency: 'CNY', provider: '', reference: null, description: null }
  expect(csv.data).toEqual({
    lines: [
      { ...line, value_date: '2026-10-12', price: 100_000, charge_id: 'ch-1' },
      { ...line, value_date: '2026-10-13', price: -2550, charge_id: null },
    ],
    faults: [],
    unknown_columns: ['Branch'],
  })
  expect(xlsx.data).toEqual(csv.data)
  const matched = await clerk.call(matchStatementLines, { lines: csv.data.lines })
  expect(matched.data.lines).toHaveLength(2)
})

test('invalid cells are reported by row and column, and other files are refused', async () => {
  const { data } = await read('bank.csv', 'date,amount\nsoon,1\n2026-10-12,much\n2026-10-12,5\n')
  expect(data.lines).toHaveLength(1)
  expect(data.faults).toMatchObject([
    { row: 2, column: 'date', reason: expect.stringMatching(/must be a date/) },
    { row: 3, column: 'amount', reason: expect.stringMatching(/must be an amount/) },
  ])
  const refused = [
    await read('bank.csv', 'name\nx\n'),
    await read('bank.xlsx', 'no workbook'),
    await read('bank', 'x'),
  ]
  for (const answer of refused) {
    expect(answer.code).toBe(40002)
    expect(JSON.stringify(answer)).not.toMatch(/matricula-statement|\/tmp|--/)
  }
})

test('unreadable rows count towards the limit', async () => {
  const many = `date,amount\n${'soon,1\n'.repeat(20_001)}`
  const { code, data } = await read('bank.csv', many)
  expect(code).toBe(40002)
  expect(JSON.stringify(data)).toContain('more than 20000 lines')
})

test('only the finance office reads statements', async () => {
  const counsellor = await hireStaff(server, school.corp_id, 'counsellor')
  expect((await read('bank.csv', 'date,amount\n2026-10-12,5\n', counsellor)).code).toBe(40303)
})
