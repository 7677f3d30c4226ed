import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { keyIdOf } from '../access/organizations/keyring.ts'
import { countSecretsByKey } from '../access/organizations/sealing-keys.ts'
import type { Config } from '../config.ts'
import { findBackupRole } from '../database/backup-role.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../database/database.ts'
import { appRole, schemaStatus } from '../database/migrate.ts'
import { readPrimaryPosition, readReplicaStanding } from '../database/schema-store.ts'
import { type Installation, poolLimits } from '../installation.ts'
import { requireKeys } from '../open-keyring.ts'
import { checkLastFull } from './check-last-full.ts'
import { type RoleStanding, readRoleStanding, readServerState } from './doctor-store.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Findings about an open database. */
export async function checkDatabase(
  installation: Installation,
  config: Config,
  now: Date,
): Promise<Finding[]> {
  const { owner, app, replicas, isEmbedded } = installation
  const limits = poolLimits(config)
  const [db, server] = [openDatabase({ ...limits, ...owner, max: 2 }), openDatabase({ ...app, max: 1 })]
  try {
    const schema = await checkSchema(owner)
    const isCurrent = schema.state === 'ok'
    const standing = await readRoleStanding(db.shared)
    return [
      checkRole(installation, standing),
      ...checkGrants(standing),
      schema,
      ...(isCurrent ? [await checkKey(db, config), await checkLastFull(db, config, now)] : []),
      ...(await checkServer(server, config)),
      ...(isEmbedded ? [] : [await checkDump(owner)]),
      ...(await Promise.all(
        replicas.map((replica, index) => checkReplica(server, replica, index, config.replicaMaxLagMs)),
      )),
    ]
  } finally {
    await server.close()
    await db.close()
  }
}

function checkRole({ notice, isEmbedded }: Installation, { role, has_app_role }: RoleStanding): Finding {
  if (isEmbedded || notice?.includes(`role ${appRole}.`)) return ok('role', `The server works as ${appRole}.`)
  const create = has_app_role ? '' : `create role ${appRole}; `
  return warning(
    'role',
    `The server works as ${role} itself, which could change facts of the ledger.`,
    `As an administrator: ${create}grant ${appRole} to ${pg.escapeIdentifier(role)};`,
  )
}

function checkGrants(standing: RoleStanding): Finding[] {
  const { role, database, may_use_schema, may_create_tables, foreign_tables, open_tables } = standing
  const name = pg.escapeIdentifier(role)
  const findings: Finding[] = []
  findings.push(
    may_use_schema && may_create_tables
      ? ok('grants', `The role ${role} may create tables in ${database}.`)
      : problem(
          'grants',
          `The role ${role} may not create tables in the schema public of ${database}.`,
          `As an administrator: grant usage, create on schema public to ${name};`,
        ),
  )
  if (foreign_tables.length > 0)
    findings.push(
      problem(
        'grants',
        `Another role owns ${listed(foreign_tables)}, so the schema cannot be updated.`,
        `As an administrator: ${foreign_tables.map((table) => `alter table ${table} owner to ${name};`).join(' ')}`,
      ),
    )
  findings.push(
    open_tables.length === 0
      ? ok('row-level security', 'It is forced on every table of organizations.')
      : problem(
          'row-level security',
          `It does not protect ${listed(open_tables)}.`,
          open_tables
            .map((table) => `alter table ${table} enable row level security, force row level security;`)
            .join(' '),
        ),
  )
  return findings
}

async function checkSchema(owner: pg.ClientConfig): Promise<Finding> {
  try {
    const { current, wanted, pending } = await schemaStatus(owner)
    if (pending.length > 0)
      return warning(
        'version',
        `The database has schema ${current}, and this version needs ${wanted}.`,
        'Start a server of this version, or run matricula db migrate.',
      )
    if (current > wanted)
      return warning(
        'version',
        `The database has schema ${current}, which is newer than this version (${wanted}).`,
        'Replace this version by the newer one: an upgrade is under way.',
      )
    return ok('version', `The database has the schema of this version (${current}).`)
  } catch (error) {
    return problem('version', (error as Error).message, 'Run the version that this schema belongs to.')
  }
}

