import pg from 'pg'
import { loadSample } from '../../sample/load-sample.ts'
import { withRole } from '../../src/database/app-role.ts'
import { openDatabase } from '../../src/database/database.ts'
import { appRole } from '../../src/database/migrate.ts'
import { referenceTables, tenantTables } from '../../src/database/tables.ts'
import type { TestDatabase } from './database.ts'
import { testKeyring } from './keyring.ts'

/** Sees every organization on every node, by its own policies. No role of the service can. */
export const auditorRole = 'matricula_test_auditor'

/** A cluster cannot copy databases, so its only one is emptied for every test file. */
export async function emptyClusterDatabase(
  url: string,
  template: 'matricula' | 'sample',
): Promise<TestDatabase> {
  const queryMode = { prepared: true, sharded: true }
  const owner = openDatabase({ connectionString: url, queryMode, max: 4 })
  // Many concurrent calls take longer here than on one PostgreSQL, which proves nothing.
  const appOptions = {
    connectionString: withRole(url, appRole),
    queryMode,
    max: 10,
    connectionTimeoutMillis: 60_000,
  }
  const app = openDatabase(appOptions)
  const auditor = Object.assign(new URL(url), { username: auditorRole })
  const superuser = new pg.Pool({ connectionString: auditor.href, max: 4 })
  // A table refers to earlier ones. Truncating would create all files of all shards again.
  const kept = new Set(['schema_migrations'])
  for (const table of [...referenceTables, ...tenantTables].reverse())
    if (!kept.has(table)) await superuser.query(`delete from ${table}`)
  return {
    name: new URL(url).pathname.slice(1),
    owner,
    app,
    superuser,
    appOptions,
    settings: { DATABASE_URL: url, MATRICULA_SHARDED: 'true' },
    sample: template === 'sample' ? await loadSample(owner, testKeyring, async () => {}) : undefined,
    async lockWaits() {
      // A session that waits for several locks appears several times.
      const { rows } = await superuser.query(
        'select count(distinct waiting_gpid)::int as waits from citus_lock_waits',
      )
      return rows[0].waits
    },
    async drop() {
      await Promise.all([owner.close(), app.close(), superuser.end()])
    },
  }
}
