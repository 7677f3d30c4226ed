import { createWriteStream } from 'node:fs'
import { access, rename, rm, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { knownOrganization } from '../../access/organizations/organization-store.ts'
import type { Organization } from '../../contract/caller.ts'
import type { Database, Queryable } from '../../database/database.ts'
import type { SheetWriter, WrittenRow } from '../../files/sheet-writer.ts'
import { writeCsv } from '../../files/write-csv.ts'
import { writeNdjson } from '../../files/write-ndjson.ts'
import { writeXlsx } from '../../files/write-xlsx.ts'
import { type LedgerInstant, takeInstants } from '../../orders/ledger/ledger-clock-store.ts'
import { findClosingAt } from './closing-store.ts'
import { type Amount, type Chosen, type ControlSheet, openControl, writtenControl } from './control-sheet.ts'
import { readInstantOrDay } from './read-instant.ts'

/** Where an export goes, and of which instant it is. */
export interface ExportTarget {
  corp_id: string
  format: ExportFormat
  out: string
  /** Whether files that exist already are replaced. */
  force?: boolean
  as_of?: string
}

const writers = { csv: writeCsv, xlsx: writeXlsx, ndjson: writeNdjson } satisfies Record<string, SheetWriter>
export type ExportFormat = keyof typeof writers
export const exportFormats = Object.keys(writers) as ExportFormat[]

export type Progress = (done: number, total: number) => void

/** A row, and the amounts in it that the control sheet sums. */
export interface ExportedRow extends WrittenRow {
  amounts: Amount[]
}

/** What is exported: its columns, what was asked for, and its rows as they were at an instant. */
export interface Exported {
  columns: string[]
  chosen: Chosen
  read(tx: Queryable, asOf: LedgerInstant): AsyncGenerator<{ total: number; rows: ExportedRow[] }>
}

/**
 * Writes rows as they were at an instant. They are made of versions and facts up to then alone, so the same instant gives
 * the same bytes, whatever has happened since.
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

/** A filter by the rules of its list. */
export function readFilter<Filter>(read: () => Filter): Filter {
  try {
    return read()
  } catch (error) {
    throw new Error(`The filter is wrong: ${(error as Error).message}`)
  }
}

/**
 * The instant of the export, to the microsecond. In any case the ledger's clock moves on first: every write under way
 * is waited for, and every later one gets a later instant, so nothing can still appear at or before this one.
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
      `The instant ${wanted} has not come yet: an export shows what was, so that it can be repeated.`,
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
    if (exists) throw new Error(`There already is a file ${file}: --force replaces it.`)
  }
}

/** Files get their names once all of them are whole, the export itself last; a failure leaves none behind. */
async function throughParts(files: string[], write: (parts: string[]) => Promise<void>): Promise<void> {
  const parts = files.map((file) => `${file}.part`)
  try {
    await write(parts)
    for (const file of files.toReversed()) await rename(`${file}.part`, file)
  } finally {
    for (const part of parts) await rm(part, { force: true })
  }
}
