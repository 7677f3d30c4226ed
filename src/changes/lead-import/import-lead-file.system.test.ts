import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attemptsOf } from '../../../test/harness/attempts.ts'
import { killableImport } from '../../../test/harness/killed-import.ts'
import { type LeadDesk, openLeadDesk } from '../../../test/support/lead-import.ts'

const rows = Number(process.env.MATRICULA_LEAD_ROWS ?? 2000)
const kills = attemptsOf('MATRICULA_IMPORT_KILLS', 1)

let desk: LeadDesk
let { database, folder, org } = {} as LeadDesk
beforeAll(async () => {
  desk = await openLeadDesk()
  ;({ database, folder, org } = desk)
})
afterAll(() => desk?.close())

const count = (table: string) => async () => {
  const [row] = await org.query(`select count(*)::int as records from ${table} where corp_id = $corp`)
  return row!.records as number
}

test('an import and its undo that are killed and resumed do each row exactly once', {
  timeout: 600_000,
}, async () => {
  await org.import(await folder.file('known.csv', `mobile,name\n${mobileOf(0)},\n${mobileOf(1)},Mei`))
  const before = await org.records()
  const lines = Array.from({ length: rows }, (_, n) =>
    n % 100 === 7 ? `bad ${n},row ${n}` : `${mobileOf(n % 2500)},row ${n}`,
  )
  const file = await folder.file('leads.csv', ['mobile,name', ...lines].join('\n'))
  const planned = await org.import(file, { dryRun: true })
  const importing = killableImport(
    database,
    (path) => ['leads', 'import', path, '--org', org.corp_id],
    count('leads'),
  )
  for (let kill = 0; kill < kills; kill++)
    expect(await importing.killOnceThereAre(Math.floor((rows * 0.6 * kill) / kills) + 2, file)).toBe(true)
  const { code, report } = await importing.finish(file)
  expect(code).toBe(3)
  expect(report).toMatchObject({ was_resumed: true, rows: planned.rows })
  expect(report.rows).toMatchObject({ total: rows, reject: rows / 100 })
  expect(await count('leads')()).toBe(2 + rows - rows / 100)
  const rejects = (await readFile(report.rejects_file, 'utf8')).trim().split('\n')
  expect(rejects).toHaveLength(1 + rows / 100)
  const undoing = killableImport(
    database,
    (batch) => ['undo', batch, '--org', org.corp_id],
    async () => 2 + rows - (await count('leads')()),
  )
  for (let kill = 0; kill < kills; kill++)
    expect(await undoing.killOnceThereAre(Math.floor((rows * 0.6 * kill) / kills), report.batch_id)).toBe(
      true,
    )
  const undone = await undoing.finish(report.batch_id)
  expect(undone).toMatchObject({ code: 0, report: { left_alone: 0 } })
  expect(await org.records()).toEqual(before)
})

function mobileOf(n: number): string {
  return `138${String(n).padStart(8, '0')}`
}
