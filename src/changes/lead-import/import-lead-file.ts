import { basename } from 'node:path'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { freshStatistics } from '../../database/fresh-statistics.ts'
import { rejectedRows, rejectsPath } from '../../files/rejected-rows.ts'
import { type Progress, rowBatches } from '../../files/row-batches.ts'
import { type RowOutcome, RowReport, type ShownRows } from '../../files/row-report.ts'
import { completeBatch, insertBatch } from '../undo/change-batch-store.ts'
import { storeMappings } from './column-mapping-store.ts'
import { commitRows, ImportEnded, type RowsUnderWay } from './commit-rows.ts'
import { listRows } from './imported-row-store.ts'
import { type LeadFile, openLeadFile } from './lead-file.ts'
import {
  type FileOptions,
  findSameImport,
  importUpdate,
  insertImport,
  type LeadImport,
} from './lead-import-store.ts'
import { type PlannedRow, planRows, readLeadRows } from './plan-rows.ts'
import { emptyTally, type RowTally, tallied } from './tally.ts'

export interface ImportOptions extends FileOptions {
  dryRun?: boolean
  /** Where rejected rows go; a dry run writes them only where it is told to. */
  rejects?: string
  /** Where to write what became of every row. */
  outcomes?: string
  onProgress?: Progress
}

export interface ImportReport extends ShownRows<RowOutcome> {
  dry_run: boolean
  /** What takes the import back; null for a dry run. */
  batch_id: string | null
  /** Whether this content was imported before: wholly, or in part, and then it was taken up. */
  was_imported: boolean
  was_resumed: boolean
  format: string
  encoding: string | null
  rows: RowTally & { total: number }
  mapping_from: 'file' | 'memory' | null
  unknown_columns: string[]
  /** For some of those, the column that may be meant. */
  suggested_columns: Record<string, string>
  rejects_file: string | null
}

/** Leads in a transaction of their own. */
const batchSize = { rows: 500, characters: 4_000_000 }

/**
 * Imports a file of leads, or says what would become of its rows. The same file is the same import: one that was killed is
 * taken up where it was, and one that is done stays as it is.
 */
export async function importLeadFile(
  context: OrganizationContext,
  path: string,
  options: ImportOptions,
): Promise<ImportReport> {
  const file = await openLeadFile(context, path, options)
  try {
    return options.dryRun
      ? await planFile(context, file, options)
      : await commitFile(context, path, file, options)
  } finally {
    await file.source.close()
  }
}

async function planFile(
  context: OrganizationContext,
  file: LeadFile,
  options: ImportOptions,
): Promise<ImportReport> {
  const rejects = options.rejects === undefined ? undefined : rejectedRows(options.rejects, file.source)
  const report = new RowReport<RowOutcome>({ rejects, outcomes: options.outcomes })
  try {
    let tally = emptyTally()
    for await (const planned of plannedRows(context, file, options.onProgress)) {
      tally = tallied(tally, planned)
      await addAll(report, planned)
    }
    const rejects_file = await report.finish()
    return { ...reportOf(file, tally), ...report.shown, dry_run: true, rejects_file }
  } catch (error) {
    await report.discard()
    throw error
  }
}

/** What would become of the rows of a file, a batch at a time. The numbers of users that it would make are held meanwhile. */
export async function* plannedRows(
  context: OrganizationContext,
  file: LeadFile,
  onProgress?: Progress,
): AsyncGenerator<PlannedRow[]> {
  const made = new Set<string>()
  for await (const rows of rowBatches(file.source, batchSize, onProgress))
    yield await planRows(context, file, readLeadRows(context, file, rows), made)
}

async function commitFile(
  context: OrganizationContext,
  path: string,
  file: LeadFile,
  options: ImportOptions,
): Promise<ImportReport> {
  const { same, begun } = await context.db.transaction(async (tx) => {
    const same = await findSameImport(tx, context.organization.corp_id, file.contentHash)
    return { same, begun: same ?? (await beginImport({ ...context, db: tx }, path, file, options)) }
  })
  const report = new RowReport<RowOutcome>({ rejects: undefined, outcomes: options.outcomes })
  try {
    const done = await commitImport(
      context,
      file,
      { found: begun, keepsAllRows: false },
      {
        onRows: (planned) => addAll(report, planned),
        onProgress: options.onProgress,
      },
    )
    await report.finish()
    const rejects_file = await writeRejects(
      context,
      done,
      file,
      options.rejects ?? rejectsPath(path, file.source),
    )
    return {
      ...reportOf(file, done.result ?? emptyTally()),
      ...report.shown,
      batch_id: done.import_id,
      was_imported: same?.state === 'done',
      was_resumed: same?.state === 'committing',
      rejects_file,
    }
  } catch (error) {
    await report.discard()
    throw error
  }
}

