import { lookup } from 'node:dns/promises'
import { request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** What an organization's administrator names, this server calls: it must not lead into the network that the server is in. */
export interface ProviderReach {
  /** Whether providers may be in private networks, and on this machine without TLS. */
  allowsPrivate: boolean
}

const timeoutMs = 5000
const largestAnswer = 1_048_576

const inside = new BlockList()
for (const [address, prefix] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
  ] as const),
])
  inside.addSubnet(address, prefix, 'ipv4')
for (const [address, prefix] of [
  ...([
    ['::', 96],
    ['64:ff9b::', 96],
    ['2002::', 16],
    ['fc00::', 7],
    ['fe80::', 10],
    ['ff00::', 8],
  ] as const),
])
  inside.addSubnet(address, prefix, 'ipv6')

/** Whether an address is one of ours, or of nobody: not out on the internet. */
export function isInside(address: string): boolean {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1]
  if (mapped) return isInside(mapped)
  // An address of version 4 in hexadecimal digits, inside of one of version 6.
  if (/^::ffff:/i.test(address)) return true
  return inside.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Like fetch, as far as talking to a provider needs it: bounded in time and size, and only to where it may lead. */
export function createProviderFetch({ allowsPrivate }: ProviderReach) {
  return async (address: string, init: { method?: string; headers?: object; body?: unknown } = {}) => {
    const url = new URL(address)
    refuseScheme(url, allowsPrivate)
    const send = url.protocol === 'https:' ? request : requestPlain
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const signal = AbortSignal.timeout(timeoutMs)
    const { method = 'GET', headers, body } = init
    const options = { method, headers: { ...headers }, signal, lookup: lookingUp(allowsPrivate) }
    // A name is looked up by the function above; numbers are not looked up.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(host) !== 0 && !allowsPrivate && isInside(host)) throw leadsInside(host)
    const sent = send(url, options, (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > largestAnswer) return sent.destroy(new Error('The answer of the provider is too large.'))
        chunks.push(chunk)
      })
      response.once('error', reject)
      response.once('end', () => {
        const found = Object.entries(response.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)] as [string, string]],
        )
        const status = response.statusCode!
        const content = status === 204 || status === 304 ? null : Buffer.concat(chunks)
        resolve(new Response(content, { status, headers: found }))
      })
    })
    sent.once('error', reject)
    sent.end(body === undefined || body === null ? undefined : String(body))
    return promise
  }
}

function refuseScheme({ protocol, hostname }: URL, allowsPrivate: boolean): void {
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback && allowsPrivate)) return
  throw new Error('A provider is reached by https only.')
}

/** Looks at the addresses that are then connected to: a name that changes between two looks gets nowhere. */
function lookingUp(allowsPrivate: boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }).then(
      (addresses) => {
        const bad = allowsPrivate ? undefined : addresses.find(({ address }) => isInside(address))
        if (bad) return done(leadsInside(hostname), '', 0)
        if (options.all) return done(null, addresses as never)
        done(null, addresses[0]!.address, addresses[0]!.family)
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    )
  }
}

function leadsInside(host: string): Error {
  return new Error(`${host} leads into a private network.`)
}
