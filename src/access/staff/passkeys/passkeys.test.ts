import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../../../../test/harness/browser.ts'
import { openOrganization, type TestOrganization } from '../../../../test/harness/organization.ts'
import { type Answer, startTestServer, type TestServer } from '../../../../test/harness/server.ts'
import { hire, linkFor, openTab, password, sameOrigin } from '../../../../test/harness/staff.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { createRefund } from '../../../orders/payments/create-refund.ts'
import { confirmSession } from '../confirm-session.ts'
import { createSession, fetchSession } from '../create-session.ts'
import { choosePassword } from '../enter-by-link.ts'
import { confirmationMs } from '../sessions.ts'
import { ticketLifeMs } from '../ticket.ts'
import {
  beginPasskey,
  beginPasskeyConfirmation,
  beginPasskeySignIn,
  createPasskey,
  listPasskeys,
  removePasskey,
  signInByPasskey,
} from './passkeys.ts'

let server: TestServer
let school: TestOrganization
let chromium: Browser
let site: string
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  chromium = await openBrowser()
  // Browsers refuse passkeys for an IP address.
  site = server.url.replace('127.0.0.1', 'localhost')
})
afterAll(async () => {
  await chromium?.close()
  await server?.close()
})

/** A real browser at localhost with its own authenticator, such as a laptop with a fingerprint reader. */
async function openLaptop() {
  const context = await chromium.newContext()
  const page = await context.newPage()
  await page.goto(`${site}/healthz`)
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  const call = (endpoint: Endpoint, input: object = {}) => callFrom(page, endpoint, input)
  return { page, cdp, authenticatorId, call, close: () => context.close() }
}
type Laptop = Awaited<ReturnType<typeof openLaptop>>

/** With the cookies of the browser, as our page would call. */
async function callFrom(page: Page, { method, path }: Endpoint, data: object): Promise<Answer> {
  const options = method === 'GET' ? {} : { method, data }
  const response = await page.request.fetch(`${site}${path}`, { ...options, headers: sameOrigin })
  return { status: response.status(), ...(await response.json()) }
}

/** As our page does: the received options, and the sent credential. */
function makeCredential({ page }: Laptop, options: object): Promise<object> {
  return page.evaluate(`(async () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)})
    return (await navigator.credentials.create({ publicKey })).toJSON()
  })()`)
}

function useCredential({ page }: Laptop, options: object): Promise<object> {
  return page.evaluate(`(async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)})
    return (await navigator.credentials.get({ publicKey })).toJSON()
  })()`)
}

/** A person signed in by password on a laptop, with a passkey on it. */
async function withPasskey(role: 'finance' | 'viewer' = 'finance') {
  const { email, staff_id } = await hire(server, role, school.corp_id)
  const laptop = await openLaptop()
  expect(await laptop.call(createSession, { email, password })).toMatchObject({ code: 0 })
  const { options } = (await laptop.call(beginPasskey)).data
  const credential = await makeCredential(laptop, options)
  const kept = await laptop.call(createPasskey, { name: 'Laptop', credential })
  expect(kept).toMatchObject({ code: 0, data: { list: [{ name: 'Laptop', used_at: null }] } })
  return { laptop, email, staff_id, credential, credential_id: kept.data.list[0].credential_id as string }
}

async function signIn(laptop: Laptop): Promise<{ answer: Answer; credential: object }> {
  const { options } = (await laptop.call(beginPasskeySignIn)).data
  const credential = await useCredential(laptop, options)
  return { answer: await laptop.call(signInByPasskey, { credential }), credential }
}

