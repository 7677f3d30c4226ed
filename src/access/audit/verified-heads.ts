import type { Queryable } from '../../database/database.ts'
import type { Keyring } from '../organizations/keyring.ts'
import { type ChainName, findNote, storeNote } from './verified-head-store.ts'

/** Where a chain ended when a check found it in order. */
export interface VerifiedHead {
  length: number
  head: string
  /** When the last check ended. */
  verified_at: string
  /** When the last check of everything began. Later checks began at the head of the one before. */
  full_at: string
}

/**
 * `full`: everything. `recent`: only what was added since the last verified head; without one, only the end of the chain.
 * `due`: recent, but full where there is no verified head or the last full check is too old.
 */
export type CheckExtent = 'full' | 'recent' | 'due'

export interface CheckRange {
  extent: CheckExtent
  /** Opens and seals the notes. Without it, `due` checks everything. */
  keyring: Keyring | undefined
  now: Date
  /** Called for each chain that was found in order. */
  keep(corp_id: string, chain: ChainName, verified: VerifiedHead): Promise<void>
}

/** A part of a check: where it began. */
export interface CheckedFrom {
  /** Whether everything that is stored was checked. */
  is_full: boolean
  /** Number of links that were not computed again. */
  from: number
  /** The time of the check that this one continues, or of this one; null where there was none. */
  verified_at: string | null
  full_at: string | null
}

const dayMs = 86_400_000

/** A full check is due after this time. */
export const fullCheckDays = 7

interface ChainEnd {
  length: number
  head: string
}

const beginning: ChainEnd = { length: 0, head: '' }

/** Where the check of a chain begins. */
export interface RangeStart {
  /** The verified head, which the chain must still have. */
  noted: VerifiedHead | undefined
  /** The first link that is computed again follows this one. */
  start: ChainEnd
  /** Whether everything that is stored is checked. */
  isFull: boolean
}

/** `base` is the last archived link, after which the stored chain begins. */
export async function startOfRange(
  on: Queryable,
  corp_id: string,
  chain: ChainName,
  range: CheckRange | undefined,
  { end, base = beginning }: { end: ChainEnd; base?: ChainEnd },
): Promise<RangeStart> {
  if (!range) return { noted: undefined, start: base, isFull: true }
  const noted = await findVerified(on, corp_id, chain, range.keyring)
  const isDue = !noted || range.now.getTime() - Date.parse(noted.full_at) >= fullCheckDays * dayMs
  const isFull = range.extent === 'full' || (range.extent === 'due' && isDue)
  if (isFull) return { noted, start: base, isFull }
  if (!noted) return { noted, start: end, isFull }
  return { noted, start: noted.length > base.length ? noted : base, isFull }
}

/** The part of a report about the beginning of a check. */
export function checkedFrom(
  { noted, start, isFull }: RangeStart,
  range: CheckRange | undefined,
): CheckedFrom {
  const now = range?.now.toISOString() ?? null
  if (isFull) return { is_full: true, from: start.length, verified_at: now, full_at: now }
  const { verified_at = null, full_at = null } = noted ?? {}
  return { is_full: false, from: start.length, verified_at, full_at }
}

/** Keeps the end of a chain that was found in order. A check that began at no verified head proves nothing before it. */
export async function keepVerified(
  range: CheckRange | undefined,
  corp_id: string,
  chain: ChainName,
  { noted, isFull }: RangeStart,
  { length, head }: ChainEnd,
): Promise<void> {
  if (!range?.keyring || !(isFull || noted)) return
  const now = range.now.toISOString()
  await range.keep(corp_id, chain, {
    length,
    head,
    verified_at: now,
    full_at: isFull ? now : noted!.full_at,
  })
}

/** Undefined where there is no note that a key of this installation sealed. */
export async function findVerified(
  on: Queryable,
  corp_id: string,
  chain: ChainName,
  keyring: Keyring | undefined,
): Promise<VerifiedHead | undefined> {
  const sealed = keyring && (await findNote(on, corp_id, chain))
  if (!sealed) return undefined
  try {
    return JSON.parse(keyring.open(subjectOf(corp_id, chain), sealed))
  } catch {
    return undefined
  }
}

export async function noteVerified(
  on: Queryable,
  corp_id: string,
  chain: ChainName,
  verified: VerifiedHead,
  keyring: Keyring,
): Promise<void> {
  await storeNote(on, corp_id, chain, keyring.seal(subjectOf(corp_id, chain), JSON.stringify(verified)))
}

/** Bound into the seal, so that a note cannot be used for another chain. */
function subjectOf(corp_id: string, chain: ChainName): string {
  return `verified head ${chain} ${corp_id}`
}
