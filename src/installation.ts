import { join } from 'node:path'
import type pg from 'pg'
import type { Keyring } from './access/organizations/keyring.ts'
import type { Config } from './config.ts'
import { chooseAppRole, letAppRoleLogIn, withRole } from './database/app-role.ts'
import { type DatabaseOptions, openDatabase } from './database/database.ts'
import { isDistributed } from './database/distribute.ts'
import { reachExternalPostgres } from './database/external-postgres.ts'
import { wantedSchema } from './database/migrate.ts'
import type { QueryMode } from './database/query-mode.ts'
import { currentRole } from './database/schema-store.ts'
import { joinKeyring } from './open-keyring.ts'
import { borrowEmbeddedPostgres, startEmbeddedPostgres } from './postgres/embedded-postgres.ts'
import { openSocketFolder } from './postgres/socket-folder.ts'

/** The database of an installation, for the server and the command line. `open-keyring.ts` opens its keys. */
export interface Installation {
  /** The owner of the schema: migrations, organizations and accounts. */
  owner: pg.ClientConfig
  /** The role of the server, limited by row-level security. */
  app: DatabaseOptions
  /** The same for replicas. */
  replicas: DatabaseOptions[]
  isEmbedded: boolean
  /** Notes for the operator about the roles in use. */
  notice?: string
  stop(): Promise<void>
}

interface InstallationHooks {
  /** Called when the embedded PostgreSQL died and cannot be brought back. */
  onFatal?: (error: Error) => void
  log?: (message: string) => void
  /** Called while the embedded PostgreSQL starts. */
  onLaunched?: () => void
  /** Ends the wait for PostgreSQL. */
  signal?: AbortSignal
}

/** Opens the database. A server owns the embedded PostgreSQL; a command uses the running one, or starts it for its duration. */
export async function openInstallation(
  config: Config,
  how: 'serve' | 'borrow',
  hooks: InstallationHooks = {},
): Promise<Installation> {
  return config.databaseUrl === undefined
    ? openEmbedded(config, how, hooks)
    : openExternal(config, config.databaseUrl, hooks)
}

/** The installation that the primary has opened, for a worker. */
export async function joinInstallation(
  config: Config,
  app: DatabaseOptions,
): Promise<Pick<Installation, 'app' | 'stop'> & { keyring: Keyring }> {
  const keyring = await joinKeyring(config)
  if (config.databaseUrl !== undefined) return { app, keyring, stop: async () => undefined }
  // The address of the other process may lead through its own table of open files.
  const socket = await openSocketFolder(join(config.dataDir, 'postgres'))
  return { app: { ...app, host: socket.host }, keyring, stop: socket.close }
}

/** Maximum wait for a connection or a lock: a caller gets 50301 within two seconds. */
const longestWaitMs = 1200

/** Limits for statements, locks, idle transactions and waits for connections: nothing may hang. */
export function poolLimits(config: Config): DatabaseOptions {
  return {
    queryMode: queryModeOf(config),
    application_name: 'matricula',
    max: config.poolSize,
    heartbeat: true,
    keepAlive: true,
    connectionTimeoutMillis: Math.min(config.connectTimeoutMs, 5000),
    longestWaitMs,
    statement_timeout: config.statementTimeoutMs,
    // Shorter than the statement timeout, so that the error names the lock.
    lock_timeout: Math.min(longestWaitMs, Math.ceil(config.statementTimeoutMs / 2)),
    idle_in_transaction_session_timeout: config.statementTimeoutMs,
    // For a server that has vanished and so cannot end the statement itself.
    query_timeout: config.statementTimeoutMs + 1000,
  }
}

async function openEmbedded(
  config: Config,
  how: 'serve' | 'borrow',
  hooks: InstallationHooks,
): Promise<Installation> {
  const { dataDir } = config
  // Those of the workers, and some for the first process, for commands and for maintenance.
  const settings = { max_connections: String(Math.max(100, config.workers * config.poolSize + 30)) }
  const postgres =
    how === 'serve'
      ? await startEmbeddedPostgres({ dataDir, settings, ...hooks })
      : await borrowEmbeddedPostgres({ dataDir })
  try {
    const app = { ...poolLimits(config), ...postgres.app, knownSchema: await wantedSchema() }
    await refuseRoleBypassingRls(app)
    return {
      owner: { application_name: 'matricula', ...postgres.owner },
      app,
      replicas: [],
      isEmbedded: true,
      stop: postgres.stop,
    }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

async function openExternal(
  config: Config,
  databaseUrl: string,
  { signal }: InstallationHooks,
): Promise<Installation> {
  const owner: pg.ClientConfig = {
    application_name: 'matricula',
    connectionTimeoutMillis: config.connectTimeoutMs,
    connectionString: databaseUrl,
  }
  const client = await reachExternalPostgres(owner, config.connectTimeoutMs, signal)
  const { role, notice } = await chooseRole(client, config.sharded).finally(() => client.end())
  const app = { ...appOptions(config, databaseUrl, role), knownSchema: await wantedSchema() }
  await refuseRoleBypassingRls(app)
  const replicas = config.replicaUrls.map((url) => appOptions(config, url, role))
  return { owner, app, replicas, isEmbedded: false, notice, stop: async () => undefined }
}

async function chooseRole(client: pg.Client, sharded: boolean): ReturnType<typeof chooseAppRole> {
  const chosen = await chooseAppRole(client)
  if (sharded) await letAppRoleLogIn(client)
  else if (await isDistributed(client)) throw new Error(distributedSentence)
  return chosen
}

/** Without the setting, nodes would not know the organization, and every list would be empty. */
const distributedSentence =
  'The tables of this database are distributed over the nodes of a cluster: set MATRICULA_SHARDED=true.'

/** A pooler in transaction mode accepts no connection options, so each transaction sets the app role. */
function appOptions(config: Config, databaseUrl: string, role: string | undefined): DatabaseOptions {
  const limits = poolLimits(config)
  if (role === undefined) return { ...limits, connectionString: databaseUrl }
  if (config.preparedStatements) return { ...limits, connectionString: withRole(databaseUrl, role) }
  return { ...limits, queryMode: { ...queryModeOf(config), role }, connectionString: databaseUrl }
}

function queryModeOf({ preparedStatements, sharded }: Config): QueryMode {
  return { prepared: preparedStatements, sharded }
}

/** Checks the role of an actual connection. */
async function refuseRoleBypassingRls(app: DatabaseOptions): Promise<void> {
  const db = openDatabase({ ...app, max: 1 })
  try {
    const role = await currentRole(db.shared)
    if (role?.bypasses_rls === false) return
    throw new Error(
      `The server would work as the database role ${role?.rolname}, which row-level security does not confine: ` +
        'name a role in DATABASE_URL that is neither a superuser nor has BYPASSRLS.',
    )
  } finally {
    await db.close()
  }
}
