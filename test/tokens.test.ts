import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountWithSecret,
  createAccount,
  endAccount,
  rotateSecret,
  type WantedAccount,
} from '../src/access/organizations/manage-accounts.ts'
import { createFailureThrottle } from '../src/access/tokens/failure-throttle.ts'
import { issueToken, verifyToken } from '../src/access/tokens/issue-token.ts'
import { signatureOf } from '../src/access/tokens/signature.ts'
import { bodyOf, paramsOf } from './conformance/requests.ts'
import { testKeyring } from './harness/keyring.ts'
import { atOnce, codesOf } from './harness/ledger.ts'
import { type Answer, type Credentials, startTestServer, type TestServer } from './harness/server.ts'

let server: TestServer
let account: AccountWithSecret

beforeAll(async () => {
  server = await startTestServer('sample', { trustProxy: 1 })
  account = await accountWith({})
})
afterAll(() => server?.close())
afterEach(() => {
  server.setNow(undefined)
  // Failures count per address too, so each test calls from its own address.
  address++
})
let address = 1

describe('the body of a token request', () => {
  test('is accepted as in the sample: app_id, time_stamp, signature', async () => {
    expect((await request(signed(account))).code).toBe(0)
  })

  test('is accepted as in the table: user_id, user_api_secret, signature, time_stamp', async () => {
    const { app_id, ...rest } = signed(account)
    const body = { user_id: app_id, user_api_secret: account.user_api_secret, ...rest }
    expect((await request(body)).code).toBe(0)
  })

  test('may name the account twice, if both agree', async () => {
    expect((await request({ ...signed(account), user_id: account.app_id })).code).toBe(0)
    const disagreeing = await request({ ...signed(account), user_id: server.sample.app_id })
    expect(disagreeing).toMatchObject({ status: 400, code: 40002 })
    expect(paramsOf(disagreeing)).toEqual(['user_id'])
  })

  test('must name the account', async () => {
    const { app_id: _, ...rest } = signed(account)
    const answer = await request(rest)
    expect(answer).toMatchObject({ status: 400, code: 40001 })
    expect(paramsOf(answer)).toContain('app_id')
  })

  const numbers = [
    '1731628800',
    '1731628800123',
    '1731628800.123',
    '1731628800.10',
    '9007199254740993',
    '12345678901234567890',
    '9'.repeat(33),
    `${'1'.repeat(300)}.${'2'.repeat(300)}`,
  ]

  test('accepts any number of at least ten digits as time stamp, as text or as a number, signed as written', async () => {
    for (const time_stamp of [...numbers, '0000000000', '8'.repeat(100_000)]) {
      expect((await request(signed(account, time_stamp))).code, time_stamp.slice(0, 50)).toBe(0)
    }
    for (const written of numbers) {
      const body = JSON.stringify({ ...signed(account, written), time_stamp: 0 })
      const answer = await requestBody(body.replace('"time_stamp":0', `"time_stamp": ${written}`))
      expect(answer.code, written.slice(0, 50)).toBe(0)
    }
  })

  test('accepts no other time stamp, and names the rule', async () => {
    for (const time_stamp of [
      '173162880',
      '173162880.0',
      '-1731628800',
      '1731628800.',
      '.1731628800',
      '1731628800.1.2',
      '1.731628800e9',
      '１７３１６２８８００',
      'tomorrow at ten',
      ' 1731628800',
      '',
      17,
      -1731628800,
      173162880.5,
      1e22,
    ]) {
      const answer = await request({ ...signed(account, String(time_stamp)), time_stamp })
      expect(answer, `${time_stamp}`).toMatchObject({ status: 400, code: 40002 })
      expect(answer.data.errors).toEqual([
        { param: 'time_stamp', reason: 'must be a number of at least ten digits' },
      ])
    }
  })

  test('accepts the signature in upper and lower case', async () => {
    const body = signed(account)
    expect((await request({ ...body, signature: body.signature.toUpperCase() })).code).toBe(0)
  })

  test('accepts no signature that is not 64 hexadecimal digits', async () => {
    const { signature } = signed(account)
    for (const wrong of [
      signature.slice(1),
      `${signature}0`,
      `0x${signature.slice(2)}`,
      ` ${signature.slice(1)}`,
      signature.replace(/^./, 'g'),
    ]) {
      expect(await request({ ...signed(account), signature: wrong })).toMatchObject({
        status: 400,
        code: 40002,
      })
    }
  })
})

