import type { Logger } from 'pino'
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
import { drain, retire, type Stopping } from './stopping.ts'

/** A running server, of one or several processes. */
export interface Served {
  baseUrl: string
  /** Wakes the readers that wait for events of these organizations. */
  wakeReaders(corpIds: string[]): void
  /** Adds metrics of work beside the requests, as text. */
  addMetrics(read: () => string): void
  /** Lets requests in progress finish. */
  end(): Promise<void>
}

/** Settings of every process that serves. */
export interface ServerSettings extends Address, Omit<HttpOptions, 'log'> {
  drainTimeoutMs: number
  replicaMaxLagMs: number
  privateProviders: boolean
  privateWebhooks: boolean
  dnsServers: string[]
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
  /** Lets requests in progress finish. */
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
  let isRetiring = false
  const services: Services = {
    db,
    auth: createAuth(db, keyring, memory.rateCounter, settings.privateProviders, settings.dnsServers),
    memory,
    waiters,
    allowsPrivateWebhooks: settings.privateWebhooks,
    now: () => new Date(),
    newId,
    wantedSchema,
    erasureList: createErasureList(() => erasureFiles(settings.dataDir)),
    isDraining: () => stopping.signal.aborted,
    isLeaving: () => isRetiring || stopping.signal.aborted,
    ...(copies && { replicas: copies }),
    ...(metricsOfAll && { metricsOfAll }),
    ...(metricsBeside && { metricsBeside }),
  }
  const http = createHttpServer(services, { ...settings, log })
  return {
    http,
    async end() {
      waiters.close()
      await drain(http, stopping.insisted, settings.drainTimeoutMs, log)
      await copies?.close()
    },
    async retire() {
      isRetiring = true
      waiters.close()
      await retire(http, stopping, settings.drainTimeoutMs, log)
      await copies?.close()
    },
  }
}
