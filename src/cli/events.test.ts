import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli, startCli } from '../../test/harness/cli.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { newId } from '../contract/new-id.ts'
import { listEvents } from '../events/list-events.ts'
import { createUser } from '../people/users/create-user.ts'
import { listen } from '../server/listen.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
})
afterAll(() => server?.close())

const settings = () => ({ ...server.database.settings, MATRICULA_KEY: masterKeyText })
const matricula = (...words: string[]) => callCli([...words, '--org', school.corp_id], settings())
const addUser = async () =>
  (await school.call(createUser, { email: `${newId()}@example.com` })).data.user_id as string

test('events tail shows the last events of the chosen types, even without a running server', async () => {
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push(await addUser())
  const { stdout } = await matricula('events', 'tail', '--types', 'user.*', '--last', '2', '--json')
  const { list, next_cursor } = JSON.parse(stdout)
  expect(list.map(({ record_id }: { record_id: string }) => record_id)).toEqual(ids.slice(1))
  expect((await school.call(listEvents)).data.newest_cursor).toBe(next_cursor)
  const text = (await matricula('events', 'tail', '--last', '1')).stdout
  expect(text).toContain(`user.created  ${ids[2]}`)
  expect((await matricula('events', 'tail', '--types', 'users')).stderr).toContain('names no event type')
})

test('events tail --follow prints events as they happen', async () => {
  const words = ['events', 'tail', '--org', school.corp_id, '--last', '0', '--follow', '--json']
  const child = startCli(words, settings())
  try {
    let printed = ''
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    const ids: string[] = []
    // The command may start after the first events.
    await expect
      .poll(
        async () => {
          ids.push(await addUser())
          return ids.some((id) => printed.includes(id))
        },
        { timeout: 30_000, interval: 500 },
      )
      .toBe(true)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'close')
  }
})

test('events listen forwards events as they happen, signed with the same secret each time', async () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer(async (request, response) => {
    const pieces = await request.setEncoding('utf8').toArray()
    received.push({ headers: request.headers, body: pieces.join('') })
    response.writeHead(204).end()
  })
  const url = await listen(receiver, { host: '127.0.0.1', port: 0 })
  const secrets: string[] = []
  try {
    for (let round = 0; round < 2; round++) {
      const words = ['events', 'listen', '--org', school.corp_id, '--types', 'user.*', '--json']
      const child = startCli([...words, '--forward-to', `${url}/webhooks`], settings())
      let printed = ''
      child.stdout!.setEncoding('utf8').on('data', (text: string) => {
        printed += text
      })
      try {
        await expect.poll(() => printed, { timeout: 30_000 }).toContain('secret')
        secrets.push(JSON.parse(printed.split('\n')[0]!).secret)
        const user_id = await addUser()
        await expect.poll(() => received.at(-1)?.body ?? '', { timeout: 30_000 }).toContain(user_id)
        await expect.poll(() => printed, { timeout: 30_000 }).toContain('"outcome":"204"')
      } finally {
        child.kill('SIGTERM')
        await once(child, 'close')
      }
    }
  } finally {
    receiver.close()
  }
  expect(secrets[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(secrets[1]).toBe(secrets[0])
  const { headers, body } = received.at(-1)!
  const { type, data, timestamp } = JSON.parse(body)
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': data.event_id })
  expect([type, timestamp]).toEqual(['user.created', data.at])
  const key = Buffer.from(secrets[0]!.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = createHmac('sha256', key).update(signed).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${signature}`)
  const refused = await matricula('events', 'listen', '--forward-to', 'file:///etc/passwd')
  expect(refused.stderr).toContain('--forward-to takes an address')
})

test('events trigger adds an event of the type, whose record does not exist', async () => {
  const { record_id } = JSON.parse((await matricula('events', 'trigger', 'order.created', '--json')).stdout)
  const { list } = (await school.call(listEvents, { types: 'order.created' })).data
  expect(list).toMatchObject([{ type: 'order.created', record_type: 'order', record_id, version: null }])
  expect((await matricula('events', 'trigger', 'order.exploded')).stderr).toContain('There is no event type')
})

test('events retention shows and changes how long events are kept', async () => {
  const days = async (...words: string[]) => matricula('events', 'retention', ...words)
  expect((await days()).stdout).toContain('90 days')
  expect((await days('--days', '7')).stdout).toContain('7 days')
  expect((await days()).stdout).toContain('7 days')
  for (const wrong of ['6', '731', 'x'])
    expect((await days('--days', wrong)).stderr).toContain('Events are kept for 7 to 730 days.')
})