describe('a passkey', () => {
  test('signs its owner in without typing', async () => {
    const { laptop, staff_id } = await withPasskey()
    await laptop.page.context().clearCookies()
    expect((await laptop.call(fetchSession)).code).toBe(40101)
    const { answer } = await signIn(laptop)
    const session = { staff_id, ways_to_confirm: ['password', 'passkey'] }
    expect(answer).toMatchObject({ code: 0, data: { session, schools: [] } })
    expect((await laptop.call(fetchSession)).data.staff_id).toBe(staff_id)
    expect((await laptop.call(listPasskeys)).data.list[0].used_at).toMatch(/^20/)
    await laptop.close()
  })

  test('confirms in place of the password', async () => {
    const { laptop } = await withPasskey()
    const refund = { corp_id: school.corp_id, order_id: 'none', price: 1, reason: 'Agreed' }
    try {
      server.setNow(new Date(Date.now() + confirmationMs + 60_000))
      expect((await laptop.call(createRefund, refund)).code).toBe(40304)
      const { options } = (await laptop.call(beginPasskeyConfirmation)).data
      const credential = await useCredential(laptop, options)
      expect((await laptop.call(confirmSession, { credential })).code).toBe(0)
      expect((await laptop.call(createRefund, refund)).code).toBe(40402)
    } finally {
      server.setNow(undefined)
    }
    await laptop.close()
  })

  test('stops working after its removal, and after a password reset by a link', async () => {
    const removed = await withPasskey()
    const { credential_id } = removed
    expect((await removed.laptop.call(removePasskey, { credential_id })).data.list).toEqual([])
    expect((await removed.laptop.call(removePasskey, { credential_id })).code).toBe(40421)
    expect((await signIn(removed.laptop)).answer.code).toBe(40110)
    await removed.laptop.close()

    const reset = await withPasskey()
    const link = await linkFor(server, { corp_id: school.corp_id, staff_id: reset.staff_id })
    await openTab(server).call(choosePassword, { link, password })
    expect((await signIn(reset.laptop)).answer.code).toBe(40110)
    await reset.laptop.close()
  })

  test('of another person cannot be removed or seen', async () => {
    const [mine, other] = [await withPasskey(), await withPasskey()]
    const { credential_id } = mine
    expect((await other.laptop.call(removePasskey, { credential_id })).code).toBe(40421)
    const { list } = (await other.laptop.call(listPasskeys)).data
    expect(list.map((each: { credential_id: string }) => each.credential_id)).toEqual([other.credential_id])
    await Promise.all([mine.laptop.close(), other.laptop.close()])
  })

  test('of a disabled person opens nothing', async () => {
    const { laptop, staff_id } = await withPasskey()
    await server.database.superuser.query('update staff set is_disabled = true where staff_id = $1', [
      staff_id,
    ])
    expect((await signIn(laptop)).answer.code).toBe(40110)
    expect((await laptop.call(fetchSession)).code).toBe(40107)
    await laptop.close()
  })

  test('is created only after a recent confirmation', async () => {
    const { tab } = await hire(server, 'viewer', school.corp_id)
    try {
      server.setNow(new Date(Date.now() + confirmationMs + 60_000))
      expect((await tab.call(beginPasskey)).code).toBe(40304)
    } finally {
      server.setNow(undefined)
    }
  })

  test('with a decreased counter is a clone, and is refused', async () => {
    const { laptop, credential_id } = await withPasskey()
    const count = 'update staff_passkeys set counter = $1 where credential_id = $2'
    await server.database.superuser.query(count, [1000, credential_id])
    expect((await signIn(laptop)).answer.code).toBe(40110)
    await server.database.superuser.query(count, [0, credential_id])
    expect((await signIn(laptop)).answer.code).toBe(0)
    await laptop.close()
  })

  test('needs its owner: an authenticator without user verification is refused', async () => {
    const { laptop } = await withPasskey()
    const { options } = (await laptop.call(beginPasskeySignIn)).data
    await unverified(laptop.cdp, laptop.authenticatorId)
    const credential = await useCredential(laptop, { ...options, userVerification: 'discouraged' })
    expect((await laptop.call(signInByPasskey, { credential })).code).toBe(40110)
    await laptop.close()
  })
})

describe('a passkey that opens accounts in several schools', () => {
  /** The state after the upgrade, for a person who worked in both: the same person and passkey in each. */
  async function copyTo(corp_id: string, staff_id: string, public_key?: Buffer): Promise<void> {
    const run = (text: string, ...more: unknown[]) =>
      server.database.superuser.query(text, [corp_id, staff_id, school.corp_id, ...more])
    await run(
      `insert into staff (corp_id, staff_id, email, name, role, ctime, mtime)
       select $1, staff_id, email, name, 'viewer', ctime, mtime from staff where staff_id = $2 and corp_id = $3`,
    )
    await run(
      `insert into staff_passkeys (corp_id, credential_id, staff_id, name, public_key, counter, transports, ctime)
       select $1, credential_id, staff_id, name, coalesce($4, public_key), counter, transports, ctime
         from staff_passkeys where staff_id = $2 and corp_id = $3`,
      public_key ?? null,
    )
  }

  test('lists the schools, and signs in to the chosen one, once', async () => {
    const other = await openOrganization(server)
    const { laptop, staff_id } = await withPasskey()
    await copyTo(other.corp_id, staff_id)
    await laptop.page.context().clearCookies()
    const { answer, credential } = await signIn(laptop)
    expect(answer.data.session).toBeNull()
    const offered = answer.data.schools.map((each: { corp_id: string }) => each.corp_id)
    expect(offered).toEqual([school.corp_id, other.corp_id].sort())
    const { corp_id } = other
    const entered = await laptop.call(signInByPasskey, { credential, corp_id })
    expect(entered.data.session).toMatchObject({ staff_id, organization: { corp_id, role: 'viewer' } })
    expect((await laptop.call(signInByPasskey, { credential, corp_id })).code).toBe(40110)
    const nowhere = (await openOrganization(server)).corp_id
    expect((await laptop.call(signInByPasskey, { credential, corp_id: nowhere })).code).toBe(40110)
    await laptop.close()
  })

  test('is verified by the key of each school: a key of another school under the same id has no effect', async () => {
    const [other, mine] = [await openOrganization(server), await withPasskey()]
    const stranger = await withPasskey()
    const { rows } = await server.database.superuser.query(
      'select public_key from staff_passkeys where credential_id = $1',
      [stranger.credential_id],
    )
    await copyTo(other.corp_id, mine.staff_id, rows[0].public_key)
    const { answer } = await signIn(mine.laptop)
    expect(answer.data).toMatchObject({
      session: { organization: { corp_id: school.corp_id } },
      schools: [],
    })
    await Promise.all([mine.laptop.close(), stranger.laptop.close()])
  })
})

