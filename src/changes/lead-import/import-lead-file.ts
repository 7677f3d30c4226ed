import { basename } from 'node:path'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { freshStatistics } from '../../database/fresh-statistics.ts'
import { type Progress, rowBatches } from '../../files/read-rows.ts'
import { rejectedRows, rejectsPath } from '../../files/rejected-rows.ts'
import {
  type FileImportOptions,
  type FileReport,
  type RowOutcome,
  type RowReport,
  reportRows,
} from '../../files/row-report.ts'
import { completeBatch, insertBatch, lockBatch } from '../undo/change-batch-store.ts'
import { commitRows, ImportEnded, type RowsUnderWay, refuseUndone } from './commit-rows.ts'
import { listRows, storeMappings } from './imported-row-store.ts'
import { type LeadFile, openLeadFile } from './lead-file.ts'
import {
  type FileOptions,
  findSameImport,
  importUpdate,
  insertImport,
  type LeadImport,
  noteState,
} from './lead-import-store.ts'
import { type PlannedRow, planRows, type ReadRow, readLeadRows } from './plan-rows.ts'
import { emptyTally, type RowTally, tallied } from './tally.ts'

export type ImportOptions = FileImportOptions & FileOptions

export interface ImportReport extends FileReport<RowOutcome, RowTally> {
  /** Whether this content was imported before. A partial import is resumed. */
  was_imported: boolean
  was_resumed: boolean
  mapping_from: 'file' | 'memory' | null
  /** The confidence of guessed columns in percent, by header. */
  guessed_columns: Record<string, number>
  /** The source that was recognised by the headers. */
  preset: string | null
}

/** Leads per transaction. */
const batchSize = { rows: 500, characters: 4_000_000 }

/**
 * Imports a lead file, or reports the outcomes of its rows in a dry run. A file with the same content is the same
 * import: an interrupted import is resumed, and a completed one is not repeated.
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
  { rejects: path, outcomes, onProgress }: ImportOptions,
): Promise<ImportReport> {
  const rejects = path === undefined ? undefined : rejectedRows(path, file.source)
  return reportRows({ rejects, outcomes }, async (report) => {
    let tally = emptyTally()
    for await (const planned of plannedRows(context, file, onProgress)) {
      tally = tallied(tally, planned)
      await showAll(report, planned)
      for (const { row, outcome, reason } of planned)
        if (outcome === 'reject') await report.reject(row, reason ?? '')
    }
    return { ...reportOf(file, tally), dry_run: true }
  })
}

/** Plans the rows of a file, a batch at a time. Remembers the numbers of the users that it would create. */
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
  const rejects = rejectedRows(options.rejects ?? rejectsPath(path, file.source), file.source)
  const { outcomes, onProgress } = options
  return reportRows({ rejects, outcomes }, async (report) => {
    const onRows = (planned: PlannedRow[]) => showAll(report, planned)
    const started = { found: begun, keepsAllRows: false }
    const done = await commitImport(context, file, started, { onRows, onProgress })
    await reportRejects(context, done, report)
    return {
      ...reportOf(file, done.result ?? emptyTally()),
      batch_id: done.import_id,
      was_imported: same?.state === 'done',
      was_resumed: same?.state === 'committing',
    }
  })
}

/** Commits the rows after the last stored one, two batches concurrently. */
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
      const read = readLeadRows({ ...context, now: new Date() }, file, rest).map((row) =>
        ofImport(begun.import_id, row),
      )
      last = commitRows(context, file, read, { before, keepsAllRows, onRows })
      await before.done
      await statistics.noteRecords(rows.length, last.done)
    }
  } finally {
    await Promise.allSettled([last.done])
  }
  const found = await last.done
  await db.transaction(async (tx) => {
    const now = new Date()
    refuseUndone(await lockBatch(tx, organization.corp_id, found.import_id))
    const updated = await tx.query(
      importUpdate(organization.corp_id, found, { state: 'done', options: withoutFixes(found) }, now),
    )
    if (updated.length === 0) throw new ImportEnded('Another process is importing this file.')
    await completeBatch(tx, organization.corp_id, found.import_id, now)
    noteState(tx, found.import_id, 'done')
  })
  return { ...found, state: 'done' }
}

/** The lead names its import: its person is found by it. */
function ofImport(import_id: string, row: ReadRow): ReadRow {
  return row.lead ? { ...row, lead: { ...row.lead, fields: { ...row.lead.fields, import_id } } } : row
}

/** The corrected cells are records now. */
function withoutFixes({ options: { fixes: _, ...options } }: LeadImport): FileOptions {
  return options
}

async function beginImport(
  { db: tx, organization: { corp_id }, account, newId }: OrganizationContext,
  path: string,
  file: LeadFile,
  options: ImportOptions,
): Promise<LeadImport> {
  const import_id = newId()
  const now = new Date()
  const { format, encoding, sheet, headerRow, mapping, values } = options
  const { first_rows: _, ...reading } = file.reading
  const made = {
    import_id,
    content_hash: file.contentHash,
    file_name: basename(path),
    state: 'committing' as const,
    options: { format, encoding, sheet, headerRow, mapping, values },
    bytes: file.source.bytes,
    executor_id: account.app_id,
    reading,
    result: emptyTally(),
  }
  await insertImport(tx, corp_id, made, now)
  const batch = { batch_id: import_id, kind: 'lead_import' as const, executor_id: account.app_id }
  await insertBatch(tx, corp_id, batch, now)
  await storeMappings(tx, corp_id, file.headerHash, { mapping, values }, now)
  const fresh = {
    received: 0,
    last_row: 0,
    plan: null,
    refusal: null,
    refusal_reason: null,
    archive_id: null,
    busy_until: null,
  }
  return { ...made, ...fresh, ctime: now, mtime: now }
}

/** Reads the rejected rows from the database, which also has those from before an interruption. */
async function reportRejects(
  { db, organization }: OrganizationContext,
  { import_id }: LeadImport,
  report: RowReport<RowOutcome>,
): Promise<void> {
  const limit = 1000
  for (let behind = 0, isLast = false; !isLast; ) {
    const rows = await listRows(db, organization.corp_id, import_id, { outcome: 'reject', behind, limit })
    for (const { row, cells, reason } of rows) {
      if (cells) await report.reject(cells, reason ?? '')
      behind = row
    }
    isLast = rows.length < limit
  }
}

async function showAll(report: RowReport<RowOutcome>, planned: PlannedRow[]): Promise<void> {
  for (const { row, outcome, reason } of planned) await report.show({ row: row.row, outcome, reason })
}

function reportOf({ reading, mappingFrom }: LeadFile, tally: RowTally) {
  const { format, encoding, sheet, header_row, unknown_columns, suggested_columns, rows } = reading
  const { guesses = {}, preset = null } = reading
  return {
    dry_run: false,
    batch_id: null,
    was_imported: false,
    was_resumed: false,
    format,
    encoding,
    sheet,
    header_row,
    rows: { total: rows, ...tally },
    mapping_from: mappingFrom,
    unknown_columns,
    suggested_columns,
    guessed_columns: guesses,
    preset,
  }
}
