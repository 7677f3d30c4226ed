import { BlockList, isIP } from 'node:net'

/** Which proxies in front are believed: so many, counted from this server on, or those in these networks. */
export type TrustProxy = number | BlockList

/** A request, as far as it tells where it comes from. */
interface Arrival {
  headers: NodeJS.Dict<string | string[]>
  socket: { remoteAddress?: string | undefined }
}

/**
 * The address of the caller. Each proxy adds whom it was called by at the end of X-Forwarded-For; what stands before the
 * part that proxies of ours have added, anybody may have written. So it is read from the end, as far as trust goes.
 * Where that leads to something that is no address, the one of the connection stands.
 */
export function clientAddress({ headers, socket }: Arrival, trust: TrustProxy): string {
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

/** What one caller has to call from: an address, or of version 6 the whole network (/64) that providers give out. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [first = [], last = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array(Math.max(0, 8 - first.length - last.length)).fill('0')
  const groups = [...first, ...zeros, ...last].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Reads the setting: a number of proxies, or addresses and networks. Undefined for anything else. */
export function readTrustProxy(text: string): TrustProxy | undefined {
  if (/^[0-9]{1,2}$/.test(text)) return Number(text)
  // What the setting was before there were numbers; its opposite would not say whom to believe.
  if (text === 'false') return 0
  return readNetworks(text.split(','))
}

/** Addresses and networks, such as 10.0.0.0/8, of either version. Undefined where one of them is none. */
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

/** Whether an address lies in one of these networks, which have been read before. */
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

/** An address in one spelling, without port, brackets and zone; undefined for what is none. */
function readAddress(text: string): string | undefined {
  // An address with everything around it is no longer than this.
  const entry = text.length > 80 ? '' : text.trim()
  const bare = /^\[([^\]]*)\](?::[0-9]+)?$/.exec(entry)?.[1] ?? /^([0-9.]+):[0-9]+$/.exec(entry)?.[1] ?? entry
  if (isIP(bare) === 0) return undefined
  return bare
    .toLowerCase()
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=[0-9.]+$)/, '')
}
