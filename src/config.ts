import { Resolver } from 'node:dns'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { LevelWithSilent } from 'pino'
import { readTrustProxy, type TrustProxy } from './access/client-address.ts'
import type { HeadTarget } from './backup/published-heads/destinations.ts'

/** Every setting of the service. This file is the only reader of the environment. */
export interface Config {
  host: string
  port: number
  /** Absent: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  dataDir: string
  replicaUrls: string[]
  replicaMaxLagMs: number
  /** Newest first; absent on the embedded default, where the key is kept in the data folder. */
  masterKeys: Buffer[] | undefined
  logLevel: LevelWithSilent
  /** Processes that serve; 1: everything in one. */
  workers: number
  /** Per process. */
  poolSize: number
  preparedStatements: boolean
  sharded: boolean
  maintenanceIntervalMs: number
  statementTimeoutMs: number
  connectTimeoutMs: number
  requestTimeoutMs: number
  drainTimeoutMs: number
  bodyLimitBytes: number
  trustProxy: TrustProxy
  /** Present in a worker. */
  workerId: number | undefined
  publicUrl: URL | undefined
  privateProviders: boolean
  privateWebhooks: boolean
  /** Empty: those of the system. */
  dnsServers: string[]
  /** Absent: heads of the chains are published to the log and beside backups only. */
  auditHeads: HeadTarget | undefined
}

interface Setting<T> {
  default: string | undefined
  /** What the documentation shows, where the default depends on the machine. */
  defaultShown?: string
  meaning: string
  /** What would be right, to be read after "must be". */
  right: string
  /** Undefined for a value that is not right. */
  read(text: string): T | undefined
}

