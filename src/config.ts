import { resolve } from 'node:path'
import type { LevelWithSilent } from 'pino'

/** Every setting of the service. This file is the only reader of the environment. */
export interface Config {
  host: string
  port: number
  /** Absent: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  dataDir: string
  /** Newest first; absent on the embedded default, where the key is kept in the data folder. */
  masterKeys: Buffer[] | undefined
  logLevel: LevelWithSilent
  poolSize: number
  statementTimeoutMs: number
  connectTimeoutMs: number
  requestTimeoutMs: number
  drainTimeoutMs: number
  bodyLimitBytes: number
  trustProxy: boolean
}

interface Setting<T> {
  default: string | undefined
  meaning: string
  /** What would be right, to be read after "must be". */
  right: string
  /** Undefined for a value that is not right. */
  read(text: string): T | undefined
}

const anyText = (text: string) => text
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** The README's table of settings is generated from this one. */
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
    read: (text) => (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
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
  MATRICULA_POOL_SIZE: { default: '10', meaning: 'Database connections', ...wholeNumber(1, 1000) },
  MATRICULA_STATEMENT_TIMEOUT_MS: {
    default: '15000',
    meaning: 'Longest a statement may run',
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
    default: 'false',
    meaning: 'Whether X-Forwarded-For of a proxy in front names the caller',
    right: 'true or false',
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  },
} as const satisfies Record<string, Setting<unknown>>

/** Throws one sentence per bad setting: its name, and what would be right. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const complaints: string[] = []
  const read = <T>(name: keyof typeof settings): T => {
    const setting: Setting<unknown> = settings[name]
    const text = env[name] === undefined || env[name] === '' ? setting.default : env[name]
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
    masterKeys: read('MATRICULA_KEY'),
    logLevel: read('MATRICULA_LOG_LEVEL'),
    poolSize: read('MATRICULA_POOL_SIZE'),
    statementTimeoutMs: read('MATRICULA_STATEMENT_TIMEOUT_MS'),
    connectTimeoutMs: read('MATRICULA_CONNECT_TIMEOUT_MS'),
    requestTimeoutMs: read('MATRICULA_REQUEST_TIMEOUT_MS'),
    drainTimeoutMs: read('MATRICULA_DRAIN_TIMEOUT_MS'),
    bodyLimitBytes: read('MATRICULA_BODY_LIMIT'),
    trustProxy: read('MATRICULA_TRUST_PROXY'),
  }
  if (config.databaseUrl && !config.masterKeys && complaints.length === 0) {
    complaints.push(`MATRICULA_KEY is required with DATABASE_URL: ${settings.MATRICULA_KEY.right}.`)
  }
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return config
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
