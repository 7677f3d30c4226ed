import { Resolver } from 'node:dns'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { LevelWithSilent } from 'pino'
import { readTrustProxy, type TrustProxy } from './access/client-address.ts'
import type { HeadTarget } from './backup/published-heads/destinations.ts'
import { observationSettings } from './config/observation-settings.ts'
import { anyText, type Setting, wholeNumber, yesOrNo } from './config/setting.ts'
import { readTracing, tracingSettings } from './config/tracing-settings.ts'
import type { TraceSettings } from './server/trace-settings.ts'

/** Every setting of the service. This file is the only reader of the environment. */
export interface Config {
  host: string
  port: number
  /** Whether systemd has opened the port by a socket unit. */
  isPortInherited: boolean
  /** Absent: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  dataDir: string
  replicaUrls: string[]
  replicaMaxLagMs: number
  /** Newest first; absent on the embedded default, where the key is kept in the data folder. */
  masterKeys: Buffer[] | undefined
  /** Ids of master keys whose secrets are given up. */
  lostKeys: string[]
  logLevel: LevelWithSilent
  /** 0: none is logged. */
  slowCallMs: number
  /** Networks that get the header Server-Timing. */
  serverTiming: string[]
  metricsSchools: number
  /** Absent: no traces are recorded. */
  traces: TraceSettings | undefined
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
  drainMs: number
  drainTimeoutMs: number
  bodyLimitBytes: number
  trustProxy: TrustProxy
  /** Present in a worker. */
  workerId: number | undefined
  publicUrl: URL | undefined
  /** Absent: no mail is sent. */
  smtpUrl: URL | undefined
  mailFrom: { name: string; address: string } | undefined
  /** Whether calls that change something are refused, and background work pauses. */
  readOnly: boolean
  privateProviders: boolean
  privateWebhooks: boolean
  /** Empty: those of the system. */
  dnsServers: string[]
  /** Absent: heads of the chains are published to the log and beside backups only. */
  auditHeads: HeadTarget | undefined
  pidFile: string | undefined
  /** The parent process is npm. If it ends, nobody can stop this server by it. */
  isStartedByNpm: boolean
  /** Variables with our prefix that are no settings. */
  unknownSettings: string[]
}

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
    isSecret: true,
    read: (text) => (isDatabaseUrl(text) ? text : undefined),
  },
  DATABASE_REPLICA_URLS: {
    default: '',
    meaning: 'Streaming replicas of DATABASE_URL, separated by commas, from which order lists may be read',
    right: 'URLs such as postgres://user:password@host:5432/database, separated by commas',
    isSecret: true,
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
    isSecret: true,
    read: readKeys,
  },
  MATRICULA_LOST_KEYS: {
    default: '',
    meaning:
      'Ids of master keys that are lost for good, separated by commas: the server starts without them, and secrets that they seal stay closed',
    right: 'ids of master keys, such as 7f8fd672, separated by commas',
    read: readKeyIds,
  },
  MATRICULA_LOG_LEVEL: {
    default: 'info',
    meaning: 'How much is logged (to standard error, one JSON object a line)',
    right: `one of ${logLevels.join(', ')}`,
    read: (text) => (logLevels.includes(text) ? (text as LevelWithSilent) : undefined),
  },
  ...observationSettings,
  ...tracingSettings,
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
  MATRICULA_DRAIN_MS: {
    default: '5000',
    meaning:
      'How long, after SIGTERM, /readyz answers 503 while requests are still served, so that proxies send no more; SIGINT stops without it',
    ...wholeNumber(0, 600_000),
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
    right:
      'an address such as https://matricula.example.edu without a path (the console needs a host name of its own); http for localhost only',
    read: readPublicUrl,
  },
  MATRICULA_SMTP_URL: {
    default: undefined,
    meaning:
      'Mail server: invitations, new passwords, payment requests and alerts are then sent by mail; it needs MATRICULA_MAIL_FROM and MATRICULA_PUBLIC_URL',
    right:
      'a URL such as smtp://user:password@mail.example.com:587 (STARTTLS) or smtps://user:password@mail.example.com:465',
    isSecret: true,
    read: readSmtpUrl,
  },
  MATRICULA_MAIL_FROM: {
    default: undefined,
    meaning: 'Sender of mails',
    right: 'one e-mail address, also with a name: Northgate Office <office@example.com>',
    read: readSender,
  },
  MATRICULA_READ_ONLY: {
    default: 'false',
    meaning:
      'Whether the service is read-only: calls that change something answer 50302, and background work rests; SIGHUP reads it again',
    ...yesOrNo(),
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
    isSecret: true,
    read: readHeadTarget,
  },
  MATRICULA_PID_FILE: {
    default: undefined,
    meaning: 'File that holds the id of the first process while the server runs: send signals there',
    right: 'a file',
    read: (text) => resolve(text),
  },
  MATRICULA_SETTINGS: {
    default: undefined,
    meaning:
      'File with further settings, one NAME=value a line; the environment comes first. SIGHUP reads MATRICULA_LOG_LEVEL, MATRICULA_READ_ONLY and MATRICULA_KEY again, also from MATRICULA_KEY_FILE',
    right: 'a file that this user may read',
    read: anyText,
  },
} as const satisfies Record<string, Setting<unknown>>

