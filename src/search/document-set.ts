import type { KeyExpression } from './key-expression.ts'

/** The documents with a key, of a segment of numbers. */
export interface Posting {
  key: string
  segment: number
  /** The rests of the numbers: two bytes each. Null if they were not read: any document of the segment may be one. */
  members: Buffer | null
}

const segmentBits = 15
/** Numbers in a segment. */
export const segmentSize = 1 << segmentBits

export function placeOf(number: number): { segment: number; rest: number } {
  return { segment: number >> segmentBits, rest: number % segmentSize }
}

/** One bit for each document of a segment. */
type Bits = Uint32Array

/** A set of documents, by their numbers. It is not changed. */
export class DocumentSet {
  readonly #segments: Map<number, Bits>
  #size: number | undefined

  constructor(segments = new Map<number, Bits>()) {
    this.#segments = segments
  }

  static of(numbers: number[]): DocumentSet {
    const segments = new Map<number, Bits>()
    for (const number of numbers) {
      const { segment, rest } = placeOf(number)
      const bits = segments.get(segment) ?? new Uint32Array(segmentSize / 32)
      bits[rest >> 5]! |= 1 << (rest & 31)
      segments.set(segment, bits)
    }
    return new DocumentSet(segments)
  }

  static ofPostings(postings: Posting[]): DocumentSet {
    return new DocumentSet(new Map(postings.map(({ segment, members }) => [segment, bitsOf(members)])))
  }

  get size(): number {
    this.#size ??= this.#segments.values().reduce((sum, bits) => sum + countOf(bits), 0)
    return this.#size
  }

  has(number: number): boolean {
    const { segment, rest } = placeOf(number)
    return ((this.#segments.get(segment)?.[rest >> 5] ?? 0) & (1 << (rest & 31))) !== 0
  }

  and(other: DocumentSet): DocumentSet {
    return this.#with(other, (own, its) => (its ? own.map((word, index) => word & its[index]!) : undefined))
  }

  without(other: DocumentSet): DocumentSet {
    if (other.#segments.size === 0) return this
    return this.#with(other, (own, its) => (its ? own.map((word, index) => word & ~its[index]!) : own))
  }

  or(other: DocumentSet): DocumentSet {
    const segments = new Map(this.#segments)
    for (const [segment, bits] of other.#segments) {
      const own = segments.get(segment)
      segments.set(segment, own ? own.map((word, index) => word | bits[index]!) : bits)
    }
    return new DocumentSet(segments)
  }

  /** The numbers, the last first: at most `limit`. */
  numbers(limit = Number.POSITIVE_INFINITY): number[] {
    const found: number[] = []
    for (const segment of [...this.#segments.keys()].sort((a, b) => b - a)) {
      const bits = this.#segments.get(segment)!
      for (let word = bits.length - 1; word >= 0; word--)
        for (let rest = bits[word]!; rest !== 0; ) {
          if (found.length >= limit) return found
          const bit = 31 - Math.clz32(rest)
          found.push(segment * segmentSize + word * 32 + bit)
          rest ^= 1 << bit
        }
    }
    return found
  }

  #with(other: DocumentSet, combine: (own: Bits, its: Bits | undefined) => Bits | undefined): DocumentSet {
    const segments = new Map<number, Bits>()
    for (const [segment, own] of this.#segments) {
      const bits = combine(own, other.#segments.get(segment))
      if (bits) segments.set(segment, bits)
    }
    return new DocumentSet(segments)
  }
}

function bitsOf(members: Buffer | null): Bits {
  const bits = new Uint32Array(segmentSize / 32)
  if (!members) return bits.fill(0xff_ff_ff_ff)
  for (let at = 0; at < members.length; at += 2) {
    const rest = members[at]! | (members[at + 1]! << 8)
    bits[rest >> 5]! |= 1 << (rest & 31)
  }
  return bits
}

function countOf(bits: Bits): number {
  let count = 0
  for (let word of bits) for (; word !== 0; word &= word - 1) count++
  return count
}

const nothing = new DocumentSet()

/** The function that evaluates expressions by postings. An expression without parts finds nothing. */
export function documentSetOf(postings: Posting[]): (expression: KeyExpression) => DocumentSet {
  const byKey = Map.groupBy(postings, ({ key }) => key)
  const known = new Map<string, DocumentSet>()
  const ofKey = (key: string): DocumentSet => {
    const found = known.get(key) ?? DocumentSet.ofPostings(byKey.get(key) ?? [])
    known.set(key, found)
    return found
  }
  const evaluate = (expression: KeyExpression): DocumentSet => {
    if ('key' in expression) return ofKey(expression.key)
    if ('any' in expression) return expression.any.map(evaluate).reduce((all, part) => all.or(part), nothing)
    const [first, ...rest] = expression.all
    return first ? rest.reduce((found, part) => found.and(evaluate(part)), evaluate(first)) : nothing
  }
  return evaluate
}
