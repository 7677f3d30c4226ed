import type { Endpoint } from '../../contract/endpoint.ts'
import { faulty } from '../../contract/errors.ts'
import { maxUnknown } from '../../contract/validate.ts'

/** The parameters of a query string. */
export interface Query {
  /** Values of declared parameters. A repeated one has a list, which the contract refuses. */
  values: Record<string, string | string[]>
  /** Names of undeclared parameters; at most the first 20. */
  unknown: string[]
}

const reason = 'has escapes (%…) that are no UTF-8'
const replacementCharacter = '\ufffd'

/**
 * Reads the query strings of an operation, as forms and URLSearchParams write them. `node:querystring` replaces what it
 * cannot decode, which would be a guess; here it is refused.
 */
export function queryStringReader({ input }: Pick<Endpoint, 'input'>): (text: string) => Query {
  const declared = new Set(Object.keys(input.properties))
  return (text) => {
    const values: Query['values'] = {}
    const unknown = new Set<string>()
    const undecodable: string[] = []
    for (const pair of text.split('&')) {
      if (pair === '') continue
      const equals = pair.indexOf('=')
      const name = decoded(equals < 0 ? pair : pair.slice(0, equals)) ?? replacementCharacter
      if (!declared.has(name)) {
        if (unknown.size < maxUnknown) unknown.add(name)
        continue
      }
      const value = equals < 0 ? '' : decoded(pair.slice(equals + 1))
      const before = values[name]
      if (value === undefined) undecodable.push(name)
      else values[name] = before === undefined ? value : [before, value].flat()
    }
    if (undecodable.length > 0) throw faulty(undecodable.map((param) => ({ param, reason })))
    return { values, unknown: [...unknown] }
  }
}

/** Undefined if escapes are not UTF-8. */
function decoded(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
