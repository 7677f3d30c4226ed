import { parse } from 'node:querystring'
import type { Endpoint } from '../contract/endpoint.ts'
import { faulty } from '../contract/errors.ts'

/** Reads the query string of an operation; a parameter that comes more than once becomes a list, for the contract to refuse. */
export function readQuery(endpoint: Pick<Endpoint, 'input'>, text: string): Record<string, unknown> {
  // A decoder of our own is asked for every piece; few texts need one.
  if (!text.includes('%')) return parse(text, '&', '=', { maxKeys: 0 })
  const values = parse(text, '&', '=', decoding)
  refuseUndecodable(endpoint, values)
  return values
}

/** Half a surrogate pair: nothing that can be decoded. */
const undecodable = '\ud800'

const decoding = {
  maxKeys: 0,
  decodeURIComponent(text: string): string {
    try {
      return decodeURIComponent(text)
    } catch {
      return undecodable
    }
  },
}

/** Escapes that are no UTF-8 are refused: to keep or to replace them would be a guess. */
function refuseUndecodable({ input }: Pick<Endpoint, 'input'>, values: Record<string, unknown>): void {
  const params = Object.keys(values).filter(
    (name) => Object.hasOwn(input.properties, name) && [values[name]].flat().includes(undecodable),
  )
  const reason = 'has escapes (%…) that are no UTF-8'
  if (params.length > 0) throw faulty(params.map((param) => ({ param, reason })))
}