const unverified = (cdp: CDPSession, authenticatorId: string) =>
  cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })

describe('a challenge', () => {
  test('works once, even if it is sent many times at once', async () => {
    const { laptop, credential_id } = await withPasskey()
    const { credential } = await signIn(laptop)
    expect((await laptop.call(signInByPasskey, { credential })).code).toBe(40110)
    // The same for an authenticator without a counter, such as one that shares passkeys between devices.
    await server.database.superuser.query('update staff_passkeys set counter = 0 where credential_id = $1', [
      credential_id,
    ])
    expect((await laptop.call(signInByPasskey, { credential })).code).toBe(40110)
    const { options } = (await laptop.call(beginPasskeySignIn)).data
    const fresh = await useCredential(laptop, options)
    const uses = [1, 2, 3, 4].map(() => laptop.call(signInByPasskey, { credential: fresh }))
    const codes = (await Promise.all(uses)).map(({ code }) => code)
    expect(codes.sort()).toEqual([0, 40110, 40110, 40110])
    await laptop.close()
  })

  test('works for a few minutes', async () => {
    const { laptop } = await withPasskey()
    const { options } = (await laptop.call(beginPasskeySignIn)).data
    const credential = await useCredential(laptop, options)
    try {
      server.setNow(new Date(Date.now() + ticketLifeMs + 1000))
      expect((await laptop.call(signInByPasskey, { credential })).code).toBe(40110)
    } finally {
      server.setNow(undefined)
    }
    await laptop.close()
  })

  test('serves only its own purpose', async () => {
    const { laptop, email } = await withPasskey()
    const toSignIn = await useCredential(laptop, (await laptop.call(beginPasskeySignIn)).data.options)
    expect((await laptop.call(confirmSession, { credential: toSignIn })).code).toBe(40110)
    const toConfirm = await useCredential(laptop, (await laptop.call(beginPasskeyConfirmation)).data.options)
    expect((await laptop.call(signInByPasskey, { credential: toConfirm })).code).toBe(40110)
    // It does not work in another session of the same person either.
    const elsewhere = await openLaptop()
    await elsewhere.call(createSession, { email, password })
    expect((await elsewhere.call(confirmSession, { credential: toConfirm })).code).toBe(40110)
    await elsewhere.close()
    expect((await laptop.call(confirmSession, { credential: toConfirm })).code).toBe(0)
    await laptop.close()
  })

  test('that we did not issue is refused', async () => {
    const { laptop } = await withPasskey()
    const { options } = (await laptop.call(beginPasskeySignIn)).data
    for (const challenge of ['AAAA', options.challenge.slice(0, -4), `${options.challenge}AAAA`]) {
      const credential = await useCredential(laptop, { ...options, challenge })
      expect((await laptop.call(signInByPasskey, { credential })).code).toBe(40110)
    }
    await laptop.close()
  })
})

/** Sets the Host header, which no browser lets a page do. */
async function beginAt({ url }: TestServer, host: string): Promise<Pick<Answer, 'code' | 'data'>> {
  const { path } = beginPasskeySignIn
  const headers = { ...sameOrigin, host, 'content-type': 'application/json' }
  const sent = request(`${url}${path}`, { method: 'POST', headers }).end('{}')
  const [response] = await once(sent, 'response')
  return (await json(response)) as Pick<Answer, 'code' | 'data'>
}

test('a thousand challenges leave nothing in the database', async () => {
  const count = async () => (await server.database.superuser.query('select count(*) from spent_tickets')).rows
  const before = await count()
  for (let n = 0; n < 20; n++) {
    const asked = await Promise.all(Array.from({ length: 50 }, () => beginAt(server, 'localhost')))
    expect(new Set(asked.map(({ code }) => code))).toEqual(new Set([0]))
  }
  expect(await count()).toEqual(before)
})

test('the Host header has no effect: without a configured address, only localhost is valid', async () => {
  for (const host of ['evil.example', '127.0.0.1:8080', 'localhost.evil.example', 'evil.example#localhost'])
    expect((await beginAt(server, host)).code, host).toBe(40306)
  const publicUrl = new URL('https://matricula.example.edu')
  const named = await startTestServer('matricula', { publicUrl })
  const answer = await beginAt(named, 'evil.example')
  expect(answer.data.options.rpId).toBe('matricula.example.edu')
  await named.close()
})
