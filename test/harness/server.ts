import { tmpdir } from 'node:os'
import { pino } from 'pino'
import type { SampleCredentials } from '../../sample/load-sample.ts'
import { type CallCounter, createCallCounter } from '../../src/access/organizations/call-counter.ts'
import { createDirectory } from '../../src/access/organizations/directory.ts'
import { createAuth } from '../../src/access/tokens/auth.ts'
import { signatureOf } from '../../src/access/tokens/signature.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import type { Database } from '../../src/database/database.ts'
import { wantedSchema } from '../../src/database/migrate.ts'
import { feedLength } from '../../src/events/feed-store.ts'
import { FeedWaiters } from '../../src/events/feed-waiters.ts'
import { createHttpServer, type HttpOptions } from '../../src/server/http-server.ts'
import { listen } from '../../src/server/listen.ts'
import { createServerMemory } from '../../src/server/server-memory.ts'
import { checkResponse } from './contract-check.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { loadFirstStart } from './first-start.ts'
import { testKeyring } from './keyring.ts'

export interface Credentials {
  app_id: string
  user_api_secret: string
}

export interface Answer {
  status: number
  headers: Headers
  code: number
  msg: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read data of every shape, which the contract check has validated.
  data: any
}

export interface CallOptions {
  /** Absent: a token of the sample account. Null: no token. */
  token?: string | null
  headers?: Record<string, string>
}

export interface TestServer {
  url: string
  sample: SampleCredentials
  database: TestDatabase
  db: Database
  /** The fixed time of the server; undefined: the clock runs. */
  setNow(now: Date | undefined): void
  /** Whether calls that change something are refused. */
  setReadOnly(readOnly: boolean): void
  /** Lets the cached accounts of the server expire. */
  forgetAccounts(): void
  /** Calls an operation and compares the response with its contract. */
  call(endpoint: Endpoint, input: Record<string, unknown>, options?: CallOptions): Promise<Answer>
  /** Sends any request. The envelope is checked. */
  send(path: string, init?: RequestInit): Promise<Answer>
  tokenOf(credentials: Credentials): Promise<string>
  /** Counts calls, and adds them to the database only when told to. */
  usage: CallCounter
  /** Wakes the readers that wait for events of organizations. */
  wakeReaders(corpIds: string[]): void
  close(): Promise<void>
}

/**
 * The real server on a database of its own: without a school (matricula), with the sample school as it ends in October 2026,
 * or with the sample school as a first start loads it: it ends on the day before `now`, and its office has work.
 */
export async function startTestServer(
  template: 'matricula' | 'sample' | 'first-start' = 'sample',
  {
    now = new Date(),
    privateProviders,
    privateWebhooks = false,
    sendsMail = false,
    dnsServers,
    ...options
  }: Partial<HttpOptions> & {
    now?: Date
    privateProviders?: boolean
    privateWebhooks?: boolean
    sendsMail?: boolean
    dnsServers?: string[]
  } = {},
  /** Opens the database handle that the server uses. */
  open: (database: TestDatabase) => Database = ({ app }) => app,
): Promise<TestServer> {
  const database = await createTestDatabase(template === 'first-start' ? 'matricula' : template)
  if (template === 'first-start') database.sample = await loadFirstStart(database, now)
  const db = open(database)
  let fixedNow: Date | undefined
  let isReadOnly = false
  const memory = createServerMemory()
  const auth = createAuth(db, testKeyring, memory.rateCounter, privateProviders, dnsServers)
  const log = pino({ level: 'silent' })
  const usage = createCallCounter(db, log)
  usage.stop()
  const services = {
    db,
    usage,
    auth,
    memory,
    waiters: new FeedWaiters(memory.waitingPlaces, (corp_id) => feedLength(db, corp_id)),
    allowsPrivateWebhooks: privateWebhooks,
    sendsMail,
    now: () => fixedNow ?? new Date(),
    newId,
    wantedSchema: await wantedSchema(),
    isReadOnly: () => isReadOnly,
    isDraining: () => false,
    isLeaving: () => false,
  }
  const http = createHttpServer(services, {
    log,
    bodyLimitBytes: 1_048_576,
    requestTimeoutMs: 30_000,
    trustProxy: 0,
    dataDir: tmpdir(),
    ...options,
  })
  const url = await listen(http.server, { host: '127.0.0.1', port: 0 })

  const send = async (path: string, init?: RequestInit) => answerOf(await fetch(`${url}${path}`, init))
  const tokenOf = (credentials: Credentials) => obtainToken(url, credentials)
  let sampleToken: Promise<string> | undefined
  return {
    url,
    // Calls without the sample school name a token of their own.
    sample: database.sample!,
    database,
    db: database.app,
    setNow: (now) => {
      fixedNow = now
    },
    setReadOnly: (readOnly) => {
      isReadOnly = readOnly
    },
    forgetAccounts: () => {
      auth.directory = createDirectory(db.shared)
    },
    send,
    tokenOf,
    usage,
    wakeReaders: services.waiters.wake,
    async call(endpoint, input, { token, headers } = {}) {
      if (token === undefined) sampleToken ??= tokenOf(database.sample!)
      const bearer = token === undefined ? await sampleToken : token
      const answer = await send(
        ...requestOf(endpoint, input, { ...(bearer && { Authorization: `Bearer ${bearer}` }), ...headers }),
      )
      checkResponse(endpoint, answer)
      return answer
    },
    async close() {
      services.waiters.close()
      http.server.closeIdleConnections()
      await http.close()
      await database.drop()
    },
  }
}

function requestOf(
  endpoint: Endpoint,
  input: Record<string, unknown>,
  headers: Record<string, string>,
): [string, RequestInit] {
  if (endpoint.method === 'GET') {
    const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]))
    return [`${endpoint.path}?${query}`, { headers }]
  }
  const json = { 'Content-Type': 'application/json; charset=utf-8', ...headers }
  return [endpoint.path, { method: 'POST', headers: json, body: JSON.stringify(input) }]
}

async function answerOf(response: Response): Promise<Answer> {
  const body = (await response.json()) as Pick<Answer, 'code' | 'msg' | 'data'>
  if (Object.keys(body).join() !== 'code,msg,data') throw new Error(`not an envelope: ${Object.keys(body)}`)
  return { status: response.status, headers: response.headers, ...body }
}

export async function obtainToken(url: string, { app_id, user_api_secret }: Credentials): Promise<string> {
  const time_stamp = String(Math.floor(Date.now() / 1000))
  const response = await fetch(`${url}/api/v5/authentication/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ app_id, time_stamp, signature: signatureOf(app_id, time_stamp, user_api_secret) }),
  })
  const { code, msg, data } = (await response.json()) as Pick<Answer, 'code' | 'msg' | 'data'>
  if (code !== 0) throw new Error(`no token: ${code} ${msg}`)
  return data.token
}
