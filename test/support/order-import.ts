import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import { type ImportReport, importOrders } from '../../src/changes/order-import/import-orders.ts'
import type { OrganizationContext } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import type { FileImportOptions } from '../../src/files/row-report.ts'
import { createCursors } from '../../src/search/cursors.ts'
import type { TestDatabase } from '../harness/database.ts'
import { testKeyring } from '../harness/keyring.ts'

export interface ImportOrganization {
  corp_id: string
  context: OrganizationContext
  import(file: string, options?: FileImportOptions): Promise<ImportReport>
  query(text: string): Promise<Record<string, unknown>[]>
  /** Hashes of every row in every table of the organization. */
  checksum(): Promise<string>
}

export async function openImport(database: TestDatabase, time_zone = 'UTC'): Promise<ImportOrganization> {
  const corp_id = newId()
  const organization = await createOrganization(
    database.owner,
    { corp_id, name: 'School', time_zone },
    new Date(),
  )
  const account = {
    app_id: 'command-line',
    permissions: ['finance'],
  } as unknown as OrganizationContext['account']
  const context = {
    db: database.owner.of(corp_id),
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
    import: (file, options = {}) => importOrders(context, file, options),
    query,
    async checksum() {
      const tables = [
        'users',
        'orders',
        'sub_orders',
        'payments',
        'order_versions',
        'order_remarks',
        'ledger_clocks',
        'order_import_rows',
      ]
      const sums = tables.map(
        (table) =>
          `select '${table}' as name, md5(string_agg(t::text, '|' order by t::text)) as sum from ${table} t where corp_id = $corp`,
      )
      return JSON.stringify(await query(`${sums.join(' union all ')} order by name`))
    },
  }
}
