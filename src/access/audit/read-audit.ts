import { instantsOf } from '../../contract/paging.ts'
import { namesOf } from '../../contract/record-of.ts'
import type { Static } from '../../contract/type.ts'
import type { Database } from '../../database/database.ts'
import { pages } from '../../database/pages.ts'
import { knownOrganization } from '../organizations/organization-store.ts'
import { AuditEntry, entryOf } from './audit-entry.ts'
import { type AuditFilter, entriesAfter } from './audit-list-store.ts'
import { linkEntries, ofNoOrganization } from './link-entries.ts'

export const auditColumns = namesOf(AuditEntry.properties)
export type AuditColumn = (typeof auditColumns)[number]

export interface AuditRequest extends Omit<AuditFilter, 'from' | 'until'> {
  /** '' for entries that concern no single organization. */
  corp_id: string
  start_date?: string | undefined
  end_date?: string | undefined
  /** The audit action of reading them. */
  action_noted: 'revealed' | 'exported'
}

/** Reads all matching entries in batches. The access is recorded first. */
export async function* readAudit(
  db: Database,
  { corp_id, start_date, end_date, action_noted: action, ...members }: AuditRequest,
  limit: number,
): AsyncGenerator<Static<typeof AuditEntry>[]> {
  const time_zone = await timeZoneOf(db, corp_id)
  const filter = { ...members, ...instantsOf({ start_date, end_date }, time_zone) }
  const on = db.of(corp_id)
  await on.transaction(async (tx) => tx.note({ action, record_type: 'audit_entries', record_id: '' }))
  await linkEntries(db, corp_id)
  const read = (after: number) => entriesAfter(on, corp_id, filter, { after, limit }, time_zone)
  for await (const entries of pages(0, read, ({ seq }) => seq)) yield entries.map(entryOf)
}

async function timeZoneOf(db: Database, corp_id: string): Promise<string> {
  if (corp_id === ofNoOrganization) return 'UTC'
  return (await knownOrganization(db.shared, corp_id)).time_zone
}
