/** The candidates of a search: documents with a key, with all of several, or with any of several. */
export type KeyExpression = { key: string } | { all: KeyExpression[] } | { any: KeyExpression[] }

export function allKeys(keys: string[]): KeyExpression {
  return { all: keys.map((key) => ({ key })) }
}

/** The keys of an expression. */
export function keysIn(expression: KeyExpression): string[] {
  if ('key' in expression) return [expression.key]
  return ('all' in expression ? expression.all : expression.any).flatMap(keysIn)
}

/** Documents of a segment: one bit each. */
export type Bits = Uint32Array

/**
 * The documents of a segment that an expression finds; undefined for none. `bitsOf` reads the documents with a key.
 * An expression without parts finds nothing.
 */
export function evaluate(
  expression: KeyExpression,
  bitsOf: (key: string) => Bits | undefined,
): Bits | undefined {
  if ('key' in expression) return bitsOf(expression.key)
  if ('all' in expression) {
    let found: Bits | undefined
    for (const [index, part] of expression.all.entries()) {
      const bits = evaluate(part, bitsOf)
      if (!bits) return undefined
      found = index === 0 ? bits : combined(found!, bits, (a, b) => a & b)
    }
    return found
  }
  return expression.any
    .flatMap((part) => evaluate(part, bitsOf) ?? [])
    .reduce<Bits | undefined>((all, bits) => (all ? combined(all, bits, (a, b) => a | b) : bits), undefined)
}

function combined(a: Bits, b: Bits, combine: (a: number, b: number) => number): Bits {
  return a.map((word, index) => combine(word, b[index]!))
}
