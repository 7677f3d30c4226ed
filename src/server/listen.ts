import { once } from 'node:events'
import { type AddressInfo, BoundSocket, createServer, type Server } from 'node:net'

export interface Address {
  host: string
  port: number
  /** Whether systemd has opened the port, and keeps it open. Host and port are then for the banner only. */
  isPortInherited?: boolean
}

/** Where systemd passes the first socket of a socket unit. */
const inheritedFd = 3

/** Opens the port and returns the URL. A failure is one sentence. */
export async function listen(server: Server, address: Address): Promise<string> {
  const { host, port, isPortInherited } = address
  if (isPortInherited) return listenInherited(server, inheritedFd, host)
  try {
    await once(server.listen({ host, port, backlog }), 'listening')
  } catch (error) {
    throw obstacleOf(error as NodeJS.ErrnoException, address)
  }
  return urlOf(server, host)
}

/** Accepts connections from a port that the parent process has bound. */
export async function listenInherited(server: Server, fd: number, host: string): Promise<string> {
  await once(server.listen({ fd }, backlog), 'listening')
  return urlOf(server, host)
}

/** Connections that wait to be accepted; the system may allow fewer. */
const backlog = 1024

function urlOf(server: Server, host: string): string {
  return urlAt(host, (server.address() as AddressInfo).port)
}

function urlAt(host: string, port: number): string {
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
  if (wanted.isPortInherited) return inheritedPort(wanted)
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

/** All workers share the socket. */
function inheritedPort({ host, port }: Address): HeldPort {
  return { url: urlAt(host, port), fdOf: () => inheritedFd, vacate() {}, release() {} }
}