async function checkKey(db: Database, config: Config): Promise<Finding> {
  const counts = await countSecretsByKey(db)
  try {
    const [newest] = ((await requireKeys(config, db)) ?? []).map(keyIdOf)
    if (counts.size === 0) return ok('key', 'No secret is stored yet.')
    const old = [...counts.keys()].filter((id) => id !== newest)
    if (old.length === 0) return ok('key', `Every secret is sealed with the master key ${newest}.`)
    return warning(
      'key',
      `Secrets are still sealed with the older master key ${old.join(', ')}.`,
      'Run matricula key rotate.',
    )
  } catch (error) {
    return problem('key', (error as Error).message, 'Find the key in the place where it is kept, and add it.')
  }
}

/** A request may be late by this before tokens and signatures are refused. */
const [clockWarningMs, clockProblemMs] = [2000, 60_000]

async function checkServer(server: Database, { workers, poolSize }: Config): Promise<Finding[]> {
  const beforeMs = Date.now()
  const { version, jit, max_connections, others, at } = await readServerState(server.shared)
  const offMs = Math.abs(at.getTime() - (beforeMs + Date.now()) / 2)
  const needed = (workers === 1 ? 1 : workers + 1) * (poolSize + 1) + 5
  const off = `${(offMs / 1000).toFixed(1)} seconds`
  return [
    ok('postgresql', `The database is PostgreSQL ${version}.`),
    jit === 'off'
      ? ok('jit', 'Connections of the server have it off.')
      : warning(
          'jit',
          'A pooler drops the setting of our connections, so statements are compiled for nothing.',
          'As an administrator: alter role … set jit = off; for the role of DATABASE_URL.',
        ),
    offMs <= clockWarningMs
      ? ok('clock', `The clocks of the database and of this machine agree within ${off}.`)
      : (offMs > clockProblemMs ? problem : warning)(
          'clock',
          `The clocks of the database and of this machine differ by ${off}.`,
          'Synchronize both machines by NTP (timedatectl set-ntp true).',
        ),
    needed + others <= max_connections
      ? ok('connections', `A server needs up to ${needed} of ${max_connections} connections.`)
      : warning(
          'connections',
          `A server needs up to ${needed} connections, others have ${others}, and there are ${max_connections}.`,
          'Lower MATRICULA_POOL_SIZE or MATRICULA_WORKERS, raise max_connections, or use PgBouncer.',
        ),
  ]
}

async function checkDump(owner: pg.ClientConfig): Promise<Finding> {
  const { role, statements } = await findBackupRole(owner, 'matricula_backup')
  if (statements.length === 0) return ok('dump', `pg_dump as ${role} holds every row.`)
  return warning(
    'dump',
    'pg_dump as the role of DATABASE_URL fails, or holds no row of any organization.',
    `As an administrator: ${statements.join(' ')}`,
  )
}

async function checkReplica(
  primary: Database,
  options: DatabaseOptions,
  index: number,
  maxLagMs: number,
): Promise<Finding> {
  const check = `replica ${index + 1}`
  const replica = openDatabase({ ...options, max: 1 })
  try {
    const position = await readPrimaryPosition(primary.shared)
    const beganMs = performance.now()
    while ((await readReplicaStanding(replica.shared, [position])) === 0) {
      if (performance.now() > beganMs + maxLagMs)
        return warning(
          check,
          `It is more than ${maxLagMs} ms behind, so it is not read from.`,
          'See pg_stat_replication on the primary: the replica is stopped, paused or overloaded.',
        )
      await pause(20)
    }
    return ok(check, `It follows within ${Math.round(performance.now() - beganMs)} ms.`)
  } catch (error) {
    return problem(
      check,
      `It cannot be used: ${(error as Error).message.replace(/\.$/, '')}.`,
      'Name streaming replicas of DATABASE_URL in DATABASE_REPLICA_URLS, in the order of this report.',
    )
  } finally {
    await replica.close()
  }
}

function listed(names: string[]): string {
  return names.length > 5
    ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} others`
    : names.join(', ')
}
