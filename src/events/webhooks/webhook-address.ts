import { isIP } from 'node:net'
import { isGlobalAddress } from '../../access/outbound/global-address.ts'

/**
 * The fault of an endpoint's address, to be read after "url". The guard of outgoing requests checks in addition the IP
 * addresses that are dialled. `allowsPrivate`: the operator lets webhooks reach private networks, on any port and without
 * TLS.
 */
export function addressFault(text: string, allowsPrivate: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isScheme = url?.protocol === 'https:' || (url?.protocol === 'http:' && allowsPrivate)
  if (!url || !isScheme) return 'must be an https address'
  if (url.username !== '' || url.password !== '') return 'must not contain a user or password'
  if (url.hash !== '') return 'must not contain a fragment'
  if (allowsPrivate) return undefined
  if (url.port !== '') return 'must use port 443'
  return isInternal(url.hostname) ? 'must not lead into a private network' : undefined
}

/** A parsed URL has IPv4 addresses in dotted decimal digits, for any spelling. */
function isInternal(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIP(host) !== 0) return !isGlobalAddress(host)
  return host === 'localhost' || host.endsWith('.localhost') || !host.includes('.')
}
