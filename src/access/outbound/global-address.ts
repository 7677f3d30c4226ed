import { BlockList, isIP } from 'node:net'

/**
 * The blocks of the IANA special-purpose registries, and multicast: private networks, this machine, documentation,
 * benchmarks, relays. Public servers have no such address.
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const special4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
  224.0.0.0/4 240.0.0.0/4`
/** Special blocks within global unicast: IETF protocols with Teredo, documentation, 6to4, AS112. */
const special6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20'
/** All public servers have addresses here. Everything else is loopback, local, mapped, NAT64 or reserved. */
const globalUnicast6 = '2000::/3'

const specials = { ipv4: blocksOf(special4, 'ipv4'), ipv6: blocksOf(special6, 'ipv6') }
const unicast6 = blocksOf(globalUnicast6, 'ipv6')

/** Whether an IP address is public. False for other text and for addresses with a zone id. */
export function isGlobalAddress(address: string): boolean {
  if (address.includes('%')) return false
  switch (isIP(address)) {
    case 4:
      return !specials.ipv4.check(address, 'ipv4')
    case 6:
      return unicast6.check(address, 'ipv6') && !specials.ipv6.check(address, 'ipv6')
    default:
      return false
  }
}

function blocksOf(text: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const block of text.split(/\s+/)) {
    const [address = '', prefix] = block.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}
