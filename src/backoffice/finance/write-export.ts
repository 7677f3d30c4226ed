import { createWriteStream } from 'node:fs'
import { access, rename, rm, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { knownOrganization } from '../../access/organizations/organization-store.ts'
import type { Organization } from '../../contract/caller.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { writeCsv, writeNdjson } from '../../files/write-csv.ts'
import { type SheetWriter, type WrittenRow, writeXlsx } from '../../files/write-xlsx.ts'
import { type LedgerInstant, takeInstants } from '../../orders/ledger/ledger-clock-store.ts'
import { findClosingAt } from './closing-store.ts'
import { type Amount, type Chosen, type ControlSheet, openControl, writtenControl } from './control-sheet.ts'
import { readInstantOrDay } from './read-instant.ts'

/** Output files of an export, and its instant. */
export interface ExportTarget {
  corp_id: string
  format: ExportFormat
  out: string
  /** Whether existing files are replaced. */
  force?: boolean
  as_of?: string
}

const writers = { csv: writeCsv, xlsx: writeXlsx, ndjson: writeNdjson } satisfies Record<string, SheetWriter>
export type ExportFormat = keyof typeof writers
export const exportFormats = Object.keys(writers) as ExportFormat[]

export type Progress = (done: number, total: number) => void

/** A row, with the amounts that the control sheet sums. */
export interface ExportedRow extends WrittenRow {
  amounts: Amount[]
}

/** Content of an export: columns, the filter as requested, and the rows as of an instant. */
export interface Exported {
  columns: string[]
  chosen: Chosen
  read(tx: Queryable, asOf: LedgerInstant): AsyncGenerator<{ total: number; rows: ExportedRow[] }>
}

/**
 * Writes rows as of an instant. They derive only from versions and facts up to that instant, so the same instant gives
 * the same bytes at any later time.
 */
export async function writeExport(
  db: Pick<Database, 'of' | 'shared'>,
  target: ExportTarget,
  describe: (organization: Organization) => Exported,
  progress: Progress = () => undefined,
): Promise<{ files: string[]; control: ControlSheet }> {
  const writer: SheetWriter = writers[target.format]
  const { out, corp_id } = target
  const files = writer.beside ? [out, `${out}${writer.beside.suffix}`] : [out]
  if (!target.force) await refuseExisting(files)
  const organization = await knownOrganization(db.shared, corp_id)
  const { columns, chosen, read } = describe(organization)
  const as_of = await readAsOf(db, target, organization)
  const closing = await findClosingAt(db.of(corp_id), corp_id, as_of)
  const control = openControl({ as_of, closing, time_zone: organization.time_zone, corp_id, ...chosen })
  const written = () => writtenControl(control.sheet())
  await throughParts(files, async ([part, besidePart]) => {
    await db.of(corp_id).snapshot(async (tx: Queryable) => {
      await pipeline(
        writer.write(columns, countedRows(read(tx, as_of), control.add, progress), written),
        createWriteStream(part!, { flush: true }),
      )
    })
    if (writer.beside) await writeFile(besidePart!, writer.beside.render(written()), { flush: true })
  })
  return { files, control: control.sheet() }
}

/** Validates a filter by the rules of its list. */
export function readFilter<Filter>(read: () => Filter): Filter {
  try {
    return read()
  } catch (error) {
    throw new Error(`The filter is wrong: ${(error as Error).message}`)
  }
}

/**
 * The instant of the export, to the microsecond. The ledger clock always advances first: this waits for writes in
 * progress, and later writes get later instants. No fact can appear at or before the instant afterwards.
 */
async function readAsOf(
  db: Pick<Database, 'of'>,
  target: ExportTarget,
  organization: Organization,
): Promise<string> {
  const wanted =
    target.as_of === undefined ? undefined : readInstantOrDay(target.as_of, organization.time_zone)
  const { corp_id } = organization
  const [latest] = await db.of(corp_id).transaction((tx) => {
    tx.note({ action: 'exported', record_type: 'orders', record_id: '' })
    return takeInstants(tx, corp_id, 1)
  })
  if (wanted !== undefined && Temporal.Instant.compare(wanted, latest!) > 0) {
    throw new Error(
      `The instant ${wanted} is in the future. An export must be repeatable: name a past instant.`,
    )
  }
  return wanted ?? latest!
}

async function* countedRows(
  batches: ReturnType<Exported['read']>,
  count: (amounts: Amount[], line: string) => void,
  progress: Progress,
): AsyncGenerator<WrittenRow[]> {
  let done = 0
  progress(0, 0)
  for await (const { total, rows } of batches) {
    for (const { amounts, line } of rows) count(amounts, line)
    yield rows
    done += rows.length
    progress(done, total)
  }
}

async function refuseExisting(files: string[]): Promise<void> {
  for (const file of files) {
    const exists = await access(file).then(
      () => true,
      () => false,
    )
    if (exists) throw new Error(`The file ${file} already exists. Use --force to replace it.`)
  }
}

/** Files get their final names when all are complete, the export itself last. A failure removes all of them. */
async function throughParts(files: string[], write: (parts: string[]) => Promise<void>): Promise<void> {
  const parts = files.map((file) => `${file}.part`)
  try {
    await write(parts)
    for (const file of files.toReversed()) await rename(`${file}.part`, file)
  } finally {
    for (const part of parts) await rm(part, { force: true })
  }
}
