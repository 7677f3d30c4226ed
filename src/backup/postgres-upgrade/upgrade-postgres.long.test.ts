import { readFile, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadSample } from '../../../sample/load-sample.ts'
import { newDataDir } from '../../../test/harness/data-folders.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { cleanUp } from '../../../test/harness/process.ts'
import { openDatabase } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { tenantTables } from '../../database/tables.ts'
import {
  borrowEmbeddedPostgres,
  type PostgresAddress,
  startEmbeddedPostgres,
} from '../../postgres/embedded-postgres.ts'
import { checkBooks } from '../check-books.ts'
import { upgradePostgres } from './upgrade-postgres.ts'

/** An unpacked package of an older major version, if the environment names one; otherwise the same version. */
const olderPackage = process.env.MATRICULA_OLD_POSTGRES
const require = createRequire(import.meta.url)
const ownPackage = dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
const oldPackageDir = olderPackage ?? ownPackage
const evenIfSame = olderPackage === undefined

let dataDir: string
let before: string[]

beforeAll(async () => {
  dataDir = await newDataDir()
  const postgres = await startEmbeddedPostgres({
    dataDir,
    packageDir: oldPackageDir,
    settings: { fsync: 'off' },
  })
  await migrate(postgres.owner)
  const db = openDatabase(postgres.owner)
  await loadSample(db, testKeyring, async () => {})
  await db.close()
  before = await everything(postgres.owner)
  await postgres.stop()
})
afterAll(cleanUp)

test('every row is copied, and the books balance', async () => {
  const { tables, oldFiles } = await upgradePostgres({ dataDir, oldPackageDir, evenIfSame }, () => {})
  expect(tables).toBeGreaterThanOrEqual(tenantTables.length)
  // The state after a kill between moving the old files away and moving the new ones in.
  await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres.upgraded'))
  const postgres = await borrowEmbeddedPostgres({ dataDir })
  await migrate(postgres.owner)
  expect(await everything(postgres.owner)).toEqual(before)
  expect(await checkBooks(postgres.owner, () => {})).toEqual({
    orders: 260,
    discrepancies: 0,
    audit_breaches: 0,
  })
  await postgres.stop()
  expect(await readFile(join(oldFiles, 'PG_VERSION'), 'utf8')).toMatch(/^\d+\n$/)
})

test.runIf(evenIfSame)('a database that needs no upgrade is left alone', async () => {
  await expect(upgradePostgres({ dataDir, oldPackageDir }, () => {})).rejects.toThrow('already.')
})

/** All rows of all tables, as texts. */
async function everything(owner: PostgresAddress): Promise<string[]> {
  const client = new pg.Client({ ...owner, user: 'postgres' })
  await client.connect()
  try {
    const rows: string[] = []
    for (const table of [...tenantTables, 'organizations', 'accounts', 'account_organizations']) {
      const found = await client.query(`select '${table} ' || t::text as row from ${table} t order by 1`)
      for (const { row } of found.rows) rows.push(row)
    }
    return rows
  } finally {
    await client.end()
  }
}