describe('a signature that does not match', () => {
  test('is 40105, and so is every case that must look the same', async () => {
    const ended = await accountWith({})
    await endAccount(server.database.owner, ended.app_id, new Date())
    const victim = await accountWith({})
    const refused = {
      'another time stamp': { ...signed(victim), time_stamp: '1731628800' },
      'another secret': signed({ ...victim, user_api_secret: 'guess' }),
      'no secret': signed({ ...victim, user_api_secret: '' }),
      'right signature, wrong secret beside it': { ...signed(victim), user_api_secret: 'guess' },
      'right signature, empty secret beside it': { ...signed(victim), user_api_secret: '' },
      'an unknown account': signed({ app_id: 'nobody', user_api_secret: 'nobody has this secret' }),
      'a disabled account': signed(ended),
    }
    const bodies = await Promise.all(Object.values(refused).map(async (body) => bodyOf(await request(body))))
    expect(bodies[0]).toMatchObject({ status: 401, code: 40105, data: { errors: [] } })
    for (const body of bodies) expect(body).toEqual(bodies[0])
  })

  test('is throttled per account after ten failures; other accounts are not', async () => {
    const victim = await accountWith({})
    const wrong = signed({ ...victim, user_api_secret: 'guess' })
    for (let failure = 1; failure <= 10; failure++) expect((await request(wrong)).code).toBe(40105)
    const refused = await request(signed(victim))
    expect(refused).toMatchObject({ status: 429, code: 42901 })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect((await request(signed(account))).code).toBe(0)
    server.setNow(new Date(Date.now() + 61_000))
    expect((await request(signed(victim))).code).toBe(0)
  })

  test('is throttled per address: other addresses cannot lock out an account', async () => {
    const failures = createFailureThrottle()
    const check = (address: string, outcome: string | undefined) =>
      failures.check({ appId: 'app', address }, new Date(), async () => outcome)
    for (let failure = 1; failure <= 10; failure++) await check('192.0.2.1', undefined)
    await expect(check('192.0.2.1', 'right')).rejects.toMatchObject({ code: 42901 })
    expect(await check('192.0.2.2', 'right')).toBe('right')
  })

  test('is throttled per address over all accounts after thirty failures', async () => {
    const failures = createFailureThrottle()
    const check = (appId: string, address: string, outcome: string | undefined) =>
      failures.check({ appId, address }, new Date(), async () => outcome)
    const guesses = Array.from({ length: 100 }, (_, n) => check(`app ${n}`, '192.0.2.1', undefined))
    const settled = await Promise.allSettled(guesses)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(30)
    await expect(check('another', '192.0.2.1', 'right')).rejects.toMatchObject({ code: 42901 })
    expect(await check('another', '192.0.2.2', 'right')).toBe('right')
    for (let n = 0; n < 30; n++) await check(`app ${n}`, `2001:db8::${n.toString(16)}`, undefined)
    await expect(check('another', '2001:db8::ffff', 'right')).rejects.toMatchObject({ code: 42901 })
  })

  test('does not refuse concurrent valid ones of other accounts from the same address', async () => {
    const failures = createFailureThrottle()
    const address = '192.0.2.1'
    for (let n = 0; n < 29; n++)
      await failures.check({ appId: `wrong ${n}`, address }, new Date(), async () => undefined)
    const right = Array.from({ length: 200 }, (_, n) =>
      failures.check({ appId: `right ${n}`, address }, new Date(), async () => n),
    )
    expect(await Promise.all(right)).toEqual(Array.from({ length: 200 }, (_, n) => n))
  })

  test('is counted before it is checked: of 300 concurrent ones, ten are checked', async () => {
    const victim = await accountWith({})
    const wrong = signed({ ...victim, user_api_secret: 'guess' })
    const answers = await atOnce(300, () => request(wrong))
    expect(codesOf(answers)).toEqual({ 40105: 10, 42901: 290 })
    expect((await request(signed(victim))).code).toBe(42901)
  })

  test('is never counted for concurrent valid ones', async () => {
    const busy = await accountWith({})
    for (let failure = 1; failure <= 9; failure++)
      expect((await request(signed({ ...busy, user_api_secret: 'guess' }))).code).toBe(40105)
    expect(codesOf(await atOnce(100, () => request(signed(busy))))).toEqual({ 0: 100 })
  })

  test('is not counted if the check itself fails', async () => {
    const failures = createFailureThrottle()
    const who = { appId: 'app', address: '192.0.2.1' }
    const broken = () => Promise.reject(new Error('no database'))
    for (let n = 0; n < 30; n++)
      await expect(failures.check(who, new Date(), broken)).rejects.toThrow('no database')
    expect(await failures.check(who, new Date(), async () => 'right')).toBe('right')
  })

  test('is throttled for an unknown account just as for a known one', async () => {
    const unknown = signed({ app_id: 'nobody at all', user_api_secret: 'guess' })
    for (let failure = 1; failure <= 10; failure++) expect((await request(unknown)).code).toBe(40105)
    expect((await request(unknown)).code).toBe(42901)
  })
})

