import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { OrganizationContext } from '../../../contract/endpoint.ts'
import { inTemporaryFolder } from '../../../files/spooled-strings.ts'
import { exportFinancialRows } from '../export-financial-rows.ts'
import { exportMoney } from '../export-money.ts'
import type { Progress } from '../write-export.ts'
import {
  claimExport,
  clearPieces,
  type ExportFile,
  findIdleExports,
  insertPiece,
  noteExport,
} from './export-file-store.ts'

const pieceBytes = 1024 * 1024
const mostBytes = 256 * pieceBytes
const mostAttempts = 3
const reportMs = 2000

/**
 * Writes a requested file, unless another worker has the lease. After a crash, the next worker starts from the
 * beginning: the instant is stored, so the bytes are the same.
 */
async function workOnExport(
  { db, organization }: Pick<OrganizationContext, 'db' | 'organization'>,
  export_id: string,
): Promise<void> {
  const { corp_id, time_zone } = organization
  const found = await claimExport(db, corp_id, export_id, time_zone)
  if (!found) return
  const note = (change: Parameters<typeof noteExport>[3]) => noteExport(db, corp_id, found, change)
  try {
    if (found.attempts > mostAttempts)
      throw new ExportRefused('The export was started several times and never completed.')
    await inTemporaryFolder('export', async (folder) => {
      const out = join(folder, `file.${found.format}`)
      const { row_count, sha256 } = await write(found, { db, organization }, out, reporting(note))
      const bytes = await keep({ db, organization }, found, out)
      await note({ state: 'done', rows_done: row_count, rows_total: row_count, bytes, sha256 })
    })
  } catch (error) {
    const refusal = error instanceof ExportRefused ? error.message : 'The file could not be written.'
    await clearPieces(db, corp_id, export_id)
    await note({ state: 'failed', refusal })
    if (!(error instanceof ExportRefused)) throw error
  }
}

/** Resumes exports that a server left unfinished. */
export async function resumeExports(context: OrganizationContext): Promise<void> {
  for (const export_id of await findIdleExports(context.db, context.organization.corp_id))
    await workOnExport(context, export_id)
}

class ExportRefused extends Error {}

async function write(
  { what, format, start_date, end_date, as_of }: ExportFile,
  { db, organization }: Pick<OrganizationContext, 'db' | 'organization'>,
  out: string,
  progress: Progress,
) {
  const { corp_id } = organization
  const handles = { db: { of: () => db, shared: db } }
  const target = {
    ...{ corp_id, format, out, as_of },
    ...(start_date !== null && { start_date }),
    ...(end_date !== null && { end_date }),
  }
  const { control } =
    what === 'financial_rows'
      ? await exportFinancialRows(handles, target, progress)
      : await exportMoney(handles, { ...target, what }, progress)
  return control
}

/** Runs at most once in a few seconds, in the background. */
function reporting(note: (change: { rows_done: number; rows_total: number }) => Promise<unknown>): Progress {
  let reportedMs = Number.NEGATIVE_INFINITY
  return (rows_done, rows_total) => {
    if (performance.now() - reportedMs < reportMs) return
    reportedMs = performance.now()
    note({ rows_done, rows_total }).catch(() => undefined)
  }
}

/** Into the database, where every server finds it. */
async function keep(
  { db, organization }: Pick<OrganizationContext, 'db' | 'organization'>,
  { export_id }: ExportFile,
  path: string,
): Promise<number> {
  const { corp_id } = organization
  await clearPieces(db, corp_id, export_id)
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size > mostBytes)
      throw new ExportRefused(`The file is larger than ${mostBytes} bytes. Request a shorter period.`)
    for (let seq = 0; seq * pieceBytes < size; seq++) {
      const piece = Buffer.alloc(Math.min(pieceBytes, size - seq * pieceBytes))
      await file.read(piece, 0, piece.length, seq * pieceBytes)
      await insertPiece(db, corp_id, export_id, seq, piece)
    }
    return size
  } finally {
    await file.close()
  }
}
