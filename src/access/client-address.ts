import { BlockList, isIP } from 'node:net'

/** The trusted proxies: a number of hops from this server, or networks. */
export type TrustProxy = number | BlockList

/** The parts of a request that hold its address. */
interface AddressedRequest {
  headers: NodeJS.Dict<string | string[]>
  socket: { remoteAddress?: string | undefined }
}

/**
 * The address of the caller. Each proxy appends the address of its caller to X-Forwarded-For; a caller can forge the entries
 * before. The header is therefore read from the end, through trusted proxies only. An invalid entry falls back to the
 * address of the connection.
 */
export function clientAddress({ headers, socket }: AddressedRequest, trust: TrustProxy): string {
  const peer = readAddress(socket.remoteAddress ?? '') ?? 'unknown'
  if (trust === 0) return peer
  const forwarded = String(headers['x-forwarded-for'] ?? '')
  let address = peer
  let end = forwarded.length
  for (let hop = 0; end > 0 && isTrusted(trust, address, hop); hop++) {
    const start = forwarded.lastIndexOf(',', end - 1)
    const entry = readAddress(forwarded.slice(start + 1, end))
    if (entry === undefined) return peer
    address = entry
    end = start
  }
  return address
}

/** The network of one caller: an IPv4 address, or the IPv6 /64 that providers assign. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [first = [], last = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array(Math.max(0, 8 - first.length - last.length)).fill('0')
  const groups = [...first, ...zeros, ...last].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Parses the setting: a number of proxies, or addresses and networks. Undefined if invalid. */
export function readTrustProxy(text: string): TrustProxy | undefined {
  if (/^[0-9]{1,2}$/.test(text)) return Number(text)
  // An earlier form of the setting. `true` would not say which proxies to trust.
  if (text === 'false') return 0
  return readNetworks(text.split(','))
}

/** Parses IPv4 and IPv6 addresses and networks, such as 10.0.0.0/8. Undefined if one is invalid. */
export function readNetworks(texts: string[]): BlockList | undefined {
  const networks = new BlockList()
  for (const each of texts) {
    const [address = '', prefix, ...rest] = each.trim().split('/')
    const version = isIP(address)
    if (version === 0 || rest.length > 0) return undefined
    const longest = version === 6 ? 128 : 32
    if (prefix !== undefined && !(/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= longest)) return undefined
    networks.addSubnet(address, prefix === undefined ? longest : Number(prefix), familyOf(address))
  }
  return networks
}

const lists = new WeakMap<string[], BlockList>()

/** Whether an address is in one of these valid networks. */
export function isWithin(networks: string[], address: string): boolean {
  let list = lists.get(networks)
  if (!list) {
    list = readNetworks(networks) ?? new BlockList()
    lists.set(networks, list)
  }
  return isIP(address) !== 0 && list.check(address, familyOf(address))
}

function isTrusted(trust: TrustProxy, address: string, hop: number): boolean {
  return typeof trust === 'number' ? hop < trust : trust.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** Normalizes an address: without port, brackets and zone. Undefined if invalid. */
function readAddress(text: string): string | undefined {
  // No address with port, brackets and zone is longer.
  const entry = text.length > 80 ? '' : text.trim()
  const bare = /^\[([^\]]*)\](?::[0-9]+)?$/.exec(entry)?.[1] ?? /^([0-9.]+):[0-9]+$/.exec(entry)?.[1] ?? entry
  if (isIP(bare) === 0) return undefined
  return bare
    .toLowerCase()
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=[0-9.]+$)/, '')
}
