import type { Endpoint } from '../../contract/endpoint.ts'
import { inputValidator, refusesUnknown, unknownParameters } from '../../contract/validate.ts'
import type { Call } from '../call.ts'
import { readJsonObject } from './json-body.ts'
import { onFirstUse } from './on-first-use.ts'
import { queryStringReader } from './query-string.ts'

export type Input = Record<string, unknown>

/** The parameters of a call as they were sent. */
export interface SentInput {
  values: Input
  /** Names that the operation does not declare; at most the first 20. */
  unknown: string[]
}

/** Reads the parameters of an operation: from the query string of a GET, at once; from the JSON body of a POST. */
export function inputReader(endpoint: Endpoint, bodyLimitBytes: number) {
  if (endpoint.method === 'GET') {
    const read = queryStringReader(endpoint)
    return (call: Call): SentInput => read(call.query)
  }
  return async (call: Call): Promise<SentInput> => {
    const values = await readJsonObject(call, bodyLimitBytes)
    return { values, unknown: unknownParameters(endpoint, values) }
  }
}

/** Checks parameters against the contract. Unknown ones are ignored and named in a header, or refused. */
export function inputChecker(endpoint: Endpoint): (sent: SentInput, headers: Call['headers']) => Input {
  const validate = onFirstUse(() => inputValidator(endpoint))
  return ({ values, unknown }, headers) => {
    if (unknown.length > 0 && !refusesUnknown(endpoint))
      headers.push('x-ignored-parameters', unknown.map(headerText).join(', '))
    return validate(values)
  }
}

const longestName = 100

/** Names may hold characters that a header may not. */
function headerText(name: string): string {
  return encodeURIComponent(name.toWellFormed()).slice(0, longestName)
}
