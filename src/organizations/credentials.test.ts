import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountsAreFreshAfterMs } from '../../test/conformance/stage.ts'
import { testKeyring } from '../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../test/harness/organization.ts'
import { type Credentials, startTestServer, type TestServer } from '../../test/harness/server.ts'
import { newId } from '../contract/new-id.ts'
import { listFinancialRows } from '../orders/list-financial-rows.ts'
import { issueToken } from '../tokens/issue-token.ts'
import { signatureOf } from '../tokens/signature.ts'
import { verifyToken } from '../tokens/verify-token.ts'
import {
  changeAccount,
  createAccount,
  endOldSecret,
  grantAccount,
  revokeAccount,
  rotateSecret,
  type WantedAccount,
} from './manage-accounts.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula', { trustProxy: 1 })
  school = await openOrganization(server)
})
afterAll(() => server?.close())

const dayMs = 24 * 60 * 60 * 1000
const inDays = (days: number) => new Date(Date.now() + days * dayMs)
const owner = () => server.database.owner

function account(wanted: Partial<WantedAccount> = {}) {
  return createAccount(
    owner(),
    testKeyring,
    { name: 'Portal', corp_ids: [school.corp_id], ...wanted },
    new Date(),
  )
}

async function obtain({ app_id, user_api_secret }: Credentials, headers: Record<string, string> = {}) {
  const time_stamp = String(Date.now())
  const signature = signatureOf(app_id, time_stamp, user_api_secret)
  return server.call(issueToken, { app_id, time_stamp, signature }, { token: null, headers })
}
const isAccepted = async (credentials: Credentials) => (await obtain(credentials)).code === 0
const later = async <T>(days: number, work: () => Promise<T>) => {
  try {
    server.setNow(inDays(days))
    return await work()
  } finally {
    server.setNow(undefined)
  }
}
/** Whatever changes is in force on every server after this. */
const everywhere = () => sleep(accountsAreFreshAfterMs)

describe('a secret that is replaced', () => {
  test('works beside the new one until its time, and no longer', async () => {
    const old = await account()
    const rotation = { app_id: old.app_id, revokeTokens: false, oldUntil: inDays(7) }
    const fresh = await rotateSecret(owner(), testKeyring, rotation, new Date())
    expect([await isAccepted(old), await isAccepted(fresh)]).toEqual([true, true])
    expect(await later(8, async () => [await isAccepted(old), await isAccepted(fresh)])).toEqual([
      false,
      true,
    ])
  })

  test('ends at once by command, and without an overlap', async () => {
    const old = await account()
    const rotation = { app_id: old.app_id, revokeTokens: false }
    const second = await rotateSecret(owner(), testKeyring, { ...rotation, oldUntil: inDays(7) }, new Date())
    expect(await endOldSecret(owner(), rotation, new Date())).toMatchObject({ had_old_secret: true })
    expect([await isAccepted(old), await isAccepted(second)]).toEqual([false, true])
    expect(await endOldSecret(owner(), rotation, new Date())).toMatchObject({ had_old_secret: false })
    expect(await isAccepted(second)).toBe(true)
    const third = await rotateSecret(owner(), testKeyring, rotation, new Date())
    expect([await isAccepted(second), await isAccepted(third)]).toEqual([false, true])
  })

  test('is never one of three', async () => {
    const secrets: Credentials[] = [await account()]
    const rotation = { app_id: secrets[0]!.app_id, revokeTokens: false, oldUntil: inDays(7) }
    for (let n = 0; n < 2; n++) {
      await sleep(5)
      secrets.push(await rotateSecret(owner(), testKeyring, rotation, new Date()))
    }
    expect(await Promise.all(secrets.map(isAccepted))).toEqual([false, true, true])
  })
})

test('a secret and an account end at their time, with the tokens of the account', async () => {
  const passing = await account({ secret_expires_at: inDays(1) })
  const leaving = await account({ expires_at: new Date(Date.now() + 60_000) })
  expect([await isAccepted(passing), await isAccepted(leaving)]).toEqual([true, true])
  const { token, expire_time } = (await obtain(leaving)).data
  expect(new Date(expire_time).getTime()).toBeLessThanOrEqual(Date.now() + 60_000)
  expect((await server.call(verifyToken, {}, { token })).code).toBe(0)
  expect(await later(2, async () => [await isAccepted(passing), await isAccepted(leaving)])).toEqual([
    false,
    false,
  ])
  const ended = await account()
  const { token: held } = (await obtain(ended)).data
  await server.database.superuser.query('update accounts set expires_at = now() where app_id = $1', [
    ended.app_id,
  ])
  await everywhere()
  expect((await server.call(verifyToken, {}, { token: held })).code).toBe(40104)
})

