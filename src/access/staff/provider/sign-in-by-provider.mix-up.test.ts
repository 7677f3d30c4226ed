import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../../../test/harness/keyring.ts'
import { client, startOpenIdProvider } from '../../../../test/harness/openid-provider.ts'
import { openOrganization } from '../../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../../test/harness/server.ts'
import { hire, openTab, type Tab } from '../../../../test/harness/staff.ts'
import { fetchSession } from '../create-session.ts'
import { setProvider, type WantedProvider } from './manage-provider.ts'
import { beginProviderSignIn, signInByProvider } from './sign-in-by-provider.ts'

const publicUrl = new URL('http://localhost:4999')
const head = { email: 'head@l.example', email_verified: true }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula', { publicUrl, privateProviders: true })
})
afterAll(() => server?.close())

const running: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of running.splice(0)) await each.close()
})

/**
 * Two schools. The head of L is signed in at L's provider. The provider of E belongs to the attacker. The head follows a link
 * of E's, in her own browser.
 */
async function setScene(options: { sendsIssuer: boolean }) {
  const [l, e] = [await openOrganization(server), await openOrganization(server)]
  const honest = await startOpenIdProvider(publicUrl.origin, { head }, options)
  honest.register(redirectOf(l.corp_id))
  const evil = await startEvilProvider()
  running.push(honest, evil)
  await use(l.corp_id, { issuer: honest.issuer, ...client })
  await use(e.corp_id, { issuer: evil.issuer, ...client })
  const { staff_id } = await hire(server, 'admin', l.corp_id, head.email)
  return { l: l.corp_id, e: e.corp_id, honest, evil, staff_id }
}

async function use(corp_id: string, provider: Omit<WantedProvider, 'corp_id'>): Promise<void> {
  await setProvider(server.database.owner.of(corp_id), testKeyring, { corp_id, ...provider }, new Date())
}

/** The redirect URI of a school. */
function redirectOf(corp_id: string): string {
  return `${publicUrl.origin}/sign-in/${corp_id}`
}

/** The calls of the page at the redirect URI. */
function load(tab: Tab, address: URL) {
  const corp_id = decodeURIComponent(address.pathname.slice('/sign-in/'.length))
  return tab.call(signInByProvider, { corp_id, returned: address.search.slice(1) })
}

describe('a provider that imitates another one', () => {
  test.each([
    ['that says who it is', true],
    ['that never says who it is', false],
  ])('gets no code of a provider %s, and no session with one', async (_, sendsIssuer) => {
    const { l, e, honest, evil } = await setScene({ sendsIssuer })
    // The attacker begins at L in his own browser, to get the challenge and nonce of his ticket.
    const attacker = openTab(server)
    const own = new URL((await attacker.call(beginProviderSignIn, { corp_id: l })).data.url)
    // The head begins at E. E's provider redirects her to L's, with L's client, the attacker's challenge and her state.
    const victim = openTab(server)
    const asked = new URL((await victim.call(beginProviderSignIn, { corp_id: e })).data.url)
    expect(asked.origin).toBe(evil.issuer)
    const forwarded = new URL(own)
    forwarded.searchParams.set('state', asked.searchParams.get('state')!)
    const back = await honest.comeBack(forwarded.href, 'head')
    expect((await load(victim, back)).code).toBe(40111)
    expect((await victim.call(fetchSession)).code).toBe(40101)
    expect(evil.codes).toEqual([])

    // If E's provider had the code, the attacker could sign in to L with this call.
    const stolen = new URL(back)
    stolen.searchParams.set('code', evil.codes[0] ?? 'none')
    stolen.searchParams.set('state', own.searchParams.get('state')!)
    expect((await load(attacker, stolen)).code).toBe(40111)
    expect((await attacker.call(fetchSession)).code).toBe(40101)
  })

  test('gets nothing by redirecting the browser to its own address with a code of the other one', async () => {
    const { l, e, honest, evil } = await setScene({ sendsIssuer: false })
    const own = new URL((await openTab(server).call(beginProviderSignIn, { corp_id: l })).data.url)
    const victim = openTab(server)
    const asked = new URL((await victim.call(beginProviderSignIn, { corp_id: e })).data.url)
    // L's provider redirects nobody to an address of E.
    const forwarded = new URL(own)
    forwarded.searchParams.set('redirect_uri', asked.searchParams.get('redirect_uri')!)
    await expect(honest.comeBack(forwarded.href, 'head')).rejects.toThrow('redirect_uri')
    expect(evil.codes).toEqual([])
  })

  test.each([
    ['the other one', (honest: string) => honest],
    ['nobody', () => ''],
    [
      'itself and the other one',
      (honest: string, evil: string) => `${evil}&iss=${encodeURIComponent(honest)}`,
    ],
  ])('is refused where its answer names %s', async (_, named) => {
    const { e, honest, evil } = await setScene({ sendsIssuer: true })
    const victim = openTab(server)
    const asked = new URL((await victim.call(beginProviderSignIn, { corp_id: e })).data.url)
    const back = new URL(asked.searchParams.get('redirect_uri')!)
    back.search = `code=any&state=${asked.searchParams.get('state')}&iss=${named(honest.issuer, evil.issuer)}`
    expect((await load(victim, back)).code).toBe(40111)
    expect(evil.codes).toEqual([])
  })

  test('gets no browser if its metadata names the other one', async () => {
    const { e, honest, evil } = await setScene({ sendsIssuer: true })
    evil.describedIssuer = honest.issuer
    for (const issuer of [evil.issuer, `${evil.issuer}/.well-known/openid-configuration`]) {
      await use(e, { issuer, ...client })
      expect((await openTab(server).call(beginProviderSignIn, { corp_id: e })).code, issuer).toBe(50301)
    }
  })

  test('is refused if its token names the other one', async () => {
    const { e, honest, evil } = await setScene({ sendsIssuer: false })
    evil.tokenIssuer = honest.issuer
    const victim = openTab(server)
    const asked = new URL((await victim.call(beginProviderSignIn, { corp_id: e })).data.url)
    const back = new URL(asked.searchParams.get('redirect_uri')!)
    back.search = `code=any&state=${asked.searchParams.get('state')}`
    expect((await load(victim, back)).code).toBe(40111)
  })
})