test('behind a proxy, failures count for the address that the proxy states, not for the one that the caller claims', async () => {
  const behindProxy = await startTestServer('sample', { trustProxy: 1 })
  const guess = (forwarded: string) =>
    behindProxy.call(issueToken, signed({ ...server.sample, user_api_secret: 'guess' }), {
      token: null,
      headers: { 'X-Forwarded-For': forwarded },
    })
  const answers = []
  for (let n = 0; n < 15; n++) answers.push(await guess(`198.51.100.${n}, 203.0.113.9`))
  expect(codesOf(answers)).toEqual({ 40105: 10, 42901: 5 })
  // Neither the invented addresses nor another caller are throttled.
  expect((await guess('198.51.100.1')).code).toBe(40105)
  await behindProxy.close()
})

describe('a token', () => {
  test('expires exactly two hours after its issue, at expire_time', async () => {
    const issued = new Date('2026-11-15T02:00:00.250Z')
    server.setNow(issued)
    const { data } = await request(signed(account))
    expect(data.expire_time).toBe('2026-11-15T04:00:00.250Z')
    const end = Date.parse(data.expire_time)
    server.setNow(new Date(end - 1))
    expect((await verify(data.token)).data).toEqual({
      app_id: account.app_id,
      result: 'valid',
      time: '2026-11-15T04:00:00.249Z',
    })
    server.setNow(new Date(end))
    expect((await verify(data.token)).code).toBe(40103)
  })

  test('stays valid after later tokens are issued, and each is new', async () => {
    const first = await server.tokenOf(account)
    const second = await server.tokenOf(account)
    expect(second).not.toBe(first)
    expect((await verify(first)).code).toBe(0)
    expect((await verify(second)).code).toBe(0)
  })

  test('ends with its account', async () => {
    const doomed = await accountWith({})
    const token = await server.tokenOf(doomed)
    expect((await verify(token)).code).toBe(0)
    await endAccount(server.database.owner, doomed.app_id, new Date())
    server.forgetAccounts()
    expect((await verify(token)).code).toBe(40104)
    expect((await request(signed(doomed))).code).toBe(40105)
  })

  test('ends with the secret that obtained it', async () => {
    // Earlier tests have used up the failures of this address.
    server.setNow(new Date(Date.now() + 61_000))
    const rotated = await accountWith({})
    const token = await server.tokenOf(rotated)
    const { app_id } = rotated
    const fresh = await rotateSecret(server.database.owner, testKeyring, { app_id }, new Date())
    expect((await request(signed(rotated))).code).toBe(40105)
    server.forgetAccounts()
    expect((await verify(token)).code).toBe(40104)
    expect((await verify(await server.tokenOf(fresh))).code).toBe(0)
    server.setNow(undefined)
  })
})

