import { insertionOf, type NewRow, notByCopy } from '../database/insert-rows.ts'
import { type Statement, sql } from '../database/sql.ts'

export const leadColumns = {
  lead_id: 'text',
  user_id: 'text',
  entry_id: 'text',
  app_id: 'text',
  /** Every field as it came. */
  fields: 'jsonb',
  ctime: 'timestamptz',
} as const

export type LeadRecord = NewRow<typeof leadColumns>

/** A lead that an entry has made. */
export interface EntryLead {
  entry_id: string
  lead_id: string
  fields: object
}

export function findEntryLeads(corp_id: string, entryIds: string[]): Statement {
  return sql`
    select entry_id, lead_id, fields from leads
     where corp_id = ${corp_id} and entry_id = any(${entryIds}::text[])`
}

/** In the order of their entries, so that no two who insert some in common wait for each other. */
export function leadInsertion(corp_id: string, leads: LeadRecord[]): Statement {
  const sorted = leads.toSorted((a, b) => ((a.entry_id ?? '') < (b.entry_id ?? '') ? -1 : 1))
  return sql`${insertionOf('leads', leadColumns, corp_id, sorted)} ${notByCopy}`
}
