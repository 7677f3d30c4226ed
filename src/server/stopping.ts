import { closeSync, openSync } from 'node:fs'
import { Server } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { isatty } from 'node:tty'
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

/** The signals of the first process. */
export interface Signals extends Stopping {
  /** Sets the function that reads settings again. SIGHUP calls it. */
  onReload(reload: () => void): void
  /** Stops the server for another reason than a signal. */
  stop(reason: string): void
  forget(): void
}

/** Ctrl-C, SIGTERM and a closed terminal stop the server, also during its start. Another SIGHUP reads settings again. */
export function listenForSignals(): Signals {
  const controller = new AbortController()
  const asked = Promise.withResolvers<string>()
  const insisted = Promise.withResolvers<void>()
  const names = ['SIGINT', 'SIGTERM'] as const
  const hadTerminal = isatty(0)
  let reload = () => {}
  const stop = (name: string) => {
    if (controller.signal.aborted) insisted.resolve()
    controller.abort(new Error('The server was asked to stop.'))
    asked.resolve(name)
  }
  const hangUp = () => (hadTerminal && !hasTerminal() ? stop('SIGHUP') : reload())
  for (const name of names) process.on(name, stop)
  process.on('SIGHUP', hangUp)
  return {
    signal: controller.signal,
    asked: asked.promise,
    insisted: insisted.promise,
    stop,
    onReload(listener) {
      reload = listener
    },
    forget() {
      for (const name of names) process.off(name, stop)
      process.off('SIGHUP', hangUp)
    },
  }
}

/** A terminal that was closed cannot be opened any more. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}

/** How long connections may end with a response of theirs after a drain. */
export const closingMs = 1000

/** How long clients may keep idle connections to a retiring worker; the next response closes them. */
const retirementMs = 10_000

/** Ends a worker that was replaced. */
export async function retire(
  http: HttpServer,
  { asked, insisted }: Stopping,
  { timeoutMs, onPortClosed }: Pick<Leaving, 'timeoutMs' | 'onPortClosed'>,
  log: Logger,
): Promise<void> {
  await leave(http, { waitMs: retirementMs, stopWaiting: asked, insisted, timeoutMs, onPortClosed }, log)
}

/** How a process ends. */
interface Leaving {
  /** How long connections may end by themselves, each with its next response. */
  waitMs: number
  stopWaiting: Promise<unknown>
  /** Cuts off requests in progress. */
  insisted: Promise<void>
  /** How long requests in progress may take. */
  timeoutMs: number
  /** From this call on, each response must close its connection. */
  onPortClosed(): void
}

/**
 * Closes the port first, while connections are kept: a proxy sends new requests over those, and opens others elsewhere. Then
 * waits for the connections to end, each with its next response, because closing an idle one could cut off a request on its
 * way. Then closes idle ones, and lets requests in progress finish.
 */
export async function leave(
  http: HttpServer,
  { waitMs, stopWaiting, insisted, timeoutMs, onPortClosed }: Leaving,
  log: Logger,
): Promise<void> {
  const { server } = http
  await acceptWaiting(server)
  const isEmpty = new Promise<void>((resolve) => {
    // The `close` of http.Server would close idle connections at once.
    Server.prototype.close.call(server, () => resolve())
  })
  // Not earlier: a client whose connection ends opens another one, and this port would still take it.
  onPortClosed()
  const patience = new AbortController()
  const waited = pause(waitMs, undefined, { signal: patience.signal }).catch(() => undefined)
  await Promise.race([isEmpty, waited, stopWaiting])
  patience.abort()
  await finish(server, isEmpty, insisted, timeoutMs, log)
  await http.close()
}

const mostTurns = 1000
const quietTurnMs = 0.1

/**
 * Closing the port resets the connections that wait to be accepted, and Node accepts one in each turn of its loop. So this waits
 * for a turn that accepts none and is so short that hardly any connection arrives between its end and the closing of the port.
 */
async function acceptWaiting(server: HttpServer['server']): Promise<void> {
  if (!server.listening) return
  let accepted = 0
  const count = () => {
    accepted++
  }
  server.on('connection', count)
  // The first turn may be half over.
  for (let turn = 0, quiet = 0; turn < mostTurns && quiet < 2; turn++) {
    const before = accepted
    const beganMs = performance.now()
    await setImmediate()
    const isQuiet = accepted === before && performance.now() - beganMs < quietTurnMs
    quiet = isQuiet ? quiet + 1 : 0
  }
  server.off('connection', count)
}

/** After a stall, requests may wait to be read on connections that look idle. Two turns of the loop read them. */
async function closeIdle(server: HttpServer['server']): Promise<void> {
  await setImmediate()
  await setImmediate()
  server.closeIdleConnections()
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
  await closeIdle(server)
  // Idle connections must not keep the server alive.
  const sweep = setInterval(() => closeIdle(server), 50)
  insisted.then(() => cutOff('asked again to stop: requests in progress are cut off'))
  await closed
  clearTimeout(timer)
  clearInterval(sweep)
}
