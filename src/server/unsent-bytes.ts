import { ApiError } from '../contract/errors.ts'
import type { Call } from './call.ts'
import { idleSeconds } from './respond.ts'

/** How much may wait to be sent. */
export const unsentLimits = {
  accountBytes: 32 * 1024 * 1024,
  processBytes: 256 * 1024 * 1024,
  /** Answers of one account that may wait for room. */
  line: 200,
  /** Longest an answer waits for room before it is refused. */
  patienceMs: 10_000,
  /** A reader that takes nothing for so long is cut. */
  stalledMs: 20_000,
  /** So is one that is not done by then, however diligently it takes a byte now and then. */
  longestMs: 120_000,
}

export type UnsentLimits = typeof unsentLimits

/**
 * Answers that their callers have not taken yet stand in memory, and a page can be megabytes: whoever asks for many and
 * reads none would fill it. So room is set aside before a page is read, and is free again once the answer has left.
 */
export interface UnsentBytes {
  /** Waits for room where there is none; refuses where none comes. */
  reserve(call: Call, bytes: number): void | Promise<void>
  /** An answer of so many bytes has been sent, as far as its reader takes it. */
  handOver(call: Call, bytes: number): void
  total(): number
}

/** The rows of both order lists have about as much. */
const bytesOfRow = 2000

/** How large an answer may become; those that are no lists are small. */
export function expectedBytes(input: Record<string, unknown>): number {
  return typeof input.page_size === 'number' ? input.page_size * bytesOfRow : 0
}

interface Owner {
  bytes: number
  /** First come, first served. */
  line: Place[]
}

interface Place {
  bytes: number
  enter(): void
}

export function createUnsentBytes(limits: UnsentLimits = unsentLimits): UnsentBytes {
  const owners = new Map<string, Owner>()
  let total = 0

  // Whoever holds nothing is let in, however much it wants: more room than that will not come.
  const fits = (held: number, bytes: number, most: number) => held === 0 || held + bytes <= most
  const hasRoom = (owner: Owner, bytes: number) =>
    fits(owner.bytes, bytes, limits.accountBytes) && fits(total, bytes, limits.processBytes)

  function ownerOf(name: string): Owner {
    let owner = owners.get(name)
    if (!owner) {
      owner = { bytes: 0, line: [] }
      owners.set(name, owner)
    }
    return owner
  }

  function forgetIfIdle(name: string, { bytes, line }: Owner): void {
    if (bytes === 0 && line.length === 0) owners.delete(name)
  }

  function add(name: string, bytes: number): void {
    const owner = ownerOf(name)
    owner.bytes += bytes
    total += bytes
    if (bytes < 0) for (const each of owners.values()) letIn(each)
    forgetIfIdle(name, owner)
  }

  function letIn(owner: Owner): void {
    while (owner.line.length > 0 && hasRoom(owner, owner.line[0]!.bytes)) owner.line.shift()!.enter()
  }

  async function standInLine(name: string, owner: Owner, call: Call, bytes: number): Promise<void> {
    if (owner.line.length >= limits.line) throw refusal(owner, bytes)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const place: Place = {
      bytes,
      enter() {
        // Whoever has left in the meantime is not read for.
        if (call.request.socket.destroyed) return reject(refusal(owner, bytes))
        call.reservedBytes = bytes
        add(name, bytes)
        resolve()
      },
    }
    owner.line.push(place)
    const timer = setTimeout(() => {
      owner.line.splice(owner.line.indexOf(place), 1)
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
    const msg = 'Too many answers to this account wait to be read.'
    return new ApiError('tooManyRequests', { msg, retryAfterSeconds })
  }

  return {
    reserve(call, bytes) {
      const name = ownerNameOf(call)
      if (bytes === 0 && !owners.has(name) && total < limits.processBytes) return
      const owner = ownerOf(name)
      if (owner.line.length > 0 || !hasRoom(owner, bytes)) return standInLine(name, owner, call, bytes)
      call.reservedBytes = bytes
      add(name, bytes)
    },
    handOver(call, bytes) {
      const { response, reservedBytes } = call
      // What has gone to the system already waits there, not here.
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

/** Cuts who does not read. */
function watchReader({ request: { socket }, response }: Call, { stalledMs, longestMs }: UnsentLimits): void {
  // Node starts anew with every byte that is taken, and ends the connection when the time is over.
  socket.setTimeout(stalledMs)
  const timer = setTimeout(() => socket.destroy(), longestMs).unref()
  response.once('close', () => {
    clearTimeout(timer)
    socket.setTimeout(idleSeconds * 1000)
  })
}
