import type { Logger } from 'pino'
import { createCallCounter } from '../access/organizations/call-counter.ts'
import type { Keyring } from '../access/organizations/keyring.ts'
import { createAuth } from '../access/tokens/auth.ts'
import { erasureFiles } from '../backup/erasure-files.ts'
import { createErasureList } from '../changes/erasure/finish-erasures.ts'
import { newId } from '../contract/new-id.ts'
import type { Database, DatabaseOptions } from '../database/database.ts'
import { openReplicas } from '../database/replicas.ts'
import type { FeedWaiters } from '../events/feed-waiters.ts'
import type { Services } from './call.ts'
import { createHttpServer, type HttpOptions, type HttpServer } from './http-server.ts'
import type { Address } from './listen.ts'
import type { ServerMemory } from './server-memory.ts'
import { closingMs, leave, retire, type Stopping } from './stopping.ts'
import type { TraceSettings } from './trace-settings.ts'

/** A running server, of one or several processes. */
export interface Served {
  baseUrl: string
  /** Wakes the readers that wait for events of these organizations. */
  wakeReaders(corpIds: string[]): void
  /** Adds metrics of work beside the requests, as text. */
  addMetrics(read: () => Promise<string>): void
  /** Takes over settings. Other processes read theirs again. */
  reload(settings: Pick<ServerSettings, 'readOnly'>): void
  /** Answers 503 at /readyz, and ends streams and waiting readers. Requests are still served. */
  drain(): void
  /** Closes connections and lets requests in progress finish. */
  end(): Promise<void>
}

/** Settings of every process that serves. */
export interface ServerSettings extends Address, Omit<HttpOptions, 'log' | 'tracing'> {
  drainTimeoutMs: number
  readOnly: boolean
  replicaMaxLagMs: number
  privateProviders: boolean
  privateWebhooks: boolean
  dnsServers: string[]
  /** Absent: no traces are recorded. */
  traces: TraceSettings | undefined
  /** Absent: no mail is sent. */
  smtpUrl: URL | undefined
}

/** Parts of a serving process. */
export interface Parts {
  db: Database
  replicas: DatabaseOptions[]
  keyring: Keyring
  memory: ServerMemory
  wantedSchema: number
  stopping: Stopping
  waiters: FeedWaiters
  metricsOfAll?: Services['metricsOfAll']
  metricsBeside?: Services['metricsBeside']
}

interface ServingProcess {
  http: HttpServer
  /** Takes over settings. */
  reload(settings: Pick<ServerSettings, 'readOnly'>): void
  /** Answers 503 at /readyz, and ends streams and waiting readers. Requests are still served. */
  drain(): void
  /** Closes connections and lets requests in progress finish. */
  end(): Promise<void>
  /** The same for a worker that was replaced, without a failed request. */
  retire(): Promise<void>
}

/** A process that serves: the only one, or a worker. */
export async function createServingProcess(
  { db, replicas, keyring, memory, wantedSchema, stopping, waiters, metricsOfAll, metricsBeside }: Parts,
  settings: ServerSettings,
  log: Logger,
): Promise<ServingProcess> {
  const copies = replicas.length > 0 ? openReplicas(db, replicas, settings.replicaMaxLagMs, log) : undefined
  let isReadOnly = settings.readOnly
  const usage = createCallCounter(db, log, () => isReadOnly)
  let isDraining = false
  let isLeaving = false
  const services: Services = {
    db,
    auth: createAuth(db, keyring, memory.rateCounter, settings.privateProviders, settings.dnsServers),
    memory,
    waiters,
    usage,
    allowsPrivateWebhooks: settings.privateWebhooks,
    sendsMail: settings.smtpUrl !== undefined,
    now: () => new Date(),
    newId,
    wantedSchema,
    erasureList: createErasureList(() => erasureFiles(settings.dataDir)),
    isReadOnly: () => isReadOnly,
    isDraining: () => isDraining || stopping.signal.aborted,
    isLeaving: () => isLeaving,
    ...(copies && { replicas: copies }),
    ...(metricsOfAll && { metricsOfAll }),
    ...(metricsBeside && { metricsBeside }),
  }
  // The libraries are loaded only where traces are wanted.
  const tracing = settings.traces && (await import('./tracing.ts')).openTracing(settings.traces, log)
  const http = createHttpServer(services, { ...settings, tracing, log })
  const leaving = {
    timeoutMs: settings.drainTimeoutMs,
    onPortClosed() {
      isLeaving = true
      waiters.close()
    },
  }
  async function close(): Promise<void> {
    usage.stop()
    await usage.flush(new Date())
    await tracing?.close()
    await copies?.close()
  }
  return {
    http,
    reload({ readOnly }) {
      isReadOnly = readOnly
    },
    drain() {
      isDraining = true
      waiters.drain()
    },
    async end() {
      const { insisted } = stopping
      const waitMs = isDraining ? closingMs : 0
      await leave(http, { ...leaving, waitMs, stopWaiting: insisted, insisted }, log)
      await close()
    },
    async retire() {
      await retire(http, stopping, leaving, log)
      await close()
    },
  }
}