/** For each secret, the setting that names a file with its value, such as MATRICULA_KEY_FILE. */
export const secretFileSettings: Record<string, Setting<string>> = Object.fromEntries(
  Object.entries<Setting<unknown>>(settings)
    .filter(([, { isSecret }]) => isSecret)
    .map(([name]) => [
      fileSettingOf(name),
      {
        default: undefined,
        meaning: `File that holds the value of ${name}, in place of it; spaces and line ends around the value are left out`,
        right: 'a file that this user may read',
        read: anyText,
      },
    ]),
)

function fileSettingOf(name: string): string {
  return `${name}_FILE`
}

/** Not a setting: the primary sets it for its workers. */
const workerVariable = 'MATRICULA_WORKER_ID'

export function environmentOfWorker(id: number): Record<string, string | undefined> {
  return { ...process.env, [workerVariable]: String(id) }
}

type Environment = Record<string, string | undefined>

/** The settings of this process, with the present content of MATRICULA_SETTINGS and of the files of secrets. */
export function rereadConfig(): Config {
  return readConfig(process.env)
}

/** Throws one sentence per invalid setting: its name, and valid values. */
export function readConfig(environment: Environment): Config {
  const env = withFile(environment)
  const { misspelt, unknown } = findUnknown(env)
  const complaints: string[] = [...misspelt]
  const read = <T>(name: keyof typeof settings): T => {
    const setting: Setting<unknown> = settings[name]
    const secret = setting.isSecret ? readSecretFile(name, env) : undefined
    if (secret?.complaint) complaints.push(secret.complaint)
    const text = secret ? secret.content : env[name] || setting.default
    if (text === undefined) return undefined as T
    const value = setting.read(text)
    const origin = secret ? `The content of ${fileSettingOf(name)}` : name
    if (value === undefined) complaints.push(`${origin} must be ${setting.right}.`)
    return value as T
  }
  const config: Config = {
    host: read('HOST'),
    port: read('PORT'),
    isPortInherited: env.LISTEN_PID === String(process.pid),
    databaseUrl: read('DATABASE_URL'),
    dataDir: read('MATRICULA_DATA'),
    replicaUrls: read('DATABASE_REPLICA_URLS'),
    replicaMaxLagMs: read('MATRICULA_REPLICA_MAX_LAG_MS'),
    masterKeys: read('MATRICULA_KEY'),
    lostKeys: read('MATRICULA_LOST_KEYS'),
    logLevel: read('MATRICULA_LOG_LEVEL'),
    slowCallMs: read('MATRICULA_SLOW_CALL_MS'),
    serverTiming: read('MATRICULA_SERVER_TIMING'),
    metricsSchools: read('MATRICULA_METRICS_SCHOOLS'),
    traces: readTracing(read),
    workers: read('MATRICULA_WORKERS'),
    poolSize: read('MATRICULA_POOL_SIZE'),
    preparedStatements: read('MATRICULA_PREPARED_STATEMENTS'),
    sharded: read('MATRICULA_SHARDED'),
    maintenanceIntervalMs: read('MATRICULA_MAINTENANCE_INTERVAL_MS'),
    statementTimeoutMs: read('MATRICULA_STATEMENT_TIMEOUT_MS'),
    connectTimeoutMs: read('MATRICULA_CONNECT_TIMEOUT_MS'),
    requestTimeoutMs: read('MATRICULA_REQUEST_TIMEOUT_MS'),
    drainMs: read('MATRICULA_DRAIN_MS'),
    drainTimeoutMs: read('MATRICULA_DRAIN_TIMEOUT_MS'),
    bodyLimitBytes: read('MATRICULA_BODY_LIMIT'),
    trustProxy: read('MATRICULA_TRUST_PROXY'),
    workerId: env[workerVariable] ? Number(env[workerVariable]) : undefined,
    publicUrl: read('MATRICULA_PUBLIC_URL'),
    smtpUrl: read('MATRICULA_SMTP_URL'),
    mailFrom: read('MATRICULA_MAIL_FROM'),
    readOnly: read('MATRICULA_READ_ONLY'),
    privateProviders: read('MATRICULA_PRIVATE_PROVIDERS'),
    privateWebhooks: read('MATRICULA_PRIVATE_WEBHOOKS'),
    dnsServers: read('MATRICULA_DNS_SERVERS'),
    auditHeads: read('MATRICULA_AUDIT_HEADS'),
    pidFile: read('MATRICULA_PID_FILE'),
    isStartedByNpm: env.npm_lifecycle_event === 'start',
    unknownSettings: unknown,
  }
  if (config.databaseUrl && !config.masterKeys && complaints.length === 0) {
    complaints.push(`MATRICULA_KEY is required with DATABASE_URL: ${settings.MATRICULA_KEY.right}.`)
  }
  if (config.isPortInherited && env.LISTEN_FDS !== '1')
    complaints.push('The socket unit must have one ListenStream: the service has one port.')
  if (complaints.length === 0) complaints.push(...contradictionsIn(config))
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return config
}