const anyText = (text: string) => text
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** docs/configuration.md is generated from this table. */
export const settings = {
  HOST: {
    default: '127.0.0.1',
    meaning: 'Address to listen on',
    right: 'a host name or address',
    read: anyText,
  },
  PORT: { default: '8080', meaning: 'Port to listen on; 0 takes a free one', ...wholeNumber(0, 65_535) },
  DATABASE_URL: {
    default: undefined,
    meaning: 'PostgreSQL 15 or later to use; without it, the embedded one is started',
    right: 'a URL such as postgres://user:password@host:5432/database',
    read: (text) => (isDatabaseUrl(text) ? text : undefined),
  },
  DATABASE_REPLICA_URLS: {
    default: '',
    meaning: 'Streaming replicas of DATABASE_URL, separated by commas, from which order lists may be read',
    right: 'URLs such as postgres://user:password@host:5432/database, separated by commas',
    read: readUrls,
  },
  MATRICULA_REPLICA_MAX_LAG_MS: {
    default: '1000',
    meaning: 'How far a replica may be behind to be read from; one that is further behind is left alone',
    ...wholeNumber(100, 600_000),
  },
  MATRICULA_DATA: {
    default: './data',
    meaning: 'Folder of the embedded PostgreSQL',
    right: 'a folder',
    read: (text) => resolve(text),
  },
  MATRICULA_KEY: {
    default: undefined,
    meaning:
      'Master key; made and kept in the data folder on the embedded default, required with DATABASE_URL',
    right:
      '64 hexadecimal digits (make one with: openssl rand -hex 32); several, newest first, separated by commas',
    read: readKeys,
  },
  MATRICULA_LOG_LEVEL: {
    default: 'info',
    meaning: 'How much is logged (to standard error, one JSON object a line)',
    right: `one of ${logLevels.join(', ')}`,
    read: (text) => (logLevels.includes(text) ? (text as LevelWithSilent) : undefined),
  },
  MATRICULA_WORKERS: {
    default: String(availableParallelism()),
    defaultShown: 'one per core',
    meaning: 'Processes that share the port and the work; 1 does everything in a single process',
    ...wholeNumber(1, 256),
  },
  MATRICULA_POOL_SIZE: {
    default: '10',
    meaning:
      'Database connections of each process, and one more that watches the database; with several workers, as many for each',
    ...wholeNumber(1, 1000),
  },
  MATRICULA_PREPARED_STATEMENTS: {
    default: 'true',
    meaning: 'Whether statements are prepared under names; false for PgBouncer in transaction mode',
    ...yesOrNo(),
  },
  MATRICULA_SHARDED: {
    default: 'false',
    meaning: 'Whether DATABASE_URL is a Citus cluster whose tables `matricula db distribute` has distributed',
    ...yesOrNo(),
  },
  MATRICULA_MAINTENANCE_INTERVAL_MS: {
    default: '30000',
    meaning:
      'How often maintenance runs: orders expire, idle users return to the public pool, people kept long enough are erased, old keys and files removed, interrupted work resumed',
    ...wholeNumber(100, 86_400_000),
  },
  MATRICULA_STATEMENT_TIMEOUT_MS: {
    default: '7000',
    meaning:
      'Maximum duration of a statement (of a command at least a minute). If the answer is lost, the wait ends a second later',
    ...wholeNumber(100, 600_000),
  },
  MATRICULA_CONNECT_TIMEOUT_MS: {
    default: '30000',
    meaning: 'Longest to wait at the start for DATABASE_URL to accept connections',
    ...wholeNumber(100, 600_000),
  },
  MATRICULA_REQUEST_TIMEOUT_MS: {
    default: '30000',
    meaning: 'Longest a request may take to arrive',
    ...wholeNumber(100, 600_000),
  },
  MATRICULA_DRAIN_TIMEOUT_MS: {
    default: '15000',
    meaning: 'Longest to wait at the end for requests under way',
    ...wholeNumber(0, 600_000),
  },
  MATRICULA_BODY_LIMIT: {
    default: '1048576',
    meaning: 'Largest request body, in bytes',
    ...wholeNumber(1024, 104_857_600),
  },
  MATRICULA_TRUST_PROXY: {
    default: '0',
    meaning: 'Proxies in front whose X-Forwarded-For is believed: how many there are, or their networks',
    right:
      'the number of proxies in front (0: none), or their networks such as 10.0.0.0/8, separated by commas',
    read: readTrustProxy,
  },
  MATRICULA_PUBLIC_URL: {
    default: undefined,
    defaultShown: 'localhost',
    meaning: 'Address at which browsers reach the console: passkeys and OpenID Connect are bound to it',
    right: 'an address such as https://matricula.example.edu, without a path; http for localhost only',
    read: readPublicUrl,
  },
  MATRICULA_PRIVATE_PROVIDERS: {
    default: 'false',
    meaning:
      'Whether the OpenID Connect providers of organizations may be in private networks, and on localhost without TLS',
    ...yesOrNo(),
  },
  MATRICULA_PRIVATE_WEBHOOKS: {
    default: 'false',
    meaning:
      'Whether webhooks may be sent into private networks, to any port and without TLS: for tests, and for receivers in the network of the operator',
    ...yesOrNo(),
  },
  MATRICULA_DNS_SERVERS: {
    default: '',
    defaultShown: 'those of the system',
    meaning: 'Name servers by which the e-mail domains of organizations are verified, separated by commas',
    right:
      'IP addresses, each with a port where it is not 53 (9.9.9.9, 10.0.0.2:5353, [2620:fe::fe]:53), separated by commas',
    read: readNameServers,
  },
  MATRICULA_AUDIT_HEADS: {
    default: undefined,
    meaning:
      'Folder, or https address that takes POST, outside the database: the heads of the audit and the ledger are published there, at most once a minute; `audit verify` compares with the folder',
    right: 'a folder, or an https address without user and password; http for localhost only',
    read: readHeadTarget,
  },
} as const satisfies Record<string, Setting<unknown>>

/** Not a setting: the primary sets it for its workers. */
const workerVariable = 'MATRICULA_WORKER_ID'

export function environmentOfWorker(id: number): Record<string, string | undefined> {
  return { ...process.env, [workerVariable]: String(id) }
}

