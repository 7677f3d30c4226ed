import { expect } from 'vitest'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import {
  type ImportOptions,
  type ImportReport,
  importLeadFile,
} from '../../src/changes/lead-import/import-lead-file.ts'
import { undoBatch } from '../../src/changes/undo/undo-batch.ts'
import type { OrganizationContext, OrganizationEndpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { createCursors } from '../../src/search/cursors.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { testKeyring } from '../harness/keyring.ts'
import { openFolder } from './sheets.ts'

export interface LeadOrganization {
  corp_id: string
  context: OrganizationContext
  import(file: string, options?: ImportOptions): Promise<ImportReport>
  undo(batch_id: string): ReturnType<typeof undoBatch>
  /** Runs the use case of an operation. */
  call(endpoint: unknown, input: object): Promise<Record<string, unknown>>
  query(text: string): Promise<Record<string, unknown>[]>
  /**
   * Every record of users with their data and facets, without members that count changes:
   * versions and times of changes.
   */
  records(): Promise<Record<string, string[]>>
  /** The history of users, without versions. Merges and undos are reduced to their kind, since each has its own change. */
  history(): Promise<string[]>
  /** The records that count their changes, by table and id. */
  counted(): Promise<Map<string, CountedRecord>>
}

export interface CountedRecord {
  version: number
  mtime: string
  /** All other members. */
  content: string
}

const keyColumns = { users: 'user_id', leads: 'lead_id', user_tags: 'entity_id', orders: 'order_id' }

/** Every change has its own version, a time that is not earlier, and an audit entry. */
export async function expectCounted(
  org: LeadOrganization,
  before: Map<string, CountedRecord>,
  after: Map<string, CountedRecord>,
): Promise<void> {
  const entries = await org.query(`
    select record_type || ' ' || record_id || ' ' || version as key, action from audit_entries
     where corp_id = $corp and version is not null`)
  const actionOf = new Map(entries.map(({ key, action }) => [key, action]))
  for (const [key, is] of after) {
    const was = before.get(key)
    if (!was) continue
    expect(is.version, key).toBeGreaterThanOrEqual(was.version)
    expect(is.mtime >= was.mtime, key).toBe(true)
    if (is.version === was.version) expect(is, key).toEqual(was)
    else expect(actionOf.get(`${key} ${is.version}`), key).toBeDefined()
  }
  for (const [key, { version }] of before)
    if (!after.has(key)) expect(actionOf.get(`${key} ${version + 1}`), key).toBe('removed')
}

export async function openLeads(
  database: TestDatabase,
  settings: { country?: string; time_zone?: string } = {},
): Promise<LeadOrganization> {
  const corp_id = newId()
  const organization = await createOrganization(
    database.owner,
    { corp_id, name: 'School', ...settings },
    new Date(),
  )
  const account = { app_id: 'command-line' } as OrganizationContext['account']
  const db = database.app.of(corp_id)
  const context = {
    db,
    organization,
    account,
    now: new Date(),
    newId,
    cursors: createCursors(),
    role: undefined,
    reach: 'everyone' as const,
    keyring: testKeyring,
  }
  const query = async (text: string) =>
    (await database.superuser.query(text.replaceAll('$corp', `'${corp_id}'`))).rows
  return {
    corp_id,
    context,
    import: (file, options = {}) => importLeadFile(context, file, options),
    undo: (batch_id) => undoBatch(context, batch_id),
    async call(endpoint, input) {
      const { handle } = endpoint as OrganizationEndpoint
      const data = await handle({ ...context, now: new Date() }, { corp_id, ...input } as never)
      return data as Record<string, unknown>
    },
    query,
    async records() {
      const tables = [
        ...['users', 'user_tags', 'leads', 'merged_users', 'user_follow_ups', 'user_claims'],
        ...['facet_entries', 'user_duplicates', 'profile_read_model', 'orders'],
      ]
      const found = tables.map(async (table) => {
        const rows = await query(`
          select (to_jsonb(t) - '{version,mtime,restored}'::text[])::text as record from ${table} t
           where corp_id = $corp`)
        return [table, rows.map(({ record }) => record as string).sort()]
      })
      return Object.fromEntries(await Promise.all(found))
    },
    async history() {
      const rows = await query(`
        select (case when event in ('merged', 'undone') then jsonb_build_object('user_id', user_id, 'event', event)
                     else to_jsonb(t) - '{version,merge_id}'::text[] end)::text as event
          from user_events t where corp_id = $corp`)
      return rows.map(({ event }) => event as string).sort()
    },
    async counted() {
      const found = Object.entries(keyColumns).map(([table, key]) =>
        query(
          `select '${table} ' || ${key} as key, version, mtime::text as mtime,
                  (to_jsonb(t) - '{version,mtime,restored}'::text[])::text as content
             from ${table} t where corp_id = $corp`,
        ),
      )
      const rows = (await Promise.all(found)).flat() as unknown as (CountedRecord & { key: string })[]
      return new Map(rows.map(({ key, ...record }) => [key, record]))
    },
  }
}

/** A database with an organization that imports leads, and a folder for its files. */
export interface LeadDesk {
  database: TestDatabase
  folder: Awaited<ReturnType<typeof openFolder>>
  org: LeadOrganization
  close(): Promise<void>
}

export async function openLeadDesk(): Promise<LeadDesk> {
  const [database, folder] = await Promise.all([createTestDatabase(), openFolder()])
  const close = async () => {
    await folder.remove()
    await database.drop()
  }
  return { database, folder, org: await openLeads(database), close }
}
