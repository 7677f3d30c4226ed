import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '../src/access/organizations/manage-accounts.ts'
import { newId } from '../src/contract/new-id.ts'
import { unsentLimits } from '../src/server/unsent-bytes.ts'
import { testKeyring } from './harness/keyring.ts'
import { waitUntil } from './harness/process.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

/** Small enough for the pages of a sample school to reach it. */
const limits = {
  ...unsentLimits,
  accountBytes: 6_000_000,
  processBytes: 20_000_000,
  line: 100,
  patienceMs: 1000,
  stalledMs: 4000,
}
let server: TestServer
let token: string
let otherToken: string

beforeAll(async () => {
  server = await startTestServer('sample', { unsentLimits: limits })
  token = await server.tokenOf(server.sample)
  const other = { name: 'Other', corp_ids: [server.sample.corp_id] }
  otherToken = await server.tokenOf(
    await createAccount(server.database.owner, testKeyring, other, new Date()),
  )
})
afterAll(() => server.close())

const createUser = (email: string) =>
  requestOf('POST', 'user/create', JSON.stringify({ corp_id: server.sample.corp_id, email }))

function requestOf(method: string, path: string, body = '', bearer = token): string {
  return (
    `${method} /api/v5/entity/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bearer}\r\n` +
    (body && `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`) +
    `\r\n${body}`
  )
}

describe('bytes after a request on its connection', () => {
  test('a completed call is answered before the invalid bytes after it are refused', async () => {
    for (const nonsense of ['NONSENSE\r\n\r\n', '\x16\x03\x01', 'GET / HTTP/9.9\r\n\r\n']) {
      const email = `${newId()}@example.com`
      const answers = answersIn(await exchange(createUser(email) + nonsense))
      expect(answers.map(({ status }) => status)).toEqual([200, 400])
      const { user_id } = answers[0]!.body.data
      const again = answersIn(await exchange(createUser(email) + nonsense))
      expect(again[0]!.body.data).toEqual({ user_id, is_user_exists: true })
    }
  })

  test('all responses of a pipeline are sent first, in order', async () => {
    const emails = Array.from({ length: 5 }, () => `${newId()}@example.com`)
    const answers = answersIn(await exchange(`${emails.map(createUser).join('')}NONSENSE\r\n\r\n`))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400])
    expect(new Set(answers.slice(0, 5).map(({ body }) => body.data.user_id)).size).toBe(5)
  })

  test('an incomplete body is refused in its turn, and has no effect', async () => {
    const email = `${newId()}@example.com`
    const broken =
      `POST /api/v5/entity/user/create HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\nnonsense\r\n'
    const answers = answersIn(await exchange(createUser(email) + broken))
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [200, 0],
      [400, 40002],
    ])
  })
})

test('a page has one path, without other spellings', async () => {
  for (const path of ['/metrics', '/healthz', '/readyz', '/docs', '/openapi.json', '/docs/assets/docs.css']) {
    expect((await fetch(`${server.url}${path}`)).status, path).toBe(200)
    for (let at = 1; at < path.length; at += 3) {
      const escaped = `%${path.charCodeAt(at).toString(16)}`
      const other = `${path.slice(0, at)}${escaped}${path.slice(at + 1)}`
      expect(await server.send(other), other).toMatchObject({ status: 404, code: 40404 })
    }
  }
})

test('escapes that are not UTF-8 are reported as such', async () => {
  const answer = await server.send('/api/v5/entity/profile/fetch?corp_id=a&user_id=%E0%A4', {
    headers: { Authorization: `Bearer ${token}` },
  })
  const errors = [{ param: 'user_id', reason: 'has escapes (%…) that are no UTF-8' }]
  expect(answer).toMatchObject({ code: 40002, data: { errors } })
})

describe('clients that do not read', () => {
  const page = (bearer = token) =>
    requestOf('GET', `order/list?corp_id=${server.sample.corp_id}&page_size=1000`, '', bearer)

  test('hold at most the bytes of an account; others are served, and the clients are disconnected', {
    timeout: 120_000,
  }, async () => {
    const size = (await (await fetchPage(token)).arrayBuffer()).byteLength
    const sockets: Socket[] = []
    let most = 0
    const watch = setInterval(async () => {
      most = Math.max(most, await unsentBytes().catch(() => 0))
    }, 100)
    try {
      // Far more than the system buffers: each requests a hundred pages at once and reads nothing.
      for (let n = 0; n < 3; n++) {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
        socket.on('error', () => undefined).pause()
        await once(socket, 'connect')
        socket.write(page().repeat(100))
        sockets.push(socket)
      }
      expect(await waitUntil(async () => (await unsentBytes()) > limits.accountBytes / 2, 20_000)).toBe(true)
      for (let n = 0; n < 10; n++) expect((await fetchPage(otherToken)).status).toBe(200)
      // The account itself is refused with Retry-After.
      expect(await waitUntil(async () => (await fetchPage(token)).status === 429, 60_000)).toBe(true)
      const refused = await fetchPage(token)
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
      // They are disconnected, although they never close their connections.
      expect(await waitUntil(async () => (await unsentBytes()) === 0, 60_000)).toBe(true)
    } finally {
      clearInterval(watch)
      for (const socket of sockets) socket.destroy()
    }
    // In addition to the account's own: the page of the other reader, and refusals, which are small.
    expect(most).toBeLessThanOrEqual(limits.accountBytes + 2_000_000 + 200_000)
    expect(most).toBeGreaterThan(3 * size)
    expect((await fetchPage(token)).status).toBe(200)
  })

  async function fetchPage(bearer: string): Promise<Response> {
    return fetch(`${server.url}/api/v5/entity/order/list?corp_id=${server.sample.corp_id}&page_size=1000`, {
      headers: { Authorization: `Bearer ${bearer}` },
    })
  }

  async function unsentBytes(): Promise<number> {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    return Number(/^matricula_unsent_bytes (\d+)$/m.exec(text)![1])
  }
})

interface Received {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: data of every shape.
  body: any
}

/** Sends raw bytes, and reads until the server closes. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => undefined)
  socket.write(bytes)
  await once(socket, 'close')
  return text
}

function answersIn(text: string): Received[] {
  const answers: Received[] = []
  for (let rest = text; rest !== ''; ) {
    const [head] = rest.split('\r\n\r\n', 1) as [string]
    const length = Number(/content-length: (\d+)/i.exec(head)![1])
    const start = head.length + 4
    answers.push({ status: Number(head.split(' ')[1]), body: JSON.parse(rest.slice(start, start + length)) })
    rest = rest.slice(start + length)
  }
  return answers
}
