import { batchLock, type Change, type ChangeBatch, noteChanges } from '../changes/change-batch-store.ts'
import { storeNotedUserPlan } from '../changes/note-user-plan.ts'
import { stampOf } from '../changes/record-images.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import type { Queryable } from '../database/database.ts'
import { retryLostRaces } from '../database/unique-violation.ts'
import { type LeadOfUser, leadWrites } from '../leads/insert-leads.ts'
import { findingsOf, type LeadFindings, leadRaces, planLeads } from '../leads/store-leads.ts'
import { UserPlan } from '../users/user-plan.ts'
import { namedUsersOf } from '../users/user-plan-store.ts'
import { rowInsertion } from './imported-row-store.ts'
import type { LeadFile } from './lead-file.ts'
import { importUpdate, type LeadImport } from './lead-import-store.ts'
import { outcomesOf, type PlannedRow, type ReadRow } from './plan-rows.ts'
import { emptyTally, tallied } from './tally.ts'

/** The import was taken back, or is being done by somebody else. */
export class ImportEnded extends Error {}

/**
 * Stores rows in one transaction: users, leads, what that changed, what became of the rows, and how far the import has
 * come. Whoever comes to an import that has come further, or was taken back, stores nothing.
 */
export async function commitRows(
  context: OrganizationContext,
  file: LeadFile,
  { found, keepsAllRows }: { found: LeadImport; keepsAllRows: boolean },
  rows: ReadRow[],
): Promise<{ planned: PlannedRow[]; found: LeadImport }> {
  const { corp_id } = context.organization
  return retryLostRaces(leadRaces, () =>
    context.db.transaction(async (tx) => {
      const now = new Date()
      const leads = rows.flatMap(({ lead }) => lead ?? [])
      const [[batch], users, entries] = await tx.pipeline<[ChangeBatch, ...LeadFindings]>([
        batchLock(corp_id, found.import_id),
        ...findingsOf(corp_id, leads),
      ])
      if (batch!.undone_by_batch_id !== null) throw new ImportEnded('The import was taken back meanwhile.')
      const plan = planLeads(leads, new UserPlan(namedUsersOf(users)), entries)
      const changes = plan.leads.length === 0 ? [] : await store(tx, corp_id, plan.users, plan.leads)
      const planned = outcomesOf(file, rows, plan.outcomes)
      const last_row = rows.at(-1)!.row.row
      const result = tallied(found.result ?? emptyTally(), planned)
      const kept = planned.filter(({ outcome }) => keepsAllRows || outcome === 'reject')
      const [updated] = await tx.pipeline<[object]>([
        importUpdate(corp_id, found, { last_row, result }, now),
        ...noteChanges(corp_id, batch!, changes, now),
        ...(kept.length > 0 ? [rowInsertion(corp_id, found.import_id, kept.map(keptRow))] : []),
      ])
      if (updated.length === 0) throw new ImportEnded('Somebody else is importing this file.')
      return { planned, found: { ...found, last_row, result } }
    }),
  )
}

/** What a row came to, for the table of rows. */
export function keptRow({ row, outcome, reason }: PlannedRow) {
  return { row: row.row, outcome, reason, cells: outcome === 'reject' ? row : null }
}

async function store(
  tx: Queryable,
  corp_id: string,
  users: UserPlan,
  leads: LeadOfUser[],
): Promise<Change[]> {
  const changes = await storeNotedUserPlan(tx, corp_id, users, leadWrites(corp_id, leads))
  const made = leads.map(({ lead }) => ({
    ...{ record_type: 'leads', record_id: lead.lead_id!, before: null, after: stampOf('leads', lead) },
  }))
  return [...changes, ...made]
}
