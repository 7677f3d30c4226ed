import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { setProvider } from '../staff/provider/manage-provider.ts'
import { findProviderSecret, sealNameOf } from '../staff/provider/provider-store.ts'
import { checkoutSealName, findCheckoutSecret, lockIssuer, storeCheckoutSecret } from './issuer-store.ts'
import { createKeyring } from './keyring.ts'
import { type AccountWithSecret, createAccount, rotateSecret } from './manage-accounts.ts'
import { createOrganization } from './manage-organizations.ts'
import { resealSecrets } from './reseal-secrets.ts'
import { countSealedByOthers } from './sealing-keys.ts'
import { findSecrets } from './secret-store.ts'

const [older, newer] = [randomBytes(32), randomBytes(32)]
const [before, between, after] = [
  createKeyring([older]),
  createKeyring([newer, older]),
  createKeyring([newer]),
]

let database: TestDatabase
let accounts: AccountWithSecret[]
const corp_id = 'school'
beforeAll(async () => {
  database = await createTestDatabase()
  const { owner } = database
  await createOrganization(owner, { corp_id, name: 'School' }, new Date())
  accounts = []
  for (let n = 0; n < 230; n++)
    accounts.push(await createAccount(owner, before, { name: `No. ${n}`, corp_ids: [corp_id] }, new Date()))
  const provider = {
    corp_id,
    issuer: 'https://login.example.com',
    client_id: 'x',
    client_secret: 'of a client',
  }
  await setProvider(owner.of(corp_id), before, provider, new Date())
  await owner.of(corp_id).transaction(async (tx) => {
    await lockIssuer(tx, corp_id, new Date())
    await storeCheckoutSecret(tx, corp_id, before.seal(checkoutSealName(corp_id), 'of a checkout'))
  })
})
afterAll(() => database?.drop())

test('every secret is sealed with the new key, even after an interruption, and none has changed', async () => {
  const { owner } = database
  const cut = new Error('cut off')
  const untilCut = resealSecrets(owner, between, () => {
    throw cut
  })
  await expect(untilCut).rejects.toBe(cut)
  expect(await countSealedByOthers(owner, after.newestKeyId)).toBe(132)

  // Half-way, servers with both keys open everything. One of them gives an account a new secret.
  for (const { app_id, user_api_secret } of accounts) {
    const [sealed] = await findSecrets(owner.shared, app_id, new Date())
    expect(between.open(app_id, sealed!)).toBe(user_api_secret)
  }
  const rotation = { app_id: accounts[0]!.app_id }
  const told: [number, number][] = []
  const [resealed, rotated] = await Promise.all([
    resealSecrets(owner, between, (...at) => void told.push(at)),
    rotateSecret(owner, before, rotation, new Date()),
  ])
  accounts[0] = rotated
  expect(resealed).toBeGreaterThanOrEqual(130)
  expect(told.at(-1)![0]).toBe(told.at(-1)![1])
  await resealSecrets(owner, between)

  expect(await countSealedByOthers(owner, after.newestKeyId)).toBe(0)
  for (const { app_id, user_api_secret } of accounts) {
    const [sealed, ...rest] = await findSecrets(owner.shared, app_id, new Date())
    expect(after.open(app_id, sealed!)).toBe(user_api_secret)
    expect(rest).toEqual([])
  }
  expect(after.open(sealNameOf(corp_id), (await findProviderSecret(owner.of(corp_id), corp_id))!)).toBe(
    'of a client',
  )
  expect(after.open(checkoutSealName(corp_id), (await findCheckoutSecret(owner.of(corp_id), corp_id))!)).toBe(
    'of a checkout',
  )
})

test('a running server reads a new key when it meets a secret sealed with it', () => {
  let keys = [older]
  const running = createKeyring([older], () => keys)
  const sealed = between.seal('account', 'a secret')
  expect(() => running.open('account', sealed)).toThrow('No master key')
  keys = [newer, older]
  expect(running.open('account', sealed)).toBe('a secret')
  expect(running.open('account', before.seal('account', 'older'))).toBe('older')
  expect(running.seal('account', 'x').secret_key_id).toBe(after.newestKeyId)
})
