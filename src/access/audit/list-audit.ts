import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { described, Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import {
  dayParameters,
  examplePage,
  instantsOf,
  pageOf,
  pageParameters,
  rangeIsNotReversed,
  windowOf,
} from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { AuditEntry, auditActions, entryOf, ListedAuditEntry } from './audit-entry.ts'
import { type AuditFilter, entriesAfter, findEntryPage } from './audit-list-store.ts'
import '../staff/console-context.ts'
import { namesOf } from '../../contract/record-of.ts'
import type { Database } from '../../database/database.ts'
import { pages } from '../../database/pages.ts'
import { knownOrganization } from '../organizations/organization-store.ts'
import { linkEntries, ofNoOrganization } from './link-entries.ts'

/** The audit: who changed or saw which record. */
export const listAudit = endpoint({
  id: 'listAudit',
  method: 'GET',
  path: '/api/v5/audit/list',
  group: 'Audit',
  permission: 'admin',
  guard: {
    effect: 'discloses',
    people: 'everyone',
    why: 'Administrators are responsible for all people.',
    unconfirmed: 'It shows one page with masked contacts, and records each access.',
  },
  summary: 'List the audit',
  description:
    'Changes and disclosures of records, in the order of the chain. The order never changes: unless the newest come first, a page ' +
    'always holds the same entries. An entry appears seconds after its change. The history of an order has its content by version.',
  discloses: { action: 'revealed', record_type: 'audit_entries', recordId: () => '' },
  input: Type.Object({
    corp_id: OrganizationId,
    ...pageParameters,
    ...dayParameters,
    actor_id: Type.Optional(described(Id, 'Only entries of this account or member of staff')),
    operation: Type.Optional(described(Id, 'Only entries of this operation')),
    action: Type.Optional(oneOf(auditActions)),
    record_type: Type.Optional(described(Id, 'Only records of this type')),
    record_id: Type.Optional(described(Id, 'Only this record')),
    person_id: Type.Optional(described(Id, 'Only what is about this person')),
    newest_first: Type.Optional(Type.Boolean({ description: 'The newest entries are on the first page' })),
    own_views: Type.Optional(
      Type.Boolean({ description: 'false: without the views of the audit by the caller. Default: true' }),
    ),
  }),
  rules: rangeIsNotReversed,
  data: pageOf(ListedAuditEntry),
  example: {
    input: { corp_id: exampleIds.corp_id, record_type: 'users' },
    data: examplePage<Static<typeof ListedAuditEntry>>({
      seq: 4711,
      entry_id: exampleIds.audit_entry_id,
      time: '2026-11-15 09:30:05',
      actor_kind: 'staff',
      actor_id: exampleIds.staff_id,
      address: '198.51.100.7',
      request_id: exampleIds.request_id,
      operation: 'updatePool',
      action: 'changed',
      record_type: 'users',
      record_id: exampleIds.user_id,
      version: 4,
      before: { pool: 'public', version: 3 },
      after: { pool: 'alive', version: 4 },
      is_erased: false,
      subject_id: exampleIds.user_id,
      subject_name: '王小明',
    }),
  },

  async handle({ db, organization, account }, { corp_id, page, page_size, start_date, end_date, ...input }) {
    const { newest_first = false, own_views = true, ...members } = input
    const { time_zone } = organization
    const window = windowOf({ page, page_size })
    const filter = { ...members, ...instantsOf({ start_date, end_date }, time_zone) }
    const shown = { isNewestFirst: newest_first, viewer: own_views ? undefined : account.app_id }
    const { total, entries } = await findEntryPage(db, corp_id, filter, { ...window, ...shown }, time_zone)
    return { total, page: window.page, page_size: window.page_size, list: entries.map(entryOf) }
  },
})

/** The entries for a file, page by page. Each page is recorded as exported. */
export const exportAudit = endpoint({
  id: 'exportAudit',
  method: 'GET',
  path: '/api/v5/console/audit/export',
  group: 'Console',
  permission: 'admin',
  guard: { effect: 'discloses', people: 'everyone', why: 'Administrators are responsible for all people.' },
  summary: 'Export the audit',
  description: 'The entries of audit/list, for a file. The export itself is recorded in the audit.',
  discloses: { action: 'exported', record_type: 'audit_entries', recordId: () => '' },
  input: listAudit.input,
  rules: rangeIsNotReversed,
  data: listAudit.data,
  example: listAudit.example,
  handle: listAudit.handle,
})

export const auditColumns = namesOf(AuditEntry.properties)
export type AuditColumn = (typeof auditColumns)[number]

interface AuditRequest extends Omit<AuditFilter, 'from' | 'until'> {
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
