import { clientAddress, type TrustProxy } from '../../access/client-address.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Origin } from '../../contract/origin.ts'
import type { Call } from '../call.ts'

export interface OriginOptions {
  trustProxy: TrustProxy
}

/** The origin of a call for the audit. Before authentication, only the IP address is known. */
export function originOf(
  { id }: Endpoint,
  { caller, request, requestId }: Call,
  { trustProxy }: OriginOptions,
): Origin & { address: string } {
  return {
    actor_kind: caller?.kind === 'staff' ? 'staff' : 'account',
    actor_id: caller?.app_id ?? '',
    address: clientAddress(request, trustProxy),
    operation: id,
    request_id: requestId,
  }
}
