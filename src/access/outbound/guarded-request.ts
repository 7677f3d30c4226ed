import { lookup } from 'node:dns/promises'
import {
  type ClientRequest,
  type Agent as HttpAgent,
  type IncomingMessage,
  request as requestPlain,
} from 'node:http'
import { type Agent as HttpsAgent, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isGlobalAddress } from './global-address.ts'
import { OutboundError, outboundErrorOf } from './outbound-error.ts'

/** Administrators configure addresses that this server calls. None may lead into its own network (SSRF). */
export interface OutboundReach {
  /** Whether addresses may be in private networks, and on this machine without TLS. */
  allowsPrivate: boolean
}

export interface OutboundRequest extends OutboundReach {
  method: string
  headers: object
  body: string | undefined
  /** Limits the time, including name lookup, TLS and the whole response. */
  signal: AbortSignal
  /** Whether every private address may be called without TLS, not just this machine. */
  allowsPlain?: boolean
  /** Connections to keep. Absent: each request has its own, so none is shared with other features. */
  agents?: { plain: HttpAgent; tls: HttpsAgent } | undefined
  /** Absent: the lookup of the system. */
  resolve?: Resolve | undefined
}

export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>

/**
 * Sends a request, https only and only to public addresses. Redirects are answered, not followed. Resolves when the headers
 * have arrived; the caller reads the body. Every failure is an OutboundError.
 */
export async function guardedRequest(url: URL, wanted: OutboundRequest): Promise<IncomingMessage> {
  const { allowsPrivate, allowsPlain = false, method, headers, body, signal, agents, resolve } = wanted
  refuseScheme(url, allowsPrivate, allowsPlain)
  // A numeric address never reaches the lookup function.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 && !allowsPrivate && !isGlobalAddress(host)) throw new OutboundError('private_network')
  const isTls = url.protocol === 'https:'
  const answered = Promise.withResolvers<IncomingMessage>()
  const send = isTls ? request : requestPlain
  const options = {
    method,
    headers: { ...headers },
    signal,
    agent: agents ? (isTls ? agents.tls : agents.plain) : (false as const),
    lookup: lookingUp(allowsPrivate, resolve),
  }
  const sent: ClientRequest = send(url, options, answered.resolve)
  sent.once('error', (error) => answered.reject(outboundErrorOf(error)))
  sent.end(body)
  return answered.promise
}

function refuseScheme({ protocol, hostname }: URL, allowsPrivate: boolean, allowsPlain: boolean): void {
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'https:') return
  if (protocol === 'http:' && allowsPrivate && (isLoopback || allowsPlain)) return
  throw new OutboundError('not_https')
}

const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true })

/** Checks the addresses of the same lookup that the connection uses, which prevents DNS rebinding. */
function lookingUp(allowsPrivate: boolean, resolve = resolveBySystem): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname).then(
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
