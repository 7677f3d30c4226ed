import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli } from '../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'

let database: TestDatabase
let school: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
})
afterAll(() => database.drop())

const settings = () => ({ ...database.settings, MATRICULA_KEY: masterKeyText })

async function webhook(...words: string[]) {
  const { code, stdout, stderr } = await callCli(
    ['webhook', ...words, '--org', school.corp_id, '--json'],
    settings(),
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('commands manage webhooks like the interface', async () => {
  const url = 'https://hooks.example.com/school'
  const made = await webhook('create', '--url', url, '--types', 'order.*,user.created')
  expect(made).toMatchObject({
    url,
    types: ['order.*', 'user.created'],
    secret: expect.stringMatching(/^whsec_/),
  })
  const { endpoint_id } = made
  expect(await webhook('update', endpoint_id, '--pause')).toMatchObject({ disabled_reason: 'paused' })
  expect(await webhook('enable', endpoint_id, '--skip-missed')).toMatchObject({ is_enabled: true })
  expect((await webhook('rotate', endpoint_id)).secret).not.toBe(made.secret)
  await webhook('ping', endpoint_id)
  await database.superuser.query(
    `insert into webhook_deliveries (corp_id, endpoint_id, seq, event_id, type, state, failures, attempts, next_at, ctime, mtime)
     values ($1, $2, 7, 'e', 'user.created', 'dead', 10, 10, now(), now(), now())`,
    [school.corp_id, endpoint_id],
  )
  const { list } = await webhook('deliveries', endpoint_id, '--state', 'dead')
  expect(list).toMatchObject([{ delivery_id: `${endpoint_id}-7`, state: 'dead' }])
  expect(await webhook('delivery', `${endpoint_id}-7`)).toMatchObject({ seq: 7, attempt_list: [] })
  expect(await webhook('replay', endpoint_id, '--all-dead')).toEqual({ replayed: 1, has_more: false })
  expect(await webhook('replay', endpoint_id, '--delivery', `${endpoint_id}-7`)).toMatchObject({
    replayed: 1,
  })
  expect((await webhook('list')).list).toMatchObject([{ endpoint_id, waiting: 1, dead: 0 }])
  await webhook('remove', endpoint_id)
  expect((await webhook('list')).list).toEqual([])
})

test('an address inside the network is refused in one sentence', async () => {
  const { code, stderr } = await callCli(
    ['webhook', 'create', '--org', school.corp_id, '--url', 'https://10.0.0.1/'],
    settings(),
  )
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'url must not lead into a private network.\n' })
})
