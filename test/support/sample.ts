import type { SampleCredentials } from '../../sample/load-sample.ts'
import { tenantTables } from '../../src/database/tables.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of many tables, read whole
export type Row = Record<string, any>

/** A loaded sample school, to be read row by row. */
export interface LoadedSample {
  database: TestDatabase
  credentials: SampleCredentials
  tables: Record<string, Row[]>
  of(table: string): Row[]
  /** The rows of a table with this value in a column. */
  by(table: string, key: string, id: string): Row[]
}

export async function loadedSample(): Promise<LoadedSample> {
  const database = await createTestDatabase('sample')
  const credentials = database.sample!
  const tables = await readTables(database)
  const of = (table: string) => tables[table]!
  const indexes = new Map<string, Map<string, Row[]>>()
  const indexOf = (table: string, key: string) => {
    const name = `${table}.${key}`
    if (!indexes.has(name)) {
      const rowsById = Map.groupBy(of(table), (row) => row[key] as string)
      indexes.set(name, rowsById)
    }
    return indexes.get(name)!
  }
  return { database, credentials, tables, of, by: (table, key, id) => indexOf(table, key).get(id) ?? [] }
}

export async function readTables(database: TestDatabase): Promise<Record<string, Row[]>> {
  const read = async (table: string) => {
    const { rows } = await database.superuser.query(
      `select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`,
    )
    return [table, rows.map(({ row }) => row)]
  }
  const shared = ['organizations', 'accounts', 'account_organizations', 'account_secrets']
  return Object.fromEntries(await Promise.all([...shared, ...tenantTables].map(read)))
}
