import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { newId } from '../../contract/new-id.ts'
import type { Queryable } from '../../database/database.ts'
import { createDirectory } from './directory.ts'
import { createAccount, rotateSecret } from './manage-accounts.ts'
import { createOrganization } from './manage-organizations.ts'
import { findSecrets } from './secret-store.ts'

let database: TestDatabase
let corp_id: string
beforeAll(async () => {
  database = await createTestDatabase('matricula')
  corp_id = newId()
  await createOrganization(database.owner, { corp_id, name: 'School' }, new Date())
})
afterAll(() => database?.drop())

/** A directory that caches for the duration of a test, and its number of database reads. */
async function directoryOf({ isDefault = false } = {}) {
  const shared = database.owner.shared
  let reads = 0
  const on: Queryable = {
    ...shared,
    query(statement) {
      reads++
      return shared.query(statement)
    },
  }
  const wanted = { name: 'Portal', corp_ids: [corp_id] }
  const { app_id } = await createAccount(database.owner, testKeyring, wanted, new Date())
  const newestSecret = async () => (await findSecrets(shared, app_id, new Date()))[0]!.secret_id
  const rotate = (more: object = {}) =>
    rotateSecret(database.owner, testKeyring, { app_id, ...more }, new Date())
  return {
    directory: isDefault ? createDirectory(on) : createDirectory(on, 600_000),
    reads: () => reads,
    app_id,
    newestSecret,
    rotate,
  }
}

test('an account is read once for any number of tokens of its secrets', async () => {
  const { directory, reads, app_id, newestSecret } = await directoryOf()
  const token = { app_id, epoch: 0, secret_id: await newestSecret() }
  for (let n = 0; n < 20; n++) expect(await directory.ofToken(token)).toMatchObject({ app_id })
  expect(reads()).toBe(1)
})

test('an account is read again after a second, so that a change takes effect on every server within it', async () => {
  const { directory, reads, app_id } = await directoryOf({ isDefault: true })
  const clock = vi.spyOn(performance, 'now')
  try {
    for (const [nowMs, readsThen] of [
      [5000, 1],
      [5999, 1],
      [6000, 2],
    ] as const) {
      clock.mockReturnValue(nowMs)
      await directory.find(app_id)
      expect(reads(), `at ${nowMs} ms`).toBe(readsThen)
    }
  } finally {
    clock.mockRestore()
  }
})

test('a token of a secret that is newer than the cache is found', async () => {
  const { directory, reads, app_id, newestSecret, rotate } = await directoryOf()
  await directory.find(app_id)
  await rotate()
  const secret_id = await newestSecret()
  const account = await directory.ofToken({ app_id, epoch: 0, secret_id })
  expect(account!.secrets).toMatchObject([{ secret_id }])
  await directory.ofToken({ app_id, epoch: 0, secret_id })
  expect(reads()).toBe(2)
})

test('a token of a newer epoch than the cache is found', async () => {
  const { directory, app_id, newestSecret, rotate } = await directoryOf()
  await directory.find(app_id)
  await rotate({ revokesTokens: true })
  const token = { app_id, epoch: 1, secret_id: await newestSecret() }
  expect(await directory.ofToken(token)).toMatchObject({ token_epoch: 1 })
})

test('tokens of an expired secret cost one read in total', async () => {
  const { directory, reads, app_id, newestSecret, rotate } = await directoryOf()
  const ended = { app_id, epoch: 0, secret_id: await newestSecret() }
  await rotate()
  for (let n = 0; n < 20; n++) await directory.ofToken(ended)
  expect(reads()).toBe(2)
})
