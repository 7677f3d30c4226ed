import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { ApiError } from '../../src/contract/errors.ts'
import { inputValidator } from '../../src/contract/validate.ts'
import { queryStringReader } from '../../src/server/steps/query-string.ts'
import type { Input } from './valid-inputs.ts'

/** The result of the server's check of an input: the parameters for the use case, or the refusal. */
export type Checked = { input: Input } | { code: number; params: string[] }

/**
 * The check that the server runs on the input of an operation, without HTTP: a body as an object, a query as
 * its text. Tests of every fault ask this check, and send a few of the faults as well.
 */
export function serverCheck(endpoint: Endpoint): (sent: Input | string) => Checked {
  const readQuery = queryStringReader(endpoint)
  const validate = inputValidator(endpoint)
  return (sent) => {
    try {
      return { input: validate(typeof sent === 'string' ? readQuery(sent).values : sent) }
    } catch (error) {
      const { code, details } = error as ApiError
      return { code, params: details.errors!.map(({ param }) => param) }
    }
  }
}

/** The parameters that the check refuses; none for a valid input. */
export function refusedBy(checked: Checked): string[] {
  return 'params' in checked ? checked.params : []
}
