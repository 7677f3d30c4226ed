import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { linkEntries } from '../../access/audit/link-entries.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { newId } from '../../contract/new-id.ts'
import { addEvents } from '../../events/add-events.ts'
import { listEvents } from '../../events/list-events.ts'
import { maxWaitingReaders } from '../../events/waiting-places.ts'
import { createUser } from '../../people/users/create-user.ts'

let server: TestServer
let school: TestOrganization
let hangUp: AbortController
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())
beforeEach(async () => {
  school = await openOrganization(server)
  hangUp = new AbortController()
})
afterEach(() => hangUp.abort())

const path = () => `/api/v5/entity/event/stream?corp_id=${school.corp_id}&types=user.*`

function open(headers: Record<string, string> = {}, token = school.token): Promise<Response> {
  return fetch(`${server.url}${path()}`, {
    headers: { Authorization: `Bearer ${token}`, ...headers },
    signal: hangUp.signal,
  })
}

async function addUser(): Promise<string> {
  const { data } = await school.call(createUser, { email: `${newId()}@example.com` })
  await linkEntries(server.db, school.corp_id)
  await addEvents(server.db, school.corp_id)
  return data.user_id
}

function openAccount(settings: object = {}) {
  const account = { name: 'Reader', corp_ids: [school.corp_id], ...settings }
  return createAccount(server.database.owner, testKeyring, account, new Date()).then(server.tokenOf)
}

test('the stream sends events as they happen, and resumes after the last id', async () => {
  const readerOf = async (headers: Record<string, string>) => {
    const response = await open(headers)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    return response.body!.pipeThrough(new TextDecoderStream()).getReader()
  }
  const readUntil = async (reader: ReadableStreamDefaultReader<string>, text: string) => {
    let all = ''
    while (!all.includes(text)) {
      const { value, done } = await reader.read()
      if (done) throw new Error(`The stream ended: ${all}`)
      all += value
    }
    return all
  }
  const reader = await readerOf({})
  const first = await addUser()
  const text = await readUntil(reader, first)
  const id = /id: (\S+)\nevent: user\.created/.exec(text)![1]!
  await reader.cancel()
  const second = await addUser()
  const resumed = await readerOf({ 'Last-Event-ID': id })
  const rest = await readUntil(resumed, second)
  expect(rest).not.toContain(first)
  await resumed.cancel()
})

test('the stream refuses the same requests as the feed, in the envelope', async () => {
  const send = (query: string, token = school.token) =>
    server.send(`/api/v5/entity/event/stream?${query}`, { headers: { Authorization: `Bearer ${token}` } })
  const other = await openOrganization(server)
  expect(await send(`corp_id=${school.corp_id}&after=x`)).toMatchObject({ status: 400, code: 40002 })
  expect(await send('')).toMatchObject({ status: 400, code: 40001 })
  expect(await send(`corp_id=${school.corp_id}`, other.token)).toMatchObject({ status: 403, code: 40301 })
  expect(await send(`corp_id=${school.corp_id}`, 'x')).toMatchObject({ status: 401 })
})

test('a stream holds one of the four places of its account, from before its first byte to its end', async () => {
  const streams = await Promise.all(Array.from({ length: maxWaitingReaders }, () => open()))
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
  const refused = await open()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(await refused.json()).toMatchObject({ code: 42901 })
  const after = (await school.call(listEvents)).data.newest_cursor
  expect((await school.call(listEvents, { after, wait_seconds: 1 })).code).toBe(42901)
  await streams[0]!.body!.cancel()
  await expect.poll(async () => (await open()).status).toBe(200)
  expect((await open()).status).toBe(429)
})

test('unreadable streams free their places: HEAD, and pipelined ones on a connection that closes', async () => {
  for (let n = 0; n <= maxWaitingReaders; n++) {
    const headers = { Authorization: `Bearer ${school.token}` }
    expect((await fetch(`${server.url}${path()}`, { method: 'HEAD', headers })).status).toBe(200)
  }
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const request = `GET ${path()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${school.token}\r\n\r\n`
  socket.write(request.repeat(maxWaitingReaders))
  await once(socket, 'data')
  await expect.poll(async () => (await open()).status).toBe(429)
  socket.destroy()
  await expect.poll(async () => (await open()).status).toBe(200)
})

test('opening a stream counts against the rate limit of the account', async () => {
  const token = await openAccount({ rate_limit_per_minute: 3 })
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) {
    const response = await open({}, token)
    statuses.push(response.status)
    if (n === 0) expect(response.headers.get('ratelimit-remaining')).toBe('2')
    await response.body!.cancel()
  }
  expect(statuses).toEqual([200, 200, 200, 429])
})

test('streams of many accounts leave room for other pages', async () => {
  const tokens = await Promise.all(Array.from({ length: 65 }, () => openAccount()))
  const streams = tokens.flatMap((token) => Array.from({ length: maxWaitingReaders }, () => open({}, token)))
  for (const { status } of await Promise.all(streams)) expect(status).toBe(200)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})