/** The environment has priority: the person who starts the server sets it. */
function withFile(env: Environment): Environment {
  const file = env.MATRICULA_SETTINGS
  if (!file) return env
  const { content, complaint } = readTextFile('MATRICULA_SETTINGS', file)
  if (complaint) throw new Error(complaint)
  return { ...parseEnv(content!), ...env }
}

type FileReading = { content: string; complaint?: undefined } | { content?: undefined; complaint: string }

/** Undefined where no file is named. An empty file is refused: it must not mean the default, such as another database. */
function readSecretFile(name: string, env: Environment): FileReading | undefined {
  const setting = fileSettingOf(name)
  const file = env[setting]
  if (!file) return undefined
  if (env[name]) return { complaint: `${name} and ${setting} are both set: remove one of them.` }
  const reading = readTextFile(setting, file)
  if (reading.complaint) return reading
  const content = reading.content!.trim()
  if (content) return { content }
  return { complaint: `${setting} names ${file}, which is empty: write the value of ${name} into it.` }
}

function readTextFile(setting: string, file: string): FileReading {
  try {
    return { content: readFileSync(file, 'utf8') }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { complaint: `${setting} must be a file that this user may read, and ${file} is not (${code}).` }
  }
}

const prefix = 'MATRICULA_'
/** Read by others: the primary, and the scripts of npm. */
const ofOthers = [workerVariable, 'MATRICULA_SKIP_INSTALL']

