import type { Endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { worksReadOnly } from '../../contract/guard.ts'
import type { Services } from '../call.ts'
import type { Input } from './read-input.ts'

/** An operator ends the mode within minutes, not within seconds. */
const retryAfterSeconds = 60

/** Refuses calls that change something while the service is read-only. A dry run changes nothing. */
export function readOnlyCheck(endpoint: Endpoint, { isReadOnly }: Pick<Services, 'isReadOnly'>) {
  if (worksReadOnly(endpoint)) return () => {}
  const takesDryRun = 'dry_run' in endpoint.input.properties
  return (input: Input): void => {
    if (!isReadOnly() || (takesDryRun && input.dry_run === true)) return
    throw new ApiError('readOnly', { retryAfterSeconds })
  }
}
