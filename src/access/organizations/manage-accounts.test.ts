import { createSigner } from 'fast-jwt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { type Credentials, startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { newId } from '../../contract/new-id.ts'
import { listFinancialRows } from '../../orders/listing/list-financial-rows.ts'
import { issueToken, verifyToken } from '../tokens/issue-token.ts'
import { signatureOf } from '../tokens/signature.ts'
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

describe('a secret that is replaced', () => {
  test('works next to the new one until its time, and not after it', async () => {
    const old = await account()
    const rotation = { app_id: old.app_id, oldUntil: inDays(7) }
    const fresh = await rotateSecret(owner(), testKeyring, rotation, new Date())
    expect([await isAccepted(old), await isAccepted(fresh)]).toEqual([true, true])
    expect(await later(8, async () => [await isAccepted(old), await isAccepted(fresh)])).toEqual([
      false,
      true,
    ])
  })

  test('ends at once by command, or without an overlap', async () => {
    const old = await account()
    const rotation = { app_id: old.app_id }
    const second = await rotateSecret(owner(), testKeyring, { ...rotation, oldUntil: inDays(7) }, new Date())
    expect(await endOldSecret(owner(), old.app_id)).toMatchObject({ had_old_secret: true })
    expect([await isAccepted(old), await isAccepted(second)]).toEqual([false, true])
    expect(await endOldSecret(owner(), old.app_id)).toMatchObject({ had_old_secret: false })
    expect(await isAccepted(second)).toBe(true)
    const third = await rotateSecret(owner(), testKeyring, rotation, new Date())
    expect([await isAccepted(second), await isAccepted(third)]).toEqual([false, true])
  })

  test('leaves at most two valid secrets', async () => {
    const secrets: Credentials[] = [await account()]
    const rotation = { app_id: secrets[0]!.app_id, oldUntil: inDays(7) }
    for (const seconds of [1, 2]) {
      const now = new Date(Date.now() + seconds * 1000)
      secrets.push(await rotateSecret(owner(), testKeyring, rotation, now))
    }
    expect(await Promise.all(secrets.map(isAccepted))).toEqual([false, true, true])
  })
})