/** A name that nearly is a setting is misspelt. Others may belong to a newer version, or to the operator. */
function findUnknown(env: Environment): { misspelt: string[]; unknown: string[] } {
  const known = [...Object.keys(settings), ...Object.keys(secretFileSettings)]
  const strange = Object.keys(env).filter(
    (name) => name.startsWith(prefix) && !known.includes(name) && !ofOthers.includes(name),
  )
  const likely = new Map(strange.map((name) => [name, known.find((each) => isMisspelling(name, each))]))
  return {
    misspelt: [...likely]
      .filter(([, meant]) => meant !== undefined)
      .map(([name, meant]) => `${name} is not a setting: rename it to ${meant}, or remove it.`),
    unknown: strange.filter((name) => likely.get(name) === undefined),
  }
}

/** Whether two edits turn one name into the other. */
function isMisspelling(name: string, meant: string): boolean {
  if (Math.abs(name.length - meant.length) > 2) return false
  let before = Array.from({ length: meant.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...name].entries()) {
    const line = [row + 1]
    for (let column = 1; column <= meant.length; column++) {
      const replaced = before[column - 1]! + (letter === meant[column - 1] ? 0 : 1)
      line.push(Math.min(replaced, before[column]! + 1, line[column - 1]! + 1))
    }
    before = line
  }
  return before[meant.length]! <= 2
}

/** Settings that are valid alone, but not together. */
function contradictionsIn(config: Config): string[] {
  const { databaseUrl, replicaUrls, sharded, preparedStatements, smtpUrl, mailFrom, publicUrl } = config
  const complaints: string[] = []
  if (smtpUrl && !mailFrom) complaints.push('MATRICULA_SMTP_URL needs MATRICULA_MAIL_FROM.')
  if (smtpUrl && !publicUrl)
    complaints.push('MATRICULA_SMTP_URL needs MATRICULA_PUBLIC_URL, since mails have links.')
  if (databaseUrl === undefined) {
    if (replicaUrls.length > 0) complaints.push('DATABASE_REPLICA_URLS needs DATABASE_URL.')
    if (sharded) complaints.push('MATRICULA_SHARDED needs DATABASE_URL.')
    if (!preparedStatements) complaints.push('MATRICULA_PREPARED_STATEMENTS=false needs DATABASE_URL.')
  }
  // Each node of a cluster has its own log, so none of them shows the lag of a replica.
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

function readSmtpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.search === '' && url.hash === '' && ['', '/'].includes(url.pathname)
  return isPlain && /^smtps?:$/.test(url!.protocol) && url!.hostname !== '' ? url : undefined
}

/** An address, or a name and an address in angle brackets. */
function readSender(text: string): { name: string; address: string } | undefined {
  const [, name = '', named, alone] =
    /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^\s@<>]+@[^\s@<>]+)>|([^\s@<>,;"]+@[^\s@<>,;"]+))$/u.exec(text.trim()) ??
    []
  const address = named ?? alone
  return address === undefined ? undefined : { name, address }
}

function readHeadTarget(text: string): HeadTarget | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { folder: resolve(text) }
  const address = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = address?.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(address.hostname)
  if (address?.protocol !== 'https:' && !isLocal) return undefined
  return address!.username === '' && address!.password === '' ? { address: address! } : undefined
}

function readKeys(text: string): Buffer[] | undefined {
  const keys = text.split(',').map((key) => key.trim())
  return keys.every((key) => /^[0-9a-fA-F]{64}$/.test(key))
    ? keys.map((key) => Buffer.from(key, 'hex'))
    : undefined
}

function readKeyIds(text: string): string[] | undefined {
  if (text.trim() === '') return []
  const ids = text.split(',').map((id) => id.trim())
  return ids.every((id) => /^[0-9a-f]{8}$/.test(id)) ? ids : undefined
}
