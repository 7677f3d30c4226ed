import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { planLeadFile } from '../src/changes/lead-import/plan-lead-file.ts'
import { appendLeadFile, createLeadFile } from '../src/changes/lead-import/upload-lead-file.ts'
import type { Queryable } from '../src/database/database.ts'
import { daySeconds, later, schoolDay } from './calendar.ts'
import type { LoadedSchool } from './load-sample.ts'
import { openOffice } from './open-office.ts'

/** A file of an open day that the counsellor has uploaded. Some of its rows need fixing. */
export async function addLeadFile(tx: Queryable, school: LoadedSchool, now: Date): Promise<void> {
  const { corp_id } = school.organization
  const { run } = openOffice(tx, school, 'counsellor', now)
  const day = schoolDay(later(now, -2 * daySeconds))
  const text = await readFile(join(import.meta.dirname, 'content/open-day.csv'), 'utf8')
  const file = Buffer.from(text.replaceAll('{day}', day))
  const upload = { corp_id, file_name: `开放日 ${day}.csv`, bytes: file.length }
  const { import_id } = await run(createLeadFile, upload)
  await run(appendLeadFile, { corp_id, import_id, start: 0, content: file.toString('base64') })
  await run(planLeadFile, { corp_id, import_id })
}
