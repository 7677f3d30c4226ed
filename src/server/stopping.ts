import { Server } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { HttpServer } from './http-server.ts'

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