describe('the time stamps of an account', () => {
  const seconds = 1_800_000_000
  /** The codes of token requests whose time stamps are off by these seconds. */
  const codesAt = async (rule: string, offsets: number[]) => {
    const made = await accountWith({ time_stamps: rule })
    server.setNow(new Date(seconds * 1000))
    const codes = offsets.map(async (offset) => (await request(signed(made, String(seconds + offset)))).code)
    return Promise.all(codes)
  }

  test('are any number, any number of times, by default', async () => {
    expect(account.time_stamps).toBe('any')
    expect(await codesAt('any', [0, -300, 301, -601, 601, 1_000_000])).toEqual([0, 0, 0, 0, 0, 0])
    const body = signed(account, '12345678901234567890')
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(body)))
    expect(answers.map(({ code }) => code)).toEqual(Array(8).fill(0))
    expect(new Set(answers.map(({ data }) => data.token)).size).toBe(8)
  })

  test('are within ten minutes with the rule recent, and may be repeated', async () => {
    const offsets = [0, -600, 600, -601, 601, 1_000_000]
    expect(await codesAt('recent', offsets)).toEqual([0, 0, 0, 40106, 40106, 40106])
    const recent = await accountWith({ time_stamps: 'recent' })
    const body = signed(recent, String(seconds))
    for (let n = 0; n < 3; n++) expect((await request(body)).code).toBe(0)
    const { msg } = await request(signed(recent, String(seconds + 601)))
    expect(msg).toMatch(/more than 10 minutes off.*current Unix time/)
  })

  test('are within five minutes with the rule once', async () => {
    const offsets = [0, -300, 300, -301, 301, 1_000_000]
    expect(await codesAt('once', offsets)).toEqual([0, 0, 0, 40106, 40106, 40106])
    const once = await accountWith({ time_stamps: 'once' })
    const { msg } = await request(signed(once, String(seconds + 301)))
    expect(msg).toMatch(/more than 5 minutes off.*current Unix time/)
  })

  test.each(['recent', 'once'])('may be milliseconds and fractions where the rule is %s', async (rule) => {
    const made = await accountWith({ time_stamps: rule })
    server.setNow(new Date(seconds * 1000))
    const codeOf = async (time_stamp: string) => (await request(signed(made, time_stamp))).code
    for (const time_stamp of ['1800000000.5', '1800000000123', '1800000000123.25', '1799999700000'])
      expect(await codeOf(time_stamp), time_stamp).toBe(0)
    for (const time_stamp of ['1800000600.5', '1799999399999', '1800000600001', '1800000000000000'])
      expect(await codeOf(time_stamp), time_stamp).toBe(40106)
  })

  test('work once with the rule once, in either letter case', async () => {
    const once = await accountWith({ time_stamps: 'once' })
    const body = signed(once)
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(body)))
    expect(answers.map(({ code }) => code).toSorted()).toEqual([0, ...Array(7).fill(40106)])
    const repeated = await request({ ...body, signature: body.signature.toUpperCase() })
    expect(repeated).toMatchObject({ code: 40106, msg: expect.stringContaining('used before') })
    expect((await request(signed(once, String(Number(body.time_stamp) + 1)))).code).toBe(0)
  })

  test('work once with the rule once, also in the last second of their validity', async () => {
    const once = await accountWith({ time_stamps: 'once' })
    const early = signed(once, String(seconds + 300))
    server.setNow(new Date(seconds * 1000))
    expect((await request(early)).code).toBe(0)
    server.setNow(new Date((seconds + 600) * 1000))
    expect((await request(signed(once, String(seconds + 600)))).code).toBe(0)
    expect((await request(early)).code).toBe(40106)
  })
})

describe('an account with a rate limit', () => {
  test('sees its remaining calls, is refused above the limit, and starts again', async () => {
    const limited = await accountWith({ rate_limit_per_minute: 3 })
    const token = await server.tokenOf(limited)
    const start = Date.now()
    server.setNow(new Date(start))
    for (const remaining of ['2', '1', '0']) {
      const answer = await verify(token)
      expect(answer.code).toBe(0)
      expect(rateLimitOf(answer)).toEqual(['3', remaining, '60'])
    }
    server.setNow(new Date(start + 20_000))
    const refused = await verify(token)
    expect(refused).toMatchObject({ status: 429, code: 42901 })
    expect(rateLimitOf(refused)).toEqual(['3', '0', '40'])
    expect(refused.headers.get('retry-after')).toBe('40')
    expect((await verify(await server.tokenOf(account))).code).toBe(0)
    server.setNow(new Date(start + 60_000))
    expect((await verify(token)).code).toBe(0)
  })

  test('has a generous one by default', async () => {
    expect(rateLimitOf(await verify(await server.tokenOf(account)))[0]).toBe('60000')
  })

  test('accounts without a limit get no such headers', async () => {
    const unlimited = await accountWith({ rate_limit_per_minute: null })
    for (const each of [unlimited, server.sample])
      expect(rateLimitOf(await verify(await server.tokenOf(each)))).toEqual([null, null, null])
  })
})

function accountWith(wanted: Partial<WantedAccount>): Promise<AccountWithSecret> {
  const account = { name: 'Test', corp_ids: [server.sample.corp_id], ...wanted }
  return createAccount(server.database.owner, testKeyring, account, new Date())
}

function signed(
  { app_id, user_api_secret }: Credentials,
  time_stamp = String(Math.floor(Date.now() / 1000)),
) {
  return { app_id, time_stamp, signature: signatureOf(app_id, time_stamp, user_api_secret) }
}

function request(body: Record<string, unknown>): Promise<Answer> {
  const headers = { 'X-Forwarded-For': `198.51.100.${address}` }
  return server.call(issueToken, body, { token: null, headers })
}

function requestBody(body: string): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' }
  return server.send(issueToken.path, { method: 'POST', headers, body })
}

function verify(token: string): Promise<Answer> {
  return server.call(verifyToken, {}, { token })
}

function rateLimitOf({ headers }: Answer) {
  return ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))
}
