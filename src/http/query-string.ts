import { parse } from 'node:querystring'

/** Reads a query string; a parameter that comes more than once becomes a list, for the contract to refuse. */
export function parseQueryString(text: string): Record<string, unknown> {
  return parse(text, '&', '=', text.includes('%') ? decoding : plain)
}

const plain = { maxKeys: 0 }

/** Half a surrogate pair, which every text refuses by its parameter's name. */
const undecodable = '\ud800'

/** Escapes that are no UTF-8 are refused: to keep or to replace them would be a guess. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return undecodable
  }
}

const decoding = { decodeURIComponent: decode, maxKeys: 0 }