/** Goes on behind the last row that was stored, to the end of the file, two batches at a time. */
export async function commitImport(
  context: OrganizationContext,
  file: LeadFile,
  { found: begun, keepsAllRows }: { found: LeadImport; keepsAllRows: boolean },
  { onRows, onProgress }: { onRows?(planned: PlannedRow[]): Promise<void>; onProgress?: Progress } = {},
): Promise<LeadImport> {
  const { db, organization } = context
  if (begun.state === 'done') return begun
  const statistics = freshStatistics(db)
  let last: RowsUnderWay = { people: Promise.resolve(new Set()), done: Promise.resolve(begun) }
  try {
    for await (const rows of rowBatches(file.source, batchSize, onProgress)) {
      const rest = rows.filter(({ row }) => row > begun.last_row)
      if (rest.length === 0) continue
      const before = last
      const read = readLeadRows({ ...context, now: new Date() }, file, rest)
      last = commitRows(context, file, read, { before, keepsAllRows, onRows })
      await before.done
      await statistics.noteBatch(true, last.done)
    }
  } finally {
    await Promise.allSettled([last.done])
  }
  const found = await last.done
  await db.transaction(async (tx) => {
    const now = new Date()
    const updated = await tx.query(importUpdate(organization.corp_id, found, { state: 'done' }, now))
    if (updated.length === 0) throw new ImportEnded('Somebody else is importing this file.')
    await completeBatch(tx, organization.corp_id, found.import_id, now)
  })
  return { ...found, state: 'done' }
}

async function beginImport(
  { db: tx, organization: { corp_id }, account, newId }: OrganizationContext,
  path: string,
  file: LeadFile,
  options: ImportOptions,
): Promise<LeadImport> {
  const import_id = newId()
  const now = new Date()
  const { format, encoding, sheet, mapping, values } = options
  const made = {
    ...{ import_id, content_hash: file.contentHash, file_name: basename(path), state: 'committing' as const },
    ...{
      options: { format, encoding, sheet, mapping, values },
      bytes: file.source.bytes,
      executor_id: account.app_id,
    },
    ...{ reading: file.reading, result: emptyTally() },
  }
  await insertImport(tx, corp_id, made, now)
  await insertBatch(
    tx,
    corp_id,
    { batch_id: import_id, kind: 'lead_import', executor_id: account.app_id },
    now,
  )
  await storeMappings(tx, corp_id, file.headerHash, { mapping, values }, now)
  return {
    ...made,
    ...{ received: 0, last_row: 0, plan: null, refusal: null, busy_until: null, ctime: now, mtime: now },
  }
}

/** From the database, so that those from before an interruption are there too. */
async function writeRejects(
  { db, organization }: OrganizationContext,
  { import_id }: LeadImport,
  { source }: LeadFile,
  path: string,
): Promise<string | null> {
  const rejects = rejectedRows(path, source)
  try {
    for (let behind = 0; ; ) {
      const page = { outcome: 'reject', behind, limit: 1000 }
      const rows = await listRows(db, organization.corp_id, import_id, page)
      for (const { cells, reason } of rows) await rejects.add(cells!, reason!)
      if (rows.length < page.limit) break
      behind = rows.at(-1)!.row
    }
    return (await rejects.finish()) ?? null
  } catch (error) {
    await rejects.discard()
    throw error
  }
}

async function addAll(report: RowReport<RowOutcome>, planned: PlannedRow[]): Promise<void> {
  for (const { row, outcome, reason } of planned) await report.add(row, { row: row.row, outcome, reason })
}

function reportOf({ reading, mappingFrom }: LeadFile, tally: RowTally) {
  const { format, encoding, unknown_columns, suggested_columns, rows } = reading
  return {
    ...{ dry_run: false, batch_id: null, was_imported: false, was_resumed: false, format, encoding },
    ...{ rows: { total: rows, ...tally }, mapping_from: mappingFrom, unknown_columns, suggested_columns },
  }
}
