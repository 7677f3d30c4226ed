import type { OrganizationContext } from '../../contract/endpoint.ts'
import { FileRefused, refusalOf } from '../../files/row-source.ts'
import { inTemporaryFolder } from '../../files/spooled-strings.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { reachOf } from '../../people/users/reach.ts'
import { ImportEnded, keptRow, storableRow, writeUploaded } from './commit-rows.ts'
import { commitImport, plannedRows } from './import-lead-file.ts'
import { rowInsertion, storeMappings } from './imported-row-store.ts'
import { type LeadFile, openLeadFile, readShape } from './lead-file.ts'
import {
  claimImport,
  findIdleImports,
  type ImportChange,
  importUpdate,
  type LeadImport,
  releaseImport,
} from './lead-import-store.ts'
import { mostShownRows, shownCells } from './shown-row.ts'
import { emptyTally, tallied } from './tally.ts'

/**
 * Plans or commits an uploaded file, unless another worker has leased it. Each batch stores its progress. After a
 * crash, the next worker restarts a plan, and resumes a commit after the last stored row.
 */
export async function workOnImport(caller: OrganizationContext, import_id: string): Promise<void> {
  const { db, organization } = caller
  const found = await claimImport(db, organization.corp_id, import_id, new Date())
  if (!found) return
  // The worker has the permissions of the member of staff who uploaded the file.
  const { role } = found.options
  const account = { ...caller.account, app_id: found.executor_id }
  const context = { ...caller, role, reach: reachOf(importLead.guard, { role, account, organization }) }
  try {
    await inTemporaryFolder('leads', async (folder) => {
      const file = await openUploaded(context, found, folder)
      if (file === undefined) return
      try {
        await (found.state === 'planning' ? plan : commit)(context, found, file)
      } finally {
        await file.source.close()
      }
    })
  } catch (error) {
    // A new plan or an undo has ended this work. The lease belongs to another worker.
    if (error instanceof ImportEnded) return
    await releaseImport(db, organization.corp_id, import_id)
    throw error
  }
}

/** Resumes imports that a stopped server has left incomplete, as their executor. */
export async function resumeImports(context: OrganizationContext): Promise<void> {
  const idle = await findIdleImports(context.db, context.organization.corp_id, new Date())
  for (const { import_id, executor_id } of idle)
    await workOnImport({ ...context, account: { ...context.account, app_id: executor_id } }, import_id)
}

/** Undefined if the file cannot be read; the import then stores the reason. */
async function openUploaded(
  context: OrganizationContext,
  found: LeadImport,
  folder: string,
): Promise<LeadFile | undefined> {
  const path = await writeUploaded(context, found, folder)
  if (path === undefined) throw new ImportEnded('The file was deleted.')
  try {
    return await openLeadFile(context, path, found.options)
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    const refusal = refusalOf(error, (option) =>
      option === 'format' ? 'Upload the file again and set format' : `Set ${option}`,
    )
    // The columns, the sheet or the header row can be chosen by what was read.
    const reading = await readShape(path, found.options)
    await change(context, found, { state: 'refused', refusal, refusal_reason: error.reason, reading })
    return undefined
  }
}

async function plan(context: OrganizationContext, found: LeadImport, file: LeadFile): Promise<void> {
  const { values } = file
  // The commit uses the values of the plan, even if other values are remembered later.
  const options = { ...found.options, values }
  let now = await change(context, found, { last_row: 0, plan: emptyTally(), reading: file.reading, options })
  let count = 0
  for await (const rows of plannedRows(context, file)) {
    const first = Math.max(0, mostShownRows - count)
    count += rows.length
    const kept = rows.map((row, at) => {
      const one = keptRow(row)
      if (at >= first || !row.lead) return one
      return { ...one, cells: { ...storableRow(row.row), shown: shownCells(context, file, row) } }
    })
    const progress = { last_row: rows.at(-1)!.row.row, plan: tallied(now.plan!, rows) }
    await context.db.transaction(async (tx) => {
      now = await change({ ...context, db: tx }, now, progress)
      await tx.query(rowInsertion(context.organization.corp_id, found.import_id, kept))
    })
  }
  await change(context, now, { state: 'planned', content_hash: file.contentHash })
}

async function commit(context: OrganizationContext, found: LeadImport, file: LeadFile): Promise<void> {
  await storeMappings(context.db, context.organization.corp_id, file.headerHash, found.options, new Date())
  await commitImport(context, file, { found, keepsAllRows: true })
}

async function change(
  { db, organization }: OrganizationContext,
  found: LeadImport,
  change: ImportChange,
): Promise<LeadImport> {
  const rows = await db.query(importUpdate(organization.corp_id, found, change, new Date()))
  if (rows.length === 0) throw new ImportEnded('Another process has changed the import.')
  return { ...found, ...change }
}
