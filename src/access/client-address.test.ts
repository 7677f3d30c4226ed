import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientAddress, networkOf, readTrustProxy, type TrustProxy } from './client-address.ts'

const peer = '192.0.2.1'
const of = (forwarded: string | undefined, trust: TrustProxy, remoteAddress: string | undefined = peer) =>
  clientAddress({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }, trust)
const networks = (text: string) => readTrustProxy(text)!

const addresses = fc.oneof(
  fc.ipV4(),
  fc.ipV6().filter((address) => !address.includes('.')),
)
const anything = fc.oneof(
  addresses,
  fc.string(),
  fc.constantFrom('unknown', '', ' ', ',', '1.2.3.4.5', '[::1'),
)
const chains = fc.array(anything, { maxLength: 6 }).map((entries) => entries.join(', '))

test('without trusted proxies, the address of the connection counts', () => {
  fc.assert(fc.property(chains, (forwarded) => void expect(of(forwarded, 0)).toBe(peer)))
})

test('behind one proxy, the last entry is the caller; entries before it are ignored', () => {
  fc.assert(
    fc.property(chains, addresses, (written, caller) => {
      expect(of(`${written},${caller}`, 1)).toBe(caller.toLowerCase())
    }),
  )
})

test('behind a number of proxies, the entry that the first of them wrote is the caller', () => {
  fc.assert(
    fc.property(chains, addresses, fc.array(addresses, { maxLength: 5 }), (written, caller, proxies) => {
      const forwarded = [written, caller, ...proxies].join(', ')
      expect(of(forwarded, proxies.length + 1)).toBe(caller.toLowerCase())
    }),
  )
})

test('with trusted networks, the last entry outside of them is the caller', () => {
  const inside = fc.nat(255).map((n) => `10.0.0.${n}`)
  const outside = fc.ipV4().filter((address) => !address.startsWith('10.'))
  fc.assert(
    fc.property(chains, outside, fc.array(inside), (written, caller, proxies) => {
      const forwarded = [written, caller, ...proxies].join(',')
      expect(of(forwarded, networks('10.0.0.0/8'), '10.1.1.1')).toBe(caller)
    }),
  )
})

test('a connection from outside the trusted networks is the caller itself', () => {
  fc.assert(
    fc.property(chains, (forwarded) => void expect(of(forwarded, networks('10.0.0.0/8, ::1'))).toBe(peer)),
  )
})

test('with any header, the caller is a valid address', () => {
  const trusts = fc.oneof(
    fc.nat(9),
    fc.constantFrom(networks('0.0.0.0/0,::/0'), networks('192.0.2.0/24'), networks('::ffff:0:0/96')),
  )
  fc.assert(
    fc.property(chains, trusts, (forwarded, trust) => {
      expect(of(forwarded, trust)).toMatch(/^[0-9a-f.:]{2,45}$/)
    }),
  )
})

test.each([
  ['203.0.113.9:51234', '203.0.113.9'],
  ['[2001:DB8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['  203.0.113.9 ', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['fe80::1%eth0', 'fe80::1'],
])('%s is the address %s', (written, address) => {
  expect(of(written, 1)).toBe(address)
})

test.each(['unknown', 'a.b.c.d', '203.0.113.9:x', '[203.0.113.9', '203.0.113', '1'.repeat(5000), '', ' , '])(
  '"%s" is not an address: the address of the connection is used',
  (written) => {
    expect(of(written, 1)).toBe(peer)
    expect(of(written, networks('192.0.2.0/24'))).toBe(peer)
  },
)

test('an invalid entry among the proxies also falls back to the address of the connection', () => {
  expect(of('unknown, 10.0.0.2', 2)).toBe(peer)
  expect(of('unknown, 10.0.0.2', networks('10.0.0.0/8, 192.0.2.0/24'))).toBe(peer)
})

test('a chain that is shorter than the number of proxies ends at its first entry', () => {
  expect(of('203.0.113.9', 3)).toBe('203.0.113.9')
  expect(of(undefined, 3)).toBe(peer)
})

test('a connection that has ended has the unspecified address', () => {
  expect(clientAddress({ headers: {}, socket: {} }, 1)).toBe('unknown')
})

test.each(['0', '1', '15', 'false', '127.0.0.1', '10.0.0.0/8, fd00::/8', '::1'])(
  '%s can be trusted',
  (text) => {
    expect(readTrustProxy(text)).toBeDefined()
  },
)

test.each(['true', '', '-1', '100', '1.5', '10.0.0.0/33', '10.0.0.0/', '::/129', '10.0.0.0/8/8', '1,x'])(
  '%s cannot',
  (text) => {
    expect(readTrustProxy(text)).toBeUndefined()
  },
)

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['unknown', 'unknown'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0db8:0001::1', '2001:db8:1:0::/64'],
  ['2001:db8:0:0:ffff::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