/** Throws one sentence per invalid setting: its name, and valid values. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const complaints: string[] = []
  const read = <T>(name: keyof typeof settings): T => {
    const setting: Setting<unknown> = settings[name]
    const text = env[name] || setting.default
    if (text === undefined) return undefined as T
    const value = setting.read(text)
    if (value === undefined) complaints.push(`${name} must be ${setting.right}.`)
    return value as T
  }
  const config: Config = {
    host: read('HOST'),
    port: read('PORT'),
    databaseUrl: read('DATABASE_URL'),
    dataDir: read('MATRICULA_DATA'),
    replicaUrls: read('DATABASE_REPLICA_URLS'),
    replicaMaxLagMs: read('MATRICULA_REPLICA_MAX_LAG_MS'),
    masterKeys: read('MATRICULA_KEY'),
    logLevel: read('MATRICULA_LOG_LEVEL'),
    workers: read('MATRICULA_WORKERS'),
    poolSize: read('MATRICULA_POOL_SIZE'),
    preparedStatements: read('MATRICULA_PREPARED_STATEMENTS'),
    sharded: read('MATRICULA_SHARDED'),
    maintenanceIntervalMs: read('MATRICULA_MAINTENANCE_INTERVAL_MS'),
    statementTimeoutMs: read('MATRICULA_STATEMENT_TIMEOUT_MS'),
    connectTimeoutMs: read('MATRICULA_CONNECT_TIMEOUT_MS'),
    requestTimeoutMs: read('MATRICULA_REQUEST_TIMEOUT_MS'),
    drainTimeoutMs: read('MATRICULA_DRAIN_TIMEOUT_MS'),
    bodyLimitBytes: read('MATRICULA_BODY_LIMIT'),
    trustProxy: read('MATRICULA_TRUST_PROXY'),
    workerId: env[workerVariable] ? Number(env[workerVariable]) : undefined,
    publicUrl: read('MATRICULA_PUBLIC_URL'),
    privateProviders: read('MATRICULA_PRIVATE_PROVIDERS'),
    privateWebhooks: read('MATRICULA_PRIVATE_WEBHOOKS'),
    dnsServers: read('MATRICULA_DNS_SERVERS'),
    auditHeads: read('MATRICULA_AUDIT_HEADS'),
  }
  if (config.databaseUrl && !config.masterKeys && complaints.length === 0) {
    complaints.push(`MATRICULA_KEY is required with DATABASE_URL: ${settings.MATRICULA_KEY.right}.`)
  }
  if (complaints.length === 0) complaints.push(...contradictionsIn(config))
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return config
}

/** Settings that are valid alone, but not together. */
function contradictionsIn({ databaseUrl, replicaUrls, sharded, preparedStatements }: Config): string[] {
  const complaints: string[] = []
  if (databaseUrl === undefined) {
    if (replicaUrls.length > 0) complaints.push('DATABASE_REPLICA_URLS needs DATABASE_URL.')
    if (sharded) complaints.push('MATRICULA_SHARDED needs DATABASE_URL.')
    if (!preparedStatements) complaints.push('MATRICULA_PREPARED_STATEMENTS=false needs DATABASE_URL.')
  }
  // Each node of a cluster has a log of its own, so how far a replica has come cannot be told from one of them.
  if (sharded && replicaUrls.length > 0)
    complaints.push('DATABASE_REPLICA_URLS cannot be combined with MATRICULA_SHARDED.')
  return complaints
}

function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
}

function readUrls(text: string): string[] | undefined {
  const urls = text.split(',').map((url) => url.trim())
  if (text.trim() === '') return []
  return urls.every(isDatabaseUrl) ? urls : undefined
}

function readNameServers(text: string): string[] | undefined {
  const servers = text.split(',').map((server) => server.trim())
  if (text.trim() === '') return []
  try {
    new Resolver().setServers(servers)
    return servers
  } catch {
    return undefined
  }
}

/** Browsers allow passkeys and secure cookies for https and localhost only. */
function readPublicUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === 'localhost')
  return isSafe && url!.href === `${url!.origin}/` ? url : undefined
}

function readHeadTarget(text: string): HeadTarget | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { folder: resolve(text) }
  const address = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = address?.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(address.hostname)
  if (address?.protocol !== 'https:' && !isLocal) return undefined
  return address!.username === '' && address!.password === '' ? { address: address! } : undefined
}

function yesOrNo(): Pick<Setting<boolean>, 'right' | 'read'> {
  return {
    right: 'true or false',
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  }
}

function wholeNumber(least: number, most: number): Pick<Setting<number>, 'right' | 'read'> {
  return {
    right: `a whole number from ${least} to ${most}`,
    read(text) {
      const value = /^[0-9]{1,12}$/.test(text) ? Number(text) : Number.NaN
      return value >= least && value <= most ? value : undefined
    },
  }
}

function readKeys(text: string): Buffer[] | undefined {
  const keys = text.split(',').map((key) => key.trim())
  return keys.every((key) => /^[0-9a-fA-F]{64}$/.test(key))
    ? keys.map((key) => Buffer.from(key, 'hex'))
    : undefined
}
