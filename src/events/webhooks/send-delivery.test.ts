import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startReceiver } from '../../../test/harness/receiver.ts'
import type { Resolve } from '../../access/outbound/guarded-request.ts'
import { createSender } from './send-delivery.ts'
import { addressFault } from './webhook-address.ts'

/** Connections that are dialled. A request to a numeric address counts as soon as it is made. */
let dialled: string[] = []
const watch = (message: unknown) => {
  const { request } = message as { request: ClientRequest }
  if (isIP(request.host.replace(/^\[(.*)\]$/, '$1')) !== 0) dialled.push(request.host)
  else
    request.once('socket', (socket: Socket) =>
      socket.on('connectionAttempt', (address: string) => dialled.push(address)),
    )
}
beforeEach(() => {
  dialled = []
  subscribe('http.client.request.start', watch)
})
afterEach(() => unsubscribe('http.client.request.start', watch))

const never = new AbortController().signal

/** Addresses of this machine, of private and shared networks, and of the metadata services of clouds. */
const internal4 = [
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.0.0.1', '10.255.0.9', '172.16.0.1', '172.31.255.254'],
  ...['192.168.0.1', '192.168.255.255', '169.254.169.254', '100.64.0.1', '100.100.100.200', '198.18.0.1'],
  ...['192.0.0.192', '224.0.0.1', '255.255.255.255'],
]
const internal6 = [
  ...['::1', '::', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '0:0:0:0:0:0:0:1', '100::1'],
  ...['2001:db8::1', '2001::1', '64:ff9b:1::1', '5f00::1', '3fff::1', '2001:10::1'],
]

/** The spellings of an IPv4 address that parsers take. */
function spellingsOf(address: string): string[] {
  const parts = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = parts
  const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const octal = (value: number) => `0${value.toString(8)}`
  const hex = (value: number) => `0x${value.toString(16)}`
  const [high, low] = [number >>> 16, number & 0xffff].map((half) => half.toString(16))
  const fullWidth = address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
  return [
    address,
    `${address}.`,
    ...[String(number), octal(number), hex(number), hex(number).toUpperCase().replace('X', 'x')],
    parts.map(octal).join('.'),
    parts.map(hex).join('.'),
    parts.map((part) => `000${part.toString(8)}`).join('.'),
    `${hex(a)}.${octal(b)}.${c}.${d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    fullWidth,
    address.replaceAll('.', '。'),
    address.replaceAll('.', '%2e'),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[::${address}]`,
    `[0:0:0:0:0:ffff:${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${high}:${low}::]`,
    `[2001:0:${high}:${low}::1]`,
  ]
}

const names = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'localhost.localdomain', 'ｌocalhost'],
  ...['metadata', 'kubernetes', 'router'],
]
/** Public names of internal addresses, each as the only answer, as one of several, and after a public one. */
const rebound: Record<string, string[]> = Object.fromEntries(
  [...internal4, ...internal6].flatMap((address, n) => [
    [`one${n}.attacker.example`, [address]],
    [`two${n}.attacker.example`, ['93.184.216.34', address]],
    [`six${n}.attacker.example`, [address, '2606:2800:220:1::1']],
  ]),
)
const resolve: Resolve = async (hostname) => {
  const addresses = rebound[hostname] ?? ['127.0.0.1']
  return addresses.map((address) => ({ address, family: isIP(address) }))
}

const hosts = [
  ...internal4.flatMap(spellingsOf),
  ...internal6.map((address) => `[${address}]`),
  ...names,
  ...Object.keys(rebound),
]
const addresses = [
  ...hosts.map((host) => `https://${host}/hook`),
  ...hosts.slice(0, 40).map((host) => `https://public.example@${host}/hook`),
  ...hosts.slice(0, 10).map((host) => `http://${host}/hook`),
  ...hosts.slice(0, 10).map((host) => `https://${host}:8443/hook`),
]

test('of 500 addresses inside networks, none is dialled', async () => {
  expect(new Set(addresses).size).toBeGreaterThanOrEqual(500)
  const sender = createSender({ allowsPrivate: false, resolve })
  for (const address of new Set(addresses)) {
    const result = URL.canParse(address)
      ? await sender.send(address, {}, '{}', never)
      : { error: 'address', status: null }
    expect([address, result.error]).toEqual([address, expect.stringMatching(/^(address|private_network)$/)])
  }
  expect(dialled).toEqual([])
  sender.close()
})

test('a name is looked up again for each connection', async () => {
  const answers = [['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1', '93.184.216.34']]
  let lookups = 0
  const sender = createSender({
    allowsPrivate: false,
    resolve: async () => answers[lookups++]!.map((address) => ({ address, family: 4 })),
  })
  for (const _ of answers)
    expect(await sender.send('https://rebinding.example/', {}, '{}', never)).toMatchObject({
      error: 'private_network',
    })
  expect(lookups).toBe(answers.length)
  expect(dialled).toEqual([])
})

test('a redirect is not followed, to any target', async () => {
  const targets = addresses.filter((_, n) => n % 10 === 0)
  const receiver = await startReceiver((_, response) => {
    response.writeHead(307, { location: encodeURI(targets[receiver.received.length - 1]!) }).end()
  })
  // The receiver is on this machine, which the operator allows here.
  const sender = createSender({ allowsPrivate: true, resolve })
  for (const _ of targets)
    expect(await sender.send(receiver.url, {}, '{}', never)).toMatchObject({ error: 'redirect', status: 307 })
  expect(receiver.received).toHaveLength(targets.length)
  expect(new Set(dialled)).toEqual(new Set(['127.0.0.1']))
  sender.close()
  await receiver.close()
})

test('private networks are reachable if the operator allows them, on any port and without TLS', async () => {
  const receiver = await startReceiver()
  const sender = createSender({ allowsPrivate: true })
  expect(await sender.send(receiver.url, {}, '{}', never)).toMatchObject({ error: null, status: 200 })
  expect(addressFault('http://10.0.0.1:8080/hook', true)).toBeUndefined()
  expect(addressFault('http://user@10.0.0.1:8080/hook', true)).toBe('must not contain a user or password')
  expect(dialled).toEqual(['127.0.0.1'])
  sender.close()
  await receiver.close()
})
