import pg from 'pg'
import { inject } from 'vitest'
import type { SampleCredentials } from '../../sample/load-sample.ts'
import { newId } from '../../src/contract/new-id.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/database/database.ts'
import '../../src/derived/derived-data.ts'
import { emptyClusterDatabase } from './cluster.ts'

export interface TestDatabase {
  name: string
  /** The role that owns the schema. Forced row-level security applies to it too. */
  owner: Database
  /** The server's own role. */
  app: Database
  /** Bypasses row-level security, to read stored rows. */
  superuser: pg.Pool
  /** Opens another pool with the server's role. */
  appOptions: DatabaseOptions
  /** For processes that work on this database. */
  settings: Record<string, string>
  /** Present if the database has the sample school. */
  sample?: SampleCredentials
  /** The number of sessions that wait for a lock, on all nodes. */
  lockWaits(): Promise<number>
  drop(): Promise<void>
}

/** A separate database for a test file, copied from a template; template1 has no schema. */
export async function createTestDatabase(
  template: 'matricula' | 'sample' | 'template1' = 'matricula',
): Promise<TestDatabase> {
  const cluster = inject('cluster')
  if (cluster && template !== 'template1') return emptyClusterDatabase(cluster, template)
  const { host, port } = inject('postgres')
  const name = `test_${newId()}`
  const admin = new pg.Client({ host, port, user: 'postgres', database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${name} template ${template} owner matricula_owner strategy file_copy`)
  const owner = openDatabase({ host, port, user: 'matricula_owner', database: name, max: 4 })
  const appOptions = { host, port, user: 'matricula_app', database: name, max: 10 }
  const app = openDatabase(appOptions)
  const superuser = new pg.Pool({ host, port, user: 'postgres', database: name, max: 4 })
  // Dropping the database ends connections that are still closing.
  superuser.on('error', () => {})
  superuser.on('connect', (client) => client.on('error', () => {}))
  return {
    name,
    owner,
    app,
    superuser,
    appOptions,
    settings: { DATABASE_URL: `postgres:///${name}?host=${encodeURIComponent(host)}&user=matricula_owner` },
    sample: template === 'sample' ? inject('sample') : undefined,
    async lockWaits() {
      const { rows } = await superuser.query(
        `select count(*)::int as waits from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows[0].waits
    },
    async drop() {
      await Promise.all([owner.close(), app.close(), superuser.end()])
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
