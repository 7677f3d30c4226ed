import { once } from 'node:events'
import { type AddressInfo, BoundSocket, createServer, Server } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Keyring } from '../access/organizations/keyring.ts'
import { createAuth } from '../access/tokens/auth.ts'
import { erasureFiles } from '../backup/erasure-files.ts'
import { createErasureList } from '../changes/erasure/publish-erasures.ts'
import { newId } from '../contract/new-id.ts'
import type { Database, DatabaseOptions } from '../database/database.ts'
import { openReplicas } from '../database/replicas.ts'
import type { Services } from './call.ts'
import { createHttpServer, type HttpOptions, type HttpServer } from './http-server.ts'
import type { ServerMemory } from './server-memory.ts'

export interface Address {
  host: string
  port: number
}

/** Opens the port and returns the URL. A failure is one sentence. */
export async function listen(server: Server, address: Address): Promise<string> {
  const { host, port } = address
  try {
    await once(server.listen({ host, port, backlog }), 'listening')
  } catch (error) {
    throw obstacleOf(error as NodeJS.ErrnoException, address)
  }
  return urlOf(server, host)
}

/** Accepts connections from a port that the primary has bound. */
export async function listenInherited(server: Server, fd: number, host: string): Promise<string> {
  await once(server.listen({ fd }, backlog), 'listening')
  return urlOf(server, host)
}

/** Connections that wait to be accepted; the system may allow fewer. */
const backlog = 1024

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function obstacleOf(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(`Port ${port} on ${host} is already in use: set PORT to another one.`)
    case 'EACCES':
      return new Error(`Port ${port} on ${host} may not be opened by this user: set PORT to another one.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(`HOST ${host} is not an address of this machine.`)
    default:
      return error
  }
}

export interface HeldPort {
  url: string
  /** The socket for the worker in a place. */
  fdOf(place: number): number
  /** Replaces the socket of a place, so that new connections go to the other places. */
  vacate(place: number): void
  /** Closes the sockets of the primary. The port closes with the last worker. */
  release(): void
}

/** Whether the system spreads connections over several sockets of one port (SO_REUSEPORT). If not, workers share one. */
const spreadsConnections = process.platform === 'linux'

/**
 * Binds the port for workers. A worker that replaces another inherits its socket and the connections not yet accepted. The
 * probe finds a port in use, which binding with SO_REUSEPORT would not.
 */
export async function holdPort(wanted: Address, places: number): Promise<HeldPort> {
  const probe = createServer()
  const url = await listen(probe, wanted)
  const { address: host, port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const bind = () => new BoundSocket({ host, port, reusePort: spreadsConnections })
  const sockets = Array.from({ length: spreadsConnections ? places : 1 }, bind)
  return {
    url,
    fdOf: (place) => sockets[place % sockets.length]!.fd(),
    vacate(place) {
      if (!spreadsConnections || sockets.length === 0) return
      const next = bind()
      sockets[place]!.close()
      sockets[place] = next
    },
    release: () => {
      for (const socket of sockets.splice(0)) socket.close()
    },
  }
}

/** How long clients may keep idle connections to a retiring worker; the next response closes them. */
const retirementMs = 10_000

/**
 * Ends a worker that was replaced: accepts no connections, and closes each with its next response. Closing an idle
 * connection could cut off a request on its way.
 */
async function retire(
  http: HttpServer,
  { asked, insisted }: Stopping,
  timeoutMs: number,
  log: Logger,
): Promise<void> {
  const isEmpty = new Promise<void>((resolve) => {
    // The `close` of http.Server would close idle connections at once.
    Server.prototype.close.call(http.server, () => resolve())
  })
  const patience = new AbortController()
  const waited = pause(retirementMs, undefined, { signal: patience.signal }).catch(() => undefined)
  await Promise.race([isEmpty, waited, asked])
  patience.abort()
  await finish(http.server, isEmpty, insisted, timeoutMs, log)
  await http.close()
}

/** Lets requests in progress finish, for a limited time. Cuts them off once `insisted`. */
async function drain(
  http: HttpServer,
  insisted: Promise<void>,
  timeoutMs: number,
  log: Logger,
): Promise<void> {
  // Accepts queued connections first: closing the port resets them.
  await setImmediate()
  await finish(http.server, http.close(), insisted, timeoutMs, log)
}

async function finish(
  server: HttpServer['server'],
  closed: Promise<void>,
  insisted: Promise<void>,
  timeoutMs: number,
  log: Logger,
): Promise<void> {
  const cutOff = (reason: string) => {
    log.warn(reason)
    server.closeAllConnections()
  }
  const timer = setTimeout(() => cutOff('requests in progress did not finish in time'), timeoutMs)
  // Idle connections must not keep the server alive.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  insisted.then(() => cutOff('asked again to stop: requests in progress are cut off'))
  await closed
  clearTimeout(timer)
  clearInterval(sweep)
}

/** A running server, of one or several processes. */
export interface Served {
  baseUrl: string
  /** Lets requests in progress finish. */
  end(): Promise<void>
}

/** Settings of every process that serves. */
export interface ServerSettings extends Address, Omit<HttpOptions, 'log'> {
  drainTimeoutMs: number
  replicaMaxLagMs: number
  privateProviders: boolean
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
  metricsOfAll?: Services['metricsOfAll']
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
  { db, replicas, keyring, memory, wantedSchema, stopping, metricsOfAll }: Parts,
  settings: ServerSettings,
  log: Logger,
): Promise<ServingProcess> {
  const copies = replicas.length > 0 ? openReplicas(db, replicas, settings.replicaMaxLagMs, log) : undefined
  let isRetiring = false
  const services: Services = {
    db,
    auth: createAuth(db, keyring, memory.rateCounter, settings.privateProviders, settings.dnsServers),
    memory,
    now: () => new Date(),
    newId,
    wantedSchema,
    erasureList: createErasureList(() => erasureFiles(settings.dataDir)),
    isDraining: () => stopping.signal.aborted,
    isLeaving: () => isRetiring || stopping.signal.aborted,
    ...(copies && { replicas: copies }),
    ...(metricsOfAll && { metricsOfAll }),
  }
  const http = createHttpServer(services, { ...settings, log })
  return {
    http,
    async end() {
      await drain(http, stopping.insisted, settings.drainTimeoutMs, log)
      await copies?.close()
    },
    async retire() {
      isRetiring = true
      await retire(http, stopping, settings.drainTimeoutMs, log)
      await copies?.close()
    },
  }
}

/** A request to stop the server. */
export interface Stopping {
  /** Aborted when the server is asked to stop. */
  signal: AbortSignal
  /** The name of the signal that asked. */
  asked: Promise<string>
  /** Resolves when the server is asked a second time: requests in progress are cut off. */
  insisted: Promise<void>
}

/** Ctrl-C, SIGTERM and a closed terminal stop the server, also during its start. */
export function listenForStop(): Stopping & { forget(): void } {
  const controller = new AbortController()
  const asked = Promise.withResolvers<string>()
  const insisted = Promise.withResolvers<void>()
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const stop = (name: string) => {
    if (controller.signal.aborted) insisted.resolve()
    controller.abort(new Error('The server was told to stop.'))
    asked.resolve(name)
  }
  for (const name of names) process.on(name, stop)
  const forget = () => {
    for (const name of names) process.off(name, stop)
  }
  return { signal: controller.signal, asked: asked.promise, insisted: insisted.promise, forget }
}
