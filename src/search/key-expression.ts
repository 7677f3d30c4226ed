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
