import { lookup } from 'node:dns/promises'
import { request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isGlobalAddress } from './global-address.ts'
import { OutboundError, outboundErrorOf } from './outbound-error.ts'

/** Administrators configure addresses that this server calls. None may lead into its own network (SSRF). */
export interface OutboundReach {
  /** Whether addresses may be in private networks, and on this machine without TLS. */
  allowsPrivate: boolean
}

const timeoutMs = 5000
const maxResponseBytes = 1_048_576

/**
 * Like fetch, without redirects: limited in time and size, https only, and only to public addresses. Every failure is an
 * OutboundError.
 */
export function createGuardedFetch({ allowsPrivate }: OutboundReach) {
  return async (address: string, init: { method?: string; headers?: object; body?: unknown } = {}) => {
    const url = new URL(address)
    refuseScheme(url, allowsPrivate)
    // A numeric address never reaches the lookup function.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(host) !== 0 && !allowsPrivate && !isGlobalAddress(host))
      throw new OutboundError('private_network')
    const send = url.protocol === 'https:' ? request : requestPlain
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const fail = (error: unknown) => reject(outboundErrorOf(error))
    const signal = AbortSignal.timeout(timeoutMs)
    const { method = 'GET', headers, body } = init
    const options = { method, headers: { ...headers }, signal, lookup: lookingUp(allowsPrivate) }
    const sent = send(url, options, (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > maxResponseBytes) return sent.destroy(new OutboundError('too_large'))
        chunks.push(chunk)
      })
      response.once('error', fail)
      response.once('end', () => {
        const found = Object.entries(response.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)] as [string, string]],
        )
        const { statusCode: status = 502 } = response
        const content = status === 204 || status === 304 ? null : Buffer.concat(chunks)
        resolve(new Response(content, { status, headers: found }))
      })
    })
    sent.once('error', fail)
    sent.end(body === undefined || body === null ? undefined : String(body))
    return promise
  }
}

function refuseScheme({ protocol, hostname }: URL, allowsPrivate: boolean): void {
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback && allowsPrivate)) return
  throw new OutboundError('not_https')
}

/** Checks the addresses of the same lookup that the connection uses, which prevents DNS rebinding. */
function lookingUp(allowsPrivate: boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }).then(
      (addresses) => {
        const isRefused = !allowsPrivate && !addresses.every(({ address }) => isGlobalAddress(address))
        if (isRefused) return done(new OutboundError('private_network'), '', 0)
        // The declared callback takes one address; with `all`, Node passes a list.
        if (options.all) return done(null, addresses as never)
        const [first] = addresses
        done(null, first?.address ?? '', first?.family)
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    )
  }
}
