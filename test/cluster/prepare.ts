import pg from 'pg'
import { chooseAppRole } from '../../src/database/app-role.ts'
import { migrate } from '../../src/database/migrate.ts'
import { referenceTables, tenantTables } from '../../src/database/tables.ts'
import { auditorRole } from '../harness/cluster.ts'

/** Distinguishes a database that these tests may empty from one in use. */
const marker = 'matricula_cluster_tests'

export async function refuseUsed(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select to_regclass('organizations') is not null and to_regclass($1) is null as is_used`,
    [marker],
  )
  if (rows[0].is_used)
    throw new Error('The tests of a cluster empty its database, and DATABASE_URL names one that is in use.')
}

/** The schema as a server makes it when it first starts: on the coordinator alone. */
export async function makeSchema(client: pg.Client, url: string): Promise<void> {
  await client.query(`create table if not exists ${marker} (at timestamptz)`)
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> $1`,
    [marker],
  )
  if (rows.length > 0) await client.query(`drop table ${rows.map(({ name }) => name)} cascade`)
  await chooseAppRole(client)
  await migrate({ connectionString: url })
}

/** Lets the tests bypass row-level security, on every node. */
export async function createAuditor(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [auditorRole])
  if (!rowCount) await client.query(`create role ${auditorRole} login`)
  // It has no members: policies for a role apply to its members too.
  if (client.password) {
    await client.query(`alter role ${auditorRole} password ${client.escapeLiteral(client.password)}`)
  }
  // Sees the waits of other sessions.
  await client.query(`grant pg_monitor to ${auditorRole}`)
  await client.query(`grant usage on schema public to ${auditorRole}`)
  await client.query(`grant select on ${marker} to ${auditorRole}`)
  for (const tables of [tenantTables, referenceTables]) {
    await client.query(`grant select, insert, update, delete on ${tables} to ${auditorRole}`)
  }
  for (const table of tenantTables) {
    await client.query(`create policy auditor on ${table} to ${auditorRole} using (true)`)
  }
}

export async function withClient<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
