import { once } from 'node:events'
import { type AddressInfo, BoundSocket, createServer, Server } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { HttpServer } from './http-server.ts'
import type { Stopping } from './stopping.ts'

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
export async function retire(
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
export async function drain(
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
