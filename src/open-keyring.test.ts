import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { callCli } from '../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../test/harness/database.ts'
import { createKeyring, keyIdOf } from './access/organizations/keyring.ts'
import { createAccount } from './access/organizations/manage-accounts.ts'
import { createOrganization } from './access/organizations/manage-organizations.ts'
import { setProvider } from './access/staff/provider/manage-provider.ts'
import { openKeyring } from './open-keyring.ts'

const [key, other] = [randomBytes(32), randomBytes(32)]
const [id, otherId] = [keyIdOf(key), keyIdOf(other)]

let used: TestDatabase
let fresh: TestDatabase
let dataDir: string
beforeAll(async () => {
  used = await createTestDatabase()
  fresh = await createTestDatabase()
  const corp_id = 'school'
  await createOrganization(used.owner, { corp_id, name: 'School' }, new Date())
  await createAccount(used.owner, createKeyring([key]), { name: 'Portal', corp_ids: [corp_id] }, new Date())
  const provider = { corp_id, issuer: 'https://login.example.com', client_id: 'x', client_secret: 'y' }
  await setProvider(used.owner.of(corp_id), createKeyring([other]), provider, new Date())
})
afterAll(async () => {
  await used?.drop()
  await fresh?.drop()
})
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'matricula-keys-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const settings = (masterKeys?: Buffer[], lostKeys: string[] = []) => ({ masterKeys, dataDir, lostKeys })

test('keys that open every stored secret are accepted', async () => {
  const keyring = await openKeyring(settings([key, other]), used.app)
  expect(keyring.tokenKeys.map((each) => each.id)).toEqual([id, otherId])
})

test('a missing key is refused by its id, for each kind of secret', async () => {
  await expect(openKeyring(settings([key]), used.app)).rejects.toThrow(
    `The database holds 1 secrets that need the master key ${otherId}, but MATRICULA_KEY has ${id}: ` +
      'add that key to MATRICULA_KEY, after the newest one and a comma.',
  )
  await expect(openKeyring(settings([other]), used.app)).rejects.toThrow(`need the master key ${id}, but`)
})

test('a data folder without a key gets none if another key seals its secrets', async () => {
  await expect(openKeyring(settings(), used.app)).rejects.toThrow(
    `but ${join(dataDir, 'master.key')} does not exist: restore the file`,
  )
  expect(await readdir(dataDir)).toEqual([])
})

test('a data folder without secrets gets its first key, and keeps it', async () => {
  const made = await openKeyring(settings(), fresh.app)
  expect(await readdir(dataDir)).toEqual(['master.key'])
  const again = await openKeyring(settings(), fresh.app)
  expect(again.newestKeyId).toBe(made.newestKeyId)
})

test('a key that the operator declares lost is not waited for', async () => {
  const keyring = await openKeyring(settings([key], [otherId]), used.app)
  expect(keyring.tokenKeys.map((each) => each.id)).toEqual([id])
  expect((await openKeyring(settings(undefined, [id, otherId]), used.app)).newestKeyId).not.toBe(id)
})

test('a command that seals is refused too; one that shows the missing keys is not', async () => {
  const wrong = { ...used.settings, MATRICULA_KEY: key.toString('hex') }
  const create = ['account', 'create', '--name', 'Another', '--org', 'school']
  expect(await callCli(create, wrong)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`need the master key ${otherId}`),
  })
  const { stdout } = await callCli(['key', 'show', '--json'], wrong)
  expect(JSON.parse(stdout).keys).toEqual([
    { key_id: id, is_known: true, is_newest: true, secrets: 1 },
    { key_id: otherId, is_known: false, is_newest: false, secrets: 1 },
  ])
})
