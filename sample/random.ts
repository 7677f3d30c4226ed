/** Random values that are the same at every load, so that examples and tests can rely on them. */
export interface Random {
  /** An integer from 0 to below `end`. */
  below(end: number): number
  /** An integer, both ends included. */
  between(first: number, last: number): number
  chance(percent: number): boolean
  pick<T>(from: readonly T[]): T
  shuffle<T>(items: readonly T[]): T[]
  digits(count: number): string
  /** In the layout of uuidv7, like the ids of the service, so that ids sort by time. */
  id(made: Date): string
}

/** Each subject has its own seed: more users do not change the amounts of orders. */
export function createRandom(seed: number): Random {
  const next = mulberry32(seed)
  const below = (end: number) => next() % end
  const between = (first: number, last: number) => first + below(last - first + 1)
  const hex = (count: number) => next().toString(16).padStart(8, '0').slice(0, count)
  return {
    below,
    between,
    chance: (percent) => below(100) < percent,
    pick: (from) => from[below(from.length)]!,
    shuffle: (items) => shuffle(items, below),
    digits: (count) => Array.from({ length: count }, () => below(10)).join(''),
    id: (made) =>
      `${made.getTime().toString(16).padStart(12, '0')}7${hex(3)}${'89ab'[below(4)]}${hex(7)}${hex(8)}`,
  }
}

function shuffle<T>(items: readonly T[], below: (end: number) => number): T[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = below(last + 1)
    const held = shuffled[last]!
    shuffled[last] = shuffled[other]!
    shuffled[other] = held
  }
  return shuffled
}

/** Mulberry32, a well-known generator of 32 bits. */
function mulberry32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
