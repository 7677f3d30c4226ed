import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/** Where a call comes from. */
export type AddressOf = (request: IncomingMessage) => string

/** The proxies in front whose X-Forwarded-For is believed: none, all, so many hops, or networks. */
export type TrustProxy = boolean | number | string | string[]

export function createAddressOf(trustProxy: TrustProxy): AddressOf {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? ''
  const isTrusted = trustTest(trustProxy)
  return (request) => proxyAddress(request, isTrusted)
}

function trustTest(trustProxy: Exclude<TrustProxy, false>): (address: string, hop: number) => boolean {
  if (trustProxy === true) return () => true
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy
  return proxyAddress.compile(trustProxy)
}
