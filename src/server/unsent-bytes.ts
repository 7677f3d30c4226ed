import { ApiError } from '../contract/errors.ts'
import type { Call } from './call.ts'
import { idleSeconds } from './respond.ts'

/** Limits for responses that wait to be sent. */
export const unsentLimits = {
  accountBytes: 32 * 1024 * 1024,
  processBytes: 256 * 1024 * 1024,
  /** Maximum number of responses of one account in the queue. */
  queue: 200,
  /** Maximum wait in the queue. */
  patienceMs: 10_000,
  /** A client that reads nothing for this long is disconnected. */
  stalledMs: 20_000,
  /** Maximum duration of a response, even if the client reads slowly. */
  longestMs: 120_000,
}

export type UnsentLimits = typeof unsentLimits

/**
 * Bounds the memory of responses that clients have not read yet: a page can be megabytes, and a client may request many
 * without reading any. Bytes are reserved before a page is read, and released once the response is sent.
 */
export interface UnsentBytes {
  /** Waits if there is no room; throws if there is none in time. */
  reserve(call: Call, bytes: number): void | Promise<void>
  /** Replaces the reservation by the bytes that the client has not read yet. */
  handOver(call: Call, bytes: number): void
  total(): number
}

/** About the size of a row in both order lists. */
const bytesOfRow = 2000

/** The possible size of a response. Only lists are large. */
export function expectedBytes(input: Record<string, unknown>): number {
  return typeof input.page_size === 'number' ? input.page_size * bytesOfRow : 0
}

interface Owner {
  bytes: number
  queue: Place[]
}

interface Place {
  bytes: number
  enter(): void
}

export function createUnsentBytes(limits: UnsentLimits = unsentLimits): UnsentBytes {
  const owners = new Map<string, Owner>()
  let total = 0

  // An account without reservations is admitted with any size: there will never be more room.
  const fits = (held: number, bytes: number, most: number) => held === 0 || held + bytes <= most
  const hasRoom = (owner: Owner, bytes: number) =>
    fits(owner.bytes, bytes, limits.accountBytes) && fits(total, bytes, limits.processBytes)

  function ownerOf(name: string): Owner {
    let owner = owners.get(name)
    if (!owner) {
      owner = { bytes: 0, queue: [] }
      owners.set(name, owner)
    }
    return owner
  }

  function forgetIfIdle(name: string, { bytes, queue }: Owner): void {
    if (bytes === 0 && queue.length === 0) owners.delete(name)
  }

  function add(name: string, bytes: number): void {
    const owner = ownerOf(name)
    owner.bytes += bytes
    total += bytes
    if (bytes < 0) for (const each of owners.values()) letIn(each)
    forgetIfIdle(name, owner)
  }

  function letIn(owner: Owner): void {
    while (owner.queue.length > 0 && hasRoom(owner, owner.queue[0]!.bytes)) owner.queue.shift()!.enter()
  }

  async function enqueue(name: string, owner: Owner, call: Call, bytes: number): Promise<void> {
    if (owner.queue.length >= limits.queue) throw refusal(owner, bytes)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const place: Place = {
      bytes,
      enter() {
        // The client has disconnected: the page need not be read.
        if (call.request.socket.destroyed) return reject(refusal(owner, bytes))
        call.reservedBytes = bytes
        add(name, bytes)
        resolve()
      },
    }
    owner.queue.push(place)
    const timer = setTimeout(() => {
      owner.queue.splice(owner.queue.indexOf(place), 1)
      reject(refusal(owner, bytes))
    }, limits.patienceMs)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      forgetIfIdle(name, owner)
    }
  }

  function refusal(owner: Owner, bytes: number): ApiError {
    const retryAfterSeconds = 5
    if (fits(owner.bytes, bytes, limits.accountBytes))
      return new ApiError('unavailable', { retryAfterSeconds })
    const msg = 'Too many responses to this account wait to be read.'
    return new ApiError('tooManyRequests', { msg, retryAfterSeconds })
  }

  return {
    reserve(call, bytes) {
      const name = ownerNameOf(call)
      if (bytes === 0 && !owners.has(name) && total < limits.processBytes) return
      const owner = ownerOf(name)
      if (owner.queue.length > 0 || !hasRoom(owner, bytes)) return enqueue(name, owner, call, bytes)
      call.reservedBytes = bytes
      add(name, bytes)
    },
    handOver(call, bytes) {
      const { response, reservedBytes } = call
      // Bytes in the buffers of the operating system do not count.
      const left = response.destroyed || response.writableLength === 0 ? 0 : bytes
      if (left === 0 && reservedBytes === 0) return
      const name = ownerNameOf(call)
      call.reservedBytes = 0
      add(name, left - reservedBytes)
      if (left === 0) return
      response.once('close', () => add(name, -left))
      watchReader(call, limits)
    },
    total: () => total,
  }
}

function ownerNameOf({ caller }: Call): string {
  return caller?.app_id ?? ''
}

/** Disconnects a client that does not read. */
function watchReader({ request: { socket }, response }: Call, { stalledMs, longestMs }: UnsentLimits): void {
  // Node restarts this timeout with every byte, and closes the connection when it expires.
  socket.setTimeout(stalledMs)
  const timer = setTimeout(() => socket.destroy(), longestMs).unref()
  response.once('close', () => {
    clearTimeout(timer)
    socket.setTimeout(idleSeconds * 1000)
  })
}
