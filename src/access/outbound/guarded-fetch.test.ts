import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createGuardedFetch } from './guarded-fetch.ts'
import { OutboundError, type OutboundProblem, outboundProblems } from './outbound-error.ts'

const strict = createGuardedFetch({ allowsPrivate: false })
const lenient = createGuardedFetch({ allowsPrivate: true })

const running: Server[] = []
afterEach(async () => {
  for (const each of running.splice(0)) {
    each.closeAllConnections()
    each.close()
    await once(each, 'close')
  }
})

/** A server on this machine that counts who connects. */
async function listen(server: Server): Promise<{ port: number; connections(): number }> {
  let connections = 0
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  running.push(server)
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error) => error,
  )
}

describe('an address in a private network', () => {
  test.each([
    // As browsers write them, and in octal, hexadecimal and decimal, shortened, and with a trailing dot.
    ...[
      '127.0.0.1',
      '127.1',
      '0177.0.0.1',
      '0x7f.0.0.1',
      '0x7f000001',
      '2130706433',
      '017700000001',
      '127.0.0.1.',
    ],
    ...['0', '0.0.0.0', '０１７７.0.0.1', '127。0。0。1', '１２７.0.0.1'],
    ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...[
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b:1::127.0.0.1]',
      '[fec0::1]',
      '[fe80::1]',
      '[fd00::1]',
      '[2002:7f00:1::]',
    ],
    ...['10.0.0.1', '169.254.169.254', '192.168.1.1', '[2001::1]', '[2001:db8::1]', '[5f00::1]'],
    ...['localhost', 'LOCALHOST'],
  ])('is not called: %s', async (host) => {
    const { port, connections } = await listen(createServer())
    const failure = await failureOf(strict(`https://${host}:${port}/`))
    expect(failure).toMatchObject({ problem: 'private_network', message: outboundProblems.private_network })
    expect(connections()).toBe(0)
  })

  test.each(['[fe80::1%eth0]', '[fe80::1%25eth0]'])('with a zone id is no address: %s', (host) => {
    expect(URL.canParse(`https://${host}/`)).toBe(false)
  })
})

test.each(['http://example.com', 'http://127.0.0.1', 'ftp://example.com', 'file:///etc/passwd'])(
  'an address without TLS is not called: %s',
  async (address) => {
    expect(await failureOf(strict(address))).toMatchObject({ problem: 'not_https' })
  },
)

describe('each failure has one sentence of a closed set', () => {
  const silent: RequestListener = () => undefined
  const large: RequestListener = (_, response) => void response.end(Buffer.alloc(1_100_000))
  const cut: RequestListener = (request) => void request.socket.destroy()

  const cases: [what: string, problem: OutboundProblem, start: () => Promise<string>][] = [
    ['nobody listens there', 'refused', async () => 'http://localhost:1'],
    ['there cannot be such a name', 'unknown_host', async () => `https://${'x'.repeat(64)}.invalid`],
    [
      'the connection is cut',
      'no_answer',
      async () => `http://localhost:${(await listen(createServer(cut))).port}`,
    ],
    [
      'the answer is large',
      'too_large',
      async () => `http://localhost:${(await listen(createServer(large))).port}`,
    ],
    [
      'it does not speak TLS',
      'no_tls',
      async () => `https://localhost:${(await listen(createServer(silent))).port}`,
    ],
    [
      'its certificate is its own',
      'bad_certificate',
      async () => `https://localhost:${(await listen(createTlsServer({ key, cert }, silent))).port}`,
    ],
  ]
  test.each(cases)('where %s', async (_, problem, start) => {
    const failure = await failureOf(lenient(await start()))
    expect(failure).toBeInstanceOf(OutboundError)
    expect(failure).toMatchObject({ problem, message: outboundProblems[problem] })
    expect((failure as Error).cause).toBeUndefined()
    expect((failure as Error).message).not.toMatch(/E[A-Z]{4,}|localhost|127\.0\.0\.1|:\d/)
  })
})

test('a redirect is returned, not followed', async () => {
  const { port: target, connections } = await listen(createServer())
  const away: RequestListener = (_, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${target}/` }).end()
  }
  const { port } = await listen(createServer(away))
  expect((await lenient(`http://localhost:${port}/`)).status).toBe(302)
  expect(connections()).toBe(0)
})

/** A self-signed certificate for this test. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgv7fIuExgI8Q/571x
goalYEEN0MDYWneL2gNTgmFS6xqhRANCAAQKOTLX/U8JsTPeNYDJ4QInN3fJfmAn
DEPxNdLa08JixJYxA16BnGpKdfy/b3ygKt30CNRD48iBb63j6zVzmyQz
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUJr5oHeCUeq35V1tCW8kQ1EDM7b4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNzE5MDUxMloYDzIxMjYxMDI0
MTkwNTEyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQKOTLX/U8JsTPeNYDJ4QInN3fJfmAnDEPxNdLa08JixJYxA16BnGpK
dfy/b3ygKt30CNRD48iBb63j6zVzmyQzo1MwUTAdBgNVHQ4EFgQU3U7T522h0A+d
/jltJl4HQNG3HmwwHwYDVR0jBBgwFoAU3U7T522h0A+d/jltJl4HQNG3HmwwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBEjPSnfj5g2Nm3/jT8nBVY
jPugzooBnqp4+P7xhUQCvgIhAL9ZrSIECXfkoSrZp+b/aGVZVyCvoOsJeqPycdpS
xfmL
-----END CERTIFICATE-----`
