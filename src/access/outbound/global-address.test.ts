import { expect, test } from 'vitest'
import { isGlobalAddress } from './global-address.ts'

test.each([
  // Version 4: this machine, private networks, carriers, link-local with the metadata services of clouds.
  ...['0.0.0.0', '0.255.255.255', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1'],
  ...['127.255.255.255', '169.254.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  // Protocol assignments, documentation, AS112, AMT, 6to4 relays, benchmarks.
  ...[
    '192.0.0.1',
    '192.0.0.170',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.255',
    '192.31.196.1',
    '192.52.193.1',
  ],
  ...['192.88.99.1', '192.175.48.1', '198.18.0.1', '198.19.255.255'],
  // Multicast, reserved, broadcast.
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  // Version 6: unspecified, loopback, link-local, site-local, unique local, multicast.
  ...[
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'feff::1',
    'fc00::1',
    'fd00::1',
    'fdff::1',
  ],
  ...['ff02::1', 'FE80::1', 'FEC0::1', 'fe80::1%eth0', 'fe80::1%1', '2606:4700::1111%eth0'],
  // Version 4 inside of version 6: mapped, compatible, translated, NAT64, 6to4, Teredo.
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:7F00:0001', '0:0:0:0:0:ffff:127.0.0.1', '::ffff:8.8.8.8'],
  ...['::127.0.0.1', '::7f00:1', '::8.8.8.8', '::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::7f00:1'],
  ...['64:ff9b::8.8.8.8', '64:ff9b:1::1', '64:ff9b:1:ffff::10.0.0.1', '2002:7f00:1::', '2002::1'],
  ...['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  // Discard-only, benchmarks, ORCHID, documentation, AS112, segment routing, reserved.
  ...[
    '100::1',
    '100:0:0:1::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:1ff::1',
    '2001:db8::1',
    '3fff::1',
  ],
  ...[
    '3fff:fff::1',
    '2001:4:112::1',
    '2620:4f:8000::1',
    '5f00::1',
    '4000::1',
    '1000::1',
    '200::1',
    '8000::1',
  ],
  // No addresses.
  ...['', 'localhost', '127.1', '0177.0.0.1', '0x7f.0.0.1', '2130706433', '127.0.0.1.', '[::1]', ' 8.8.8.8'],
])('%j is no address of a server on the internet', (address) => {
  expect(isGlobalAddress(address)).toBe(false)
})

test.each([
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.1',
    '126.255.255.255',
    '172.15.255.255',
  ],
  ...[
    '172.32.0.1',
    '169.253.255.255',
    '192.0.1.1',
    '192.169.0.1',
    '198.17.255.255',
    '198.20.0.1',
    '223.255.255.255',
  ],
  ...['2606:4700::1111', '2001:200::1', '2001:4860:4860::8888', '2400:3200::1', '2a00:1450::1', '3ffe::1'],
])('%j is', (address) => {
  expect(isGlobalAddress(address)).toBe(true)
})
