import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectionOf } from './driver/private-parts.ts'

/** Detects a database that does not answer. */
export interface Heartbeat {
  /** While the database does not answer: the error of calls, which do not wait. */
  readonly frozen: Error | undefined
  /** Calls the listener with the reason if the database freezes. Returns a function that removes it. */
  whenFrozen(tell: (reason: Error) => void): () => void
  /** Notes that a statement was answered: a busy database is not frozen. */
  noteAnswer(): void
  close(): void
}

const everyMs = 400
const longestSilenceMs = 1200

/**
 * Queries the database on its own connection. If there is no answer, and no other statement is answered either, all
 * connections are closed, so that waiting calls fail within two seconds. A statement timeout could not be that short.
 * When the database answers again, work continues.
 */
export function startHeartbeat(options: pg.ClientConfig, pool: pg.Pool): Heartbeat {
  const clients = new Set<pg.PoolClient>()
  const listeners = new Set<(reason: Error) => void>()
  const closing = new AbortController()
  let client: pg.Client | undefined
  let frozen: Error | undefined
  let answeredAtMs = 0
  pool.on('connect', (opened) => clients.add(opened))
  pool.on('remove', (closed) => clients.delete(closed))

  async function beat(): Promise<void> {
    while (!closing.signal.aborted) {
      const beganMs = performance.now()
      const isSilent = await asksInVain()
      if (!isSilent) frozen = undefined
      else if (answeredAtMs < beganMs && !closing.signal.aborted) freeze()
      await pause(everyMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
    }
  }

  /** A refusal is a sign of life too. */
  async function asksInVain(): Promise<boolean> {
    const asked = client ?? openClient(options)
    client = asked
    const answer = asked.query('select 1').then(
      () => false,
      () => {
        drop(asked)
        return false
      },
    )
    const isSilent = await Promise.race([answer, silence(closing.signal)])
    if (isSilent) drop(asked)
    return isSilent
  }

  function drop(asked: pg.Client): void {
    if (client === asked) client = undefined
    connectionOf(asked).stream.destroy(new Error('Connection terminated: the heartbeat ends'))
  }

  function freeze(): void {
    frozen ??= new Error('Connection terminated: the database does not answer')
    for (const each of clients) connectionOf(each).stream.destroy(frozen)
    for (const listener of listeners) listener(frozen)
  }

  void beat()
  return {
    get frozen() {
      return frozen
    },
    whenFrozen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    noteAnswer() {
      answeredAtMs = performance.now()
    },
    close() {
      closing.abort()
      if (client) drop(client)
    },
  }
}

function openClient(options: pg.ClientConfig): pg.Client {
  const client = new pg.Client(options)
  client.on('error', () => undefined)
  // Queries wait for the connection, and fail with it.
  client.connect().catch(() => undefined)
  return client
}

/** Resolves with true after the silence limit. Data that has arrived by then is read first. */
async function silence(signal: AbortSignal): Promise<boolean> {
  await pause(longestSilenceMs, undefined, { signal, ref: false }).catch(() => undefined)
  await pause(0, undefined, { ref: false })
  await new Promise(setImmediate)
  return true
}
