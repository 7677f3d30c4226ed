import { once } from 'node:events'
import { type AddressInfo, BoundSocket, createServer, type ListenOptions, type Server } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { HttpServer } from './http-server.ts'

export interface Address {
  host: string
  port: number
}

/** Opens the port and returns the address; what is in the way is one sentence. */
export async function listen(server: Server, address: Address, options: ListenOptions = {}): Promise<string> {
  const { host, port } = address
  try {
    await once(server.listen({ ...options, host, port, backlog: mostWaiting }), 'listening')
  } catch (error) {
    throw obstacleOf(error as NodeJS.ErrnoException, address)
  }
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

/**
 * Whether processes can open the same port side by side, and the system spreads connections over them. Elsewhere
 * (macOS) node:cluster opens it once and passes connections on; those on their way to a worker that dies are lost there.
 */
export const canSharePort = process.platform === 'linux'

export interface HeldPort extends Address {
  url: string
  release(): void
}

/**
 * Finds out whether the port is free, which sharing it would not tell, and keeps it from others while workers come and
 * go; 0 becomes the port that all of them share.
 */
export async function holdPort(wanted: Address): Promise<HeldPort> {
  const probe = createServer()
  const url = await listen(probe, wanted, { exclusive: true })
  const { address: host, port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const held = canSharePort ? new BoundSocket({ host, port, reusePort: true }) : undefined
  return { url, host: wanted.host, port, release: () => held?.close() }
}

/** Lets requests under way finish, for a bounded time, and not at all once `insisted`. */
export async function drain(
  http: HttpServer,
  insisted: Promise<void>,
  timeoutMs: number,
  log: Logger,
): Promise<void> {
  const { server } = http
  const cutOff = (reason: string) => {
    log.warn(reason)
    server.closeAllConnections()
  }
  // Connections that stand in line are taken first: to close the port is to reset them.
  await setImmediate()
  const timer = setTimeout(() => cutOff('requests under way did not finish in time'), timeoutMs)
  // A connection that its client keeps alive after its last answer must not keep the server.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const closed = http.close()
  insisted.then(() => cutOff('told to stop at once: requests under way are cut off'))
  await closed
  clearTimeout(timer)
  clearInterval(sweep)
}
