import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { chooseAppRole } from '../../src/database/app-role.ts'
import { distribute } from '../../src/database/distribute.ts'
import { migrate } from '../../src/database/migrate.ts'
import { referenceTables, tenantTables } from '../../src/database/tables.ts'
import { auditorRole } from '../harness/cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a coordinator; absent where the tests run on the embedded PostgreSQL. */
    cluster?: string
  }
}

/** Tells a database that these tests may empty from one that somebody uses. */
const marker = 'matricula_cluster_tests'

/** Makes the schema of a cluster anew, distributes it, and leaves it to the test files one after the other. */
export default async function setup(project: TestProject) {
  const { DATABASE_URL: url } = process.env
  if (!url) throw new Error('The tests of a cluster need DATABASE_URL, the address of a Citus coordinator.')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await refuseUsed(client)
    await client.query(`drop table if exists ${[...tenantTables, ...referenceTables].join(', ')} cascade`)
    await client.query(`create table if not exists ${marker} (at timestamptz)`)
    await chooseAppRole(client)
    await migrate({ connectionString: url })
    await distribute({ connectionString: url })
    await createAuditor(client)
  } finally {
    await client.end()
  }
  project.provide('cluster', url)
}

async function refuseUsed(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select to_regclass('organizations') is not null and to_regclass($1) is null as is_used`,
    [marker],
  )
  if (rows[0].is_used)
    throw new Error('The tests of a cluster empty its database, and DATABASE_URL names one that is in use.')
}

async function createAuditor(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [auditorRole])
  if (!rowCount) await client.query(`create role ${auditorRole} login`)
  await client.query(`grant ${auditorRole} to current_user`)
  await client.query(`grant usage on schema public to ${auditorRole}`)
  for (const tables of [tenantTables, referenceTables]) {
    await client.query(`grant select, insert, update, delete on ${tables} to ${auditorRole}`)
  }
  for (const table of tenantTables) {
    await client.query(`create policy auditor on ${table} to ${auditorRole} using (true)`)
  }
}
