import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { type ColumnFault, faultsOfError } from '../../files/column-faults.ts'
import { type RowFault, rowReasonIn } from '../../files/row-reasons.ts'
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
import { leadFaults } from './read-lead-row.ts'
import type { RowTag } from './read-tags.ts'
import type { RowOutcomeName } from './tally.ts'

/** A row with its lead, or with its outcome if it has none. */
export interface ReadRow {
  row: SourceRow
  lead?: NewLead | undefined
  /** Records that come with the lead. */
  along?: RecordsAlong | undefined
  settled?: SettledRow | undefined
}

/** The outcome of a row without a lead. */
interface SettledRow {
  outcome: RowOutcomeName
  reason: string | null
  faults?: RowFault[]
}

export interface RecordsAlong {
  note: string | undefined
  tags: RowTag[]
}

export interface PlannedRow {
  row: SourceRow
  outcome: RowOutcomeName
  reason: string | null
  faults?: RowFault[] | undefined
  lead?: NewLead
  along?: RecordsAlong | undefined
  lead_id?: string
  user_id?: string
}

function rejection({ map, source }: LeadFile, { row, fault }: SourceRow, found: ColumnFault[]): SettledRow {
  const placed = found.map(({ column, reason }): RowFault => {
    const at = map.names.indexOf(column as never)
    return { at: at < 0 ? null : at, reason }
  })
  // No cell of such a row can be trusted: one reason is enough.
  const faults = fault === undefined ? placed : [{ at: null, reason: fault }]
  return { outcome: 'reject', reason: rowReasonIn('en', row, faults, source.headers), faults }
}

/** Reads rows without the database. */
export function readLeadRows(context: OrganizationContext, file: LeadFile, rows: SourceRow[]): ReadRow[] {
  return rows.map((row) => {
    const repeated = file.survey.repetitionOf(row.row)
    if (repeated?.column === 'content')
      return { row, settled: { outcome: 'duplicate_row', reason: `repeats row ${repeated.first}` } }
    const refused = (faults: ColumnFault[]): ReadRow => ({
      row,
      settled: rejection(file, row, faults),
    })
    if (repeated)
      return refused([
        { column: 'entry_id', reason: `is in row ${repeated.first} already, with other content` },
      ])
    const read = file.read(row)
    if (Array.isArray(read)) return refused(read)
    const { person, ...lead } = newLeadOf(context, read.input)
    const { entry_id, time, note, tags } = read
    return {
      row,
      lead: { ...lead, person: { ...person, ...read.person }, entry_id, time },
      along: { note, tags },
    }
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
  const rows = read.map(({ row, lead, along, settled }): ReadRow => {
    const erasure = lead && erasureOf.get(lead)
    if (!erasure) return { row, lead, along, settled }
    const column = lead.person.mobile ? 'mobile' : lead.person.email ? 'email' : 'user_id'
    const fault = { column, reason: erasedReason(erasure, context.organization) }
    return { row, settled: { ...rejection(file, row, [fault]), outcome: 'erased' } }
  })
  return {
    rows,
    leads: rows.flatMap(({ lead }) => lead ?? []),
    users: namedUsersOf(found.users),
    entries: found.entries,
    register,
  }
}

/** Plans rows without changing anything. `made` holds the contacts of users that earlier rows would create. */
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
    const { area_code, mobile, email } = one.lead.person
    const contacts = [mobile && `${area_code} ${mobile}`, email?.toLowerCase()].filter((each) => !!each)
    if (contacts.some((contact) => made.has(contact!))) one.outcome = 'known_user'
    for (const contact of contacts) made.add(contact!)
  }
  return planned
}

/** The outcomes of rows after their leads have been planned or stored. */
export function outcomesOf(file: LeadFile, rows: ReadRow[], outcomes: LeadOutcome[]): PlannedRow[] {
  const leads = rows.flatMap(({ lead }) => lead ?? [])
  const outcomeOf = new Map(leads.map((lead, index) => [lead, outcomes[index]]))
  return rows.map(({ row, lead, along, settled }) => {
    if (settled) return { row, ...settled }
    const outcome = lead && outcomeOf.get(lead)
    if (!outcome) throw new Error(`Row ${row.row} has no outcome.`)
    if (outcome instanceof ApiError)
      return { row, ...rejection(file, row, faultsOfError(outcome, leadFaults)) }
    const reason = outcome.kind === 'duplicate_entry' ? `is the lead ${outcome.lead_id}` : null
    return {
      row,
      outcome: outcome.kind,
      reason,
      lead,
      along,
      lead_id: outcome.lead_id,
      user_id: outcome.user_id,
    }
  })
}