describe('an account with allowed addresses', () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  const cases: [networks: string[], inside: string[], outside: string[]][] = [
    [
      ['203.0.113.0/24'],
      ['203.0.113.1', '203.0.113.255', '::ffff:203.0.113.7'],
      ['203.0.114.1', '::1', '2001:db8::1'],
    ],
    [
      ['2001:db8::/32', '198.51.100.7'],
      ['2001:db8:1::9', '198.51.100.7'],
      ['2001:db9::1', '198.51.100.8'],
    ],
  ]

  test.each(cases)(
    '%j is used from there, and from nowhere else',
    async (allowed_networks, inside, outside) => {
      const made = await account({ allowed_networks })
      const { token } = (await obtain(made, from(inside[0]!))).data
      for (const address of inside) {
        expect((await obtain(made, from(address))).code, address).toBe(0)
        expect((await server.call(verifyToken, {}, { token, headers: from(address) })).code, address).toBe(0)
      }
      for (const address of [...outside, `${inside[0]}, ${outside[0]}`]) {
        expect((await obtain(made, from(address))).code, address).toBe(40308)
        expect((await server.call(verifyToken, {}, { token, headers: from(address) })).code, address).toBe(
          40308,
        )
      }
    },
  )

  test('does not tell from elsewhere whether a secret is right', async () => {
    const made = await account({ allowed_networks: ['203.0.113.0/24'] })
    const wrong = { ...made, user_api_secret: 'not this one' }
    expect((await obtain(wrong, from('198.51.100.1'))).code).toBe(40105)
  })

  test('is refused what is no network', async () => {
    for (const network of ['203.0.113.0/33', 'example.com', '2001:db8::/129', '', '10.0.0.0/8/9'])
      await expect(account({ allowed_networks: [network] }), network).rejects.toThrow('networks')
  })
})

test('what an account is granted or loses holds everywhere within the second', async () => {
  const other = await openOrganization(server)
  const made = await account({ permissions: ['read'] })
  const { token } = (await obtain(made)).data
  const codes = async () => {
    await everywhere()
    const on = (corp_id: string) => server.call(listFinancialRows, { corp_id }, { token })
    return [(await on(school.corp_id)).code, (await on(other.corp_id)).code]
  }
  expect(await codes()).toEqual([40303, 40303])
  const grants = { corp_ids: [other.corp_id], permissions: ['finance'] }
  await grantAccount(owner(), made.app_id, grants, new Date())
  expect(await codes()).toEqual([0, 0])
  await revokeAccount(owner(), made.app_id, { corp_ids: [school.corp_id], permissions: [] }, new Date())
  expect(await codes()).toEqual([40301, 0])
  const all = { corp_ids: [other.corp_id], permissions: [] }
  await expect(revokeAccount(owner(), made.app_id, all, new Date())).rejects.toThrow('disable it')
  const none = { corp_ids: [newId()], permissions: [] }
  await expect(grantAccount(owner(), made.app_id, none, new Date())).rejects.toThrow('no organization')
  await expect(grantAccount(owner(), newId(), grants, new Date())).rejects.toThrow('no account')
})

test('what is given of an account changes, and the rest stays', async () => {
  const made = await account({ allowed_networks: ['203.0.113.0/24'], strict_time_stamps: true })
  const changed = await changeAccount(owner(), made.app_id, { strict_time_stamps: false }, new Date())
  const { user_api_secret: _, ...before } = made
  expect(changed).toEqual({ ...before, strict_time_stamps: false })
  await expect(changeAccount(owner(), made.app_id, {}, new Date())).rejects.toThrow('Nothing')
  const past = { expires_at: new Date(0) }
  await expect(changeAccount(owner(), made.app_id, past, new Date())).rejects.toThrow('future')
})
