import type { OrganizationContext, OrganizationEndpoint } from '../../contract/endpoint.ts'
import { asSurvivor } from '../../people/users/as-survivor.ts'
import type { Input } from './read-input.ts'

type UseCase = (context: OrganizationContext, input: Input) => Promise<unknown>

/** The use case of an operation. One that names a user repeats for the survivor if the user was merged. */
export function useCaseOf(endpoint: OrganizationEndpoint): UseCase {
  if (!('user_id' in endpoint.input.properties)) return (context, input) => endpoint.handle(context, input)
  return (context, input) => asSurvivor(context, input, (named: Input) => endpoint.handle(context, named))
}
