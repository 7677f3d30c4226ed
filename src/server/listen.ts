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

/** Opens the port and returns the address; what is in the way is one sentence. */
export async function listen(server: Server, address: Address): Promise<string> {
  const { host, port } = address
  try {
    await once(server.listen({ host, port, backlog: mostWaiting }), 'listening')
  } catch (error) {
    throw obstacleOf(error as NodeJS.ErrnoException, address)
  }
  return urlOf(server, host)
}

/** Takes connections from a port that the primary has bound and handed down. */
export async function listenInherited(server: Server, fd: number, host: string): Promise<string> {
  await once(server.listen({ fd }, mostWaiting), 'listening')
  return urlOf(server, host)
}

/** Connections that wait to be accepted; the system may allow fewer. */
const mostWaiting = 1024

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
  /** Nobody takes connections in the place for a while: the system leaves them to the others. */
  vacate(place: number): void
  /** From now on only workers hold it: with the last of them it is closed. */
  release(): void
}

/** Whether the system spreads connections over sockets that are bound side by side; elsewhere workers share one. */
const spreadsConnections = process.platform === 'linux'

/**
 * Binds the port for workers that come and go: connections that a worker has not accepted are its successor's in the same
 * place. That the port is free, binding it side by side with others would not tell.
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

/** Idle connections that their clients keep get so long to ask once more and be told to come back on another one. */
const retirementMs = 10_000

/**
 * Leaves to a successor in the same place: takes no more connections, and lets every client know with its next answer.
 * Closing a connection by ourselves could cross a request on its way.
 */
export async function retire(
  http: HttpServer,
  { asked, insisted }: Stopping,
  timeoutMs: number,
  log: Logger,
): Promise<void> {
  const isEmpty = new Promise<void>((resolve) => {
    // Not the one of HTTP, which would close idle connections at once.
    Server.prototype.close.call(http.server, () => resolve())
  })
  const patience = new AbortController()
  const waited = pause(retirementMs, undefined, { signal: patience.signal }).catch(() => undefined)
  await Promise.race([isEmpty, waited, asked])
  patience.abort()
  await finish(http.server, isEmpty, insisted, timeoutMs, log)
  await http.close()
}

/** Lets requests under way finish, for a bounded time, and not at all once `insisted`. */
export async function drain(
  http: HttpServer,
  insisted: Promise<void>,
  timeoutMs: number,
  log: Logger,
): Promise<void> {
  // Connections that stand in line are taken first: to close the port is to reset them.
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
  const timer = setTimeout(() => cutOff('requests under way did not finish in time'), timeoutMs)
  // A connection that its client keeps alive after its last answer must not keep the server.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  insisted.then(() => cutOff('told to stop at once: requests under way are cut off'))
  await closed
  clearTimeout(timer)
  clearInterval(sweep)
}
