import { createWriteStream } from 'node:fs'
import { access, rename, rm, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Organization } from '../contract/caller.ts'
import { inputValidator } from '../contract/validate.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { LedgerSubOrder } from '../orders/financial-row.ts'
import { takeInstants } from '../orders/ledger-clock-store.ts'
import { listFinancialRows } from '../orders/list-financial-rows.ts'
import { filterOf } from '../orders/order-filter.ts'
import { findOrganizations } from '../organizations/organization-store.ts'
import type { SheetWriter, WrittenRow } from '../spreadsheet/sheet-writer.ts'
import { writeCsv } from '../spreadsheet/write-csv.ts'
import { writeNdjson } from '../spreadsheet/write-ndjson.ts'
import { writeXlsx } from '../spreadsheet/write-xlsx.ts'
import { type ControlSheet, openControl, writtenControl } from './control-sheet.ts'
import { exportColumns, exportRowOf } from './export-row.ts'
import { readRowsAsOf } from './export-store.ts'
import { readInstant } from './read-instant.ts'

export interface ExportRequest {
  corp_id: string
  format: ExportFormat
  out: string
  /** Whether files that exist already are replaced. */
  force?: boolean
  as_of?: string
  start_date?: string
  end_date?: string
  status?: string
  time_range_type?: string
}

const writers = { csv: writeCsv, xlsx: writeXlsx, ndjson: writeNdjson } satisfies Record<string, SheetWriter>
export type ExportFormat = keyof typeof writers
export const exportFormats = Object.keys(writers) as ExportFormat[]

export type Progress = (done: number, total: number) => void

/**
 * Writes the financial rows of an organization as they were at an instant. They are made of versions, payments and refunds up to
 * then alone, so the same instant gives the same bytes, whatever has happened since.
 */
export async function exportFinancialRows(
  { db }: { db: Database },
  request: ExportRequest,
  progress: Progress = () => undefined,
): Promise<{ files: string[]; control: ControlSheet }> {
  const writer: SheetWriter = writers[request.format]
  const { out } = request
  const files = writer.beside ? [out, `${out}${writer.beside.suffix}`] : [out]
  if (!request.force) await refuseExisting(files)
  const [organization] = await findOrganizations(db.shared, [request.corp_id])
  if (!organization) throw new Error(`There is no organization ${request.corp_id}.`)
  const filter = readFilter(request, organization)
  const as_of = await readAsOf(db, request, organization)
  const { time_zone } = organization
  const control = openControl({ as_of, time_zone, ...chosen(request) })
  const written = () => writtenControl(control.sheet())
  await throughParts(files, async ([part, besidePart]) => {
    await db.of(organization.corp_id).snapshot(async (tx: Queryable) => {
      const batches = readRowsAsOf(tx, filter, as_of, time_zone)
      await pipeline(
        writer.write(exportColumns, countedRows(batches, control.add, progress), written),
        createWriteStream(part!, { flush: true }),
      )
    })
    if (writer.beside) await writeFile(besidePart!, writer.beside.render(written()), { flush: true })
  })
  return { files, control: control.sheet() }
}

const validate = inputValidator(listFinancialRows)

/** The filters of the list, with its own rules. */
function readFilter(request: ExportRequest, organization: Organization) {
  const { corp_id, start_date, end_date, status, time_range_type } = request
  try {
    return filterOf(
      validate({ corp_id, start_date, end_date, status, time_range_type }) as never,
      organization,
    )
  } catch (error) {
    throw new Error(`The filter is wrong: ${(error as Error).message}`)
  }
}

function chosen({ corp_id, start_date, end_date, status, time_range_type = 'create' }: ExportRequest) {
  return {
    corp_id,
    time_range_type: time_range_type === 'create' ? 'create' : 'modify',
    start_date: start_date ?? null,
    end_date: end_date ?? null,
    status: status ?? null,
  }
}

/**
 * The instant of the export, to the microsecond. In any case the ledger's clock moves on first: every write under way
 * is waited for, and every later one gets a later instant, so nothing can still appear at or before this one.
 */
async function readAsOf(db: Database, request: ExportRequest, organization: Organization): Promise<string> {
  const wanted = request.as_of === undefined ? undefined : readInstant(request.as_of, organization.time_zone)
  const { corp_id } = organization
  const [latest] = await db.of(corp_id).transaction((tx) => takeInstants(tx, corp_id, 1))
  if (wanted !== undefined && Temporal.Instant.compare(wanted, latest!) > 0) {
    throw new Error(
      `The instant ${wanted} has not come yet: an export shows what was, so that it can be repeated.`,
    )
  }
  return wanted ?? latest!
}

async function* countedRows(
  batches: ReturnType<typeof readRowsAsOf>,
  count: (subOrder: LedgerSubOrder, line: string) => void,
  progress: Progress,
): AsyncGenerator<WrittenRow[]> {
  let done = 0
  progress(0, 0)
  for await (const { total, subOrders } of batches) {
    const rows = subOrders.map(exportRowOf)
    for (const [index, { line }] of rows.entries()) count(subOrders[index]!, line)
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
