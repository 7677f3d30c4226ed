import type { TestDatabase } from '../../test/harness/database.ts'
import { testKeyring } from '../../test/harness/keyring.ts'
import { undoBatch } from '../changes/undo-batch.ts'
import type { OrganizationContext, OrganizationEndpoint } from '../contract/endpoint.ts'
import { newId } from '../contract/new-id.ts'
import { createCursors } from '../orders/cursors.ts'
import { createOrganization } from '../organizations/manage-organizations.ts'
import { type ImportOptions, type ImportReport, importLeadFile } from './import-lead-file.ts'

export interface LeadOrganization {
  corp_id: string
  context: OrganizationContext
  import(file: string, options?: ImportOptions): Promise<ImportReport>
  undo(batch_id: string): ReturnType<typeof undoBatch>
  /** Runs the use case of an operation. */
  call(endpoint: unknown, input: object): Promise<Record<string, unknown>>
  query(text: string): Promise<Record<string, unknown>[]>
  /** Every record of users, what they have and what they are found by, byte for byte. */
  records(): Promise<Record<string, string[]>>
}

export async function openLeads(
  database: TestDatabase,
  settings: { country?: string } = {},
): Promise<LeadOrganization> {
  const corp_id = newId()
  const organization = await createOrganization(
    database.owner,
    { corp_id, name: 'School', ...settings },
    new Date(),
  )
  const account = { app_id: 'command-line' } as OrganizationContext['account']
  const db = database.app.of(corp_id)
  const cursors = createCursors()
  const context = { db, organization, account, now: new Date(), newId, cursors, keyring: testKeyring }
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
        ...['users', 'user_events', 'user_tags', 'leads', 'merged_users', 'user_follow_ups', 'user_claims'],
        ...['facet_entries', 'user_duplicates', 'profile_read_model', 'orders'],
      ]
      const found = tables.map(async (table) => {
        const rows = await query(
          `select t::text as record from ${table} t where corp_id = $corp order by t::text collate "C"`,
        )
        return [table, rows.map(({ record }) => record as string)]
      })
      return Object.fromEntries(await Promise.all(found))
    },
  }
}