describe('a sign-in that began', () => {
  test('at one school cannot be completed at another one of the same provider', async () => {
    const { l, e, honest } = await setScene({ sendsIssuer: false })
    await use(e, { issuer: honest.issuer, ...client })
    await hire(server, 'viewer', e, head.email)
    const tab = openTab(server)
    const { url } = (await tab.call(beginProviderSignIn, { corp_id: l })).data
    const back = await honest.comeBack(url, 'head')
    expect((await load(tab, new URL(`${redirectOf(e)}${back.search}`))).code).toBe(40111)
  })

  test.each([
    ['issuer', { issuer: 'https://login.example.com' }],
    ['client', { client_id: 'another' }],
  ])('ends with nothing once the school has another %s', async (_, change) => {
    const { l, honest } = await setScene({ sendsIssuer: false })
    const tab = openTab(server)
    const { url } = (await tab.call(beginProviderSignIn, { corp_id: l })).data
    const back = await honest.comeBack(url, 'head')
    await use(l, { issuer: honest.issuer, ...client, ...change })
    expect((await load(tab, back)).code).toBe(40111)
  })
})

interface EvilProvider {
  issuer: string
  /** The requests of our server to it. */
  codes: string[]
  /** The issuer in its metadata. */
  describedIssuer: string
  /** The issuer in its tokens. */
  tokenIssuer: string
  close(): Promise<void>
}

/** A provider with correct metadata that stores every code and signs anything. */
async function startEvilProvider(): Promise<EvilProvider> {
  const web: Server = createServer().listen(0, '127.0.0.1')
  await once(web, 'listening')
  const issuer = `http://localhost:${(web.address() as AddressInfo).port}`
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const evil: EvilProvider = {
    issuer,
    codes: [],
    describedIssuer: issuer,
    tokenIssuer: issuer,
    async close() {
      web.closeAllConnections()
      web.close()
      await once(web, 'close')
    },
  }
  const answers: Record<string, (request: IncomingMessage) => Promise<object> | object> = {
    '/.well-known/openid-configuration': () => ({
      issuer: evil.describedIssuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    }),
    '/jwks': async () => ({
      keys: [{ ...(await crypto.subtle.exportKey('jwk', keys.publicKey)), alg: 'ES256' }],
    }),
    '/token': async (request) => {
      evil.codes.push(new URLSearchParams(await text(request)).get('code')!)
      const now = Math.floor(Date.now() / 1000)
      const claims = { iss: evil.tokenIssuer, aud: client.client_id, sub: 'head', iat: now, exp: now + 60 }
      const id_token = await signed({ ...claims, ...head }, keys.privateKey)
      return { access_token: 'any', token_type: 'Bearer', id_token }
    },
  }
  web.on('request', async (request, response) => {
    const answer = await answers[request.url!.split('?')[0]!]?.(request)
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  })
  return evil
}

async function signed(claims: object, key: CryptoKey): Promise<string> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part({ alg: 'ES256', typ: 'JWT' })}.${part(claims)}`
  const bytes = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(content))
  return `${content}.${Buffer.from(bytes).toString('base64url')}`
}