describe('the tokens of a secret', () => {
  const codeOf = async (token: string) => (await server.call(verifyToken, {}, { token })).code
  const tokenOf = async (credentials: Credentials) => (await obtain(credentials)).data.token as string

  test('end with it at once without an overlap, and those of the new one work from the first call', async () => {
    const old = await account()
    const token = await tokenOf(old)
    expect(await codeOf(token)).toBe(0)
    const fresh = await rotateSecret(owner(), testKeyring, { app_id: old.app_id }, new Date())
    // The server has cached the earlier account.
    expect(await codeOf(await tokenOf(fresh))).toBe(0)
    server.forgetAccounts()
    expect(await codeOf(token)).toBe(40104)
    expect(await codeOf(await tokenOf(fresh))).toBe(0)
  })

  test('end at the instant at which it expires, and not before', async () => {
    const old = await account()
    const before = await tokenOf(old)
    const oldUntil = new Date(Date.now() + 3_600_000)
    const fresh = await rotateSecret(owner(), testKeyring, { app_id: old.app_id, oldUntil }, new Date())
    const { token: after, expire_time } = (await obtain(old)).data
    expect(expire_time).toBe(oldUntil.toISOString())
    const ofNew = await tokenOf(fresh)
    server.forgetAccounts()
    try {
      server.setNow(new Date(oldUntil.getTime() - 1))
      expect(await Promise.all([before, after, ofNew].map(codeOf))).toEqual([0, 0, 0])
      server.setNow(oldUntil)
      expect(await Promise.all([before, after, ofNew].map(codeOf))).toEqual([40104, 40103, 0])
    } finally {
      server.setNow(undefined)
    }
  })

  test('end when the old secret is ended, and those of the new one stay valid', async () => {
    const old = await account()
    const token = await tokenOf(old)
    const rotation = { app_id: old.app_id, oldUntil: inDays(7) }
    const fresh = await rotateSecret(owner(), testKeyring, rotation, new Date())
    const ofNew = await tokenOf(fresh)
    server.forgetAccounts()
    expect([await codeOf(token), await codeOf(ofNew)]).toEqual([0, 0])
    await endOldSecret(owner(), old.app_id)
    server.forgetAccounts()
    expect([await codeOf(token), await codeOf(ofNew)]).toEqual([40104, 0])
  })

  test('end without their secret where all tokens of the account are revoked', async () => {
    const old = await account()
    const token = await tokenOf(old)
    const rotation = { app_id: old.app_id, oldUntil: inDays(7), revokesTokens: true }
    const fresh = await rotateSecret(owner(), testKeyring, rotation, new Date())
    const later = [await tokenOf(old), await tokenOf(fresh)]
    expect(await Promise.all(later.map(codeOf))).toEqual([0, 0])
    server.forgetAccounts()
    expect(await Promise.all([token, ...later].map(codeOf))).toEqual([40104, 0, 0])
  })

  test('that an earlier version issued name no secret, and live until they expire or are revoked', async () => {
    const made = await account()
    const { id: kid, key } = testKeyring.tokenKeys[0]!
    const sign = createSigner({ key, algorithm: 'HS256', kid, noTimestamp: true })
    const exp_ms = Date.now() + 60_000
    const token = sign({ sub: made.app_id, epoch: 0, jti: newId(), exp_ms })
    expect(await codeOf(token)).toBe(0)
    const rotation = { app_id: made.app_id, revokesTokens: true }
    await rotateSecret(owner(), testKeyring, rotation, new Date())
    server.forgetAccounts()
    expect(await codeOf(token)).toBe(40104)
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
  server.forgetAccounts()
  expect((await server.call(verifyToken, {}, { token: held })).code).toBe(40104)
})

test('an account without a valid secret cannot be opened, not even by the placeholder of a secret', async () => {
  const { app_id } = await account({ secret_expires_at: inDays(1) })
  const standIn = { app_id, user_api_secret: 'nobody has this secret' }
  expect((await later(2, () => obtain(standIn))).code).toBe(40105)
  expect((await obtain({ ...standIn, app_id: newId() })).code).toBe(40105)
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

  test('does not reveal to other addresses whether a secret is right', async () => {
    const made = await account({ allowed_networks: ['203.0.113.0/24'] })
    const wrong = { ...made, user_api_secret: 'not this one' }
    expect((await obtain(wrong, from('198.51.100.1'))).code).toBe(40105)
  })

  test('refuses an invalid network', async () => {
    for (const network of ['203.0.113.0/33', 'example.com', '2001:db8::/129', '', '10.0.0.0/8/9'])
      await expect(account({ allowed_networks: [network] }), network).rejects.toThrow('networks')
  })
})

test('grants and revocations take effect on all servers within a second', async () => {
  const other = await openOrganization(server)
  const made = await account({ permissions: ['read'] })
  const { token } = (await obtain(made)).data
  const codes = async () => {
    server.forgetAccounts()
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
  await expect(revokeAccount(owner(), made.app_id, all, new Date())).rejects.toThrow('disable the account')
  const none = { corp_ids: [newId()], permissions: [] }
  await expect(grantAccount(owner(), made.app_id, none, new Date())).rejects.toThrow('no organization')
  await expect(grantAccount(owner(), newId(), grants, new Date())).rejects.toThrow('no account')
})

test('the given settings of an account change, and the rest stays', async () => {
  const made = await account({ allowed_networks: ['203.0.113.0/24'], time_stamps: 'once' })
  const changed = await changeAccount(owner(), made.app_id, { time_stamps: 'recent' }, new Date())
  const { user_api_secret: _, ...before } = made
  expect(changed).toEqual({ ...before, time_stamps: 'recent' })
  await expect(changeAccount(owner(), made.app_id, {}, new Date())).rejects.toThrow('No change')
  const odd = { time_stamps: 'sometimes' }
  await expect(changeAccount(owner(), made.app_id, odd, new Date())).rejects.toThrow('any, recent, once')
  const past = { expires_at: new Date(0) }
  await expect(changeAccount(owner(), made.app_id, past, new Date())).rejects.toThrow('future')
})
