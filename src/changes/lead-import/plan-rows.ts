import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { type ColumnFault, faultsOfError } from '../../files/column-faults.ts'
import { reasonOf } from '../../files/row-report.ts'
import type { SourceRow } from '../../files/row-source.ts'
import { newLeadOf } from '../../people/leads/import-leads.ts'
import {
  findingsOf,
  type LeadFindings,
  type LeadOutcome,
  type NewLead,
  planLeads,
} from '../../people/leads/store-leads.ts'
import { UserPlan } from '../../people/users/user-plan.ts'
import { namedUsersOf } from '../../people/users/user-plan-store.ts'
import { erasedReason, recogniseErased } from '../erasure/recognise-erased.ts'
import { findingRegister, type Register } from '../erasure/tombstone-store.ts'
import type { LeadFile } from './lead-file.ts'
import { leadFaults, readLeadRow } from './read-lead-row.ts'
import type { RowOutcomeName } from './tally.ts'
import { withValues } from './value-mapping.ts'

/** A row with its lead, or with its outcome if it has none. */
export interface ReadRow {
  row: SourceRow
  lead?: NewLead | undefined
  settled?: { outcome: RowOutcomeName; reason: string | null } | undefined
}

export interface PlannedRow {
  row: SourceRow
  outcome: RowOutcomeName
  reason: string | null
  lead?: NewLead
}

/** Reads rows without the database. */
export function readLeadRows(context: OrganizationContext, file: LeadFile, rows: SourceRow[]): ReadRow[] {
  return rows.map((row) => {
    const repeated = file.survey.repetitionOf(row.row)
    if (repeated?.column === 'content')
      return { row, settled: { outcome: 'duplicate_row', reason: `repeats row ${repeated.first}` } }
    const refused = (faults: ColumnFault[]): ReadRow => ({
      row,
      settled: { outcome: 'reject', reason: reasonOf(row, faults, file.map, file.source) },
    })
    if (repeated)
      return refused([
        { column: 'entry_id', reason: `is in row ${repeated.first} already, with other content` },
      ])
    const read = readLeadRow(
      withValues(row, file.map, file.values),
      file.map,
      file.source,
      context.organization,
    )
    if (Array.isArray(read)) return refused(read)
    return { row, lead: { ...newLeadOf(context, read.input), entry_id: read.entry_id } }
  })
}

/** Reads users, entries and erasures of the rows from the database. */
export async function lookUpRows(context: OrganizationContext, file: LeadFile, read: ReadRow[]) {
  const { corp_id } = context.organization
  const leads = read.flatMap(({ lead }) => lead ?? [])
  const found = await context.db.pipeline<LeadFindings & { registers: Register }>({
    ...findingsOf(corp_id, leads),
    registers: findingRegister(corp_id),
  })
  const [register] = found.registers
  const people = leads.map(({ person }) => person)
  const erased = await recogniseErased(context, register, people)
  const erasureOf = new Map(leads.map((lead, index) => [lead, erased[index]]))
  const rows = read.map(({ row, lead, settled }): ReadRow => {
    const erasure = lead && erasureOf.get(lead)
    if (!erasure) return { row, lead, settled }
    const column = lead.person.mobile ? 'mobile' : 'user_id'
    const fault = { column, reason: erasedReason(erasure, context.organization) }
    return { row, settled: { outcome: 'erased', reason: reasonOf(row, [fault], file.map, file.source) } }
  })
  return {
    rows,
    leads: rows.flatMap(({ lead }) => lead ?? []),
    users: namedUsersOf(found.users),
    entries: found.entries,
    register,
  }
}

/** Plans rows without changing anything. `made` holds the numbers of users that earlier rows would create. */
export async function planRows(
  context: OrganizationContext,
  file: LeadFile,
  read: ReadRow[],
  made: Set<string>,
): Promise<PlannedRow[]> {
  const { rows, leads, users, entries } = await lookUpRows(context, file, read)
  const plan = planLeads(leads, new UserPlan(users), entries)
  const planned = outcomesOf(file, rows, plan.outcomes)
  for (const one of planned) {
    if (one.outcome !== 'new_user' || !one.lead) continue
    const number = `${one.lead.person.area_code} ${one.lead.person.mobile}`
    if (made.has(number)) one.outcome = 'known_user'
    made.add(number)
  }
  return planned
}

/** The outcomes of rows after their leads have been planned or stored. */
export function outcomesOf(file: LeadFile, rows: ReadRow[], outcomes: LeadOutcome[]): PlannedRow[] {
  const leads = rows.flatMap(({ lead }) => lead ?? [])
  const outcomeOf = new Map(leads.map((lead, index) => [lead, outcomes[index]]))
  return rows.map(({ row, lead, settled }) => {
    if (settled) return { row, ...settled }
    const outcome = lead && outcomeOf.get(lead)
    if (!outcome) throw new Error(`Row ${row.row} has no outcome.`)
    if (outcome instanceof ApiError)
      return {
        row,
        outcome: 'reject',
        reason: reasonOf(row, faultsOfError(outcome, leadFaults), file.map, file.source),
      }
    const reason = outcome.kind === 'duplicate_entry' ? `is the lead ${outcome.lead_id}` : null
    return { row, outcome: outcome.kind, reason, lead }
  })
}
