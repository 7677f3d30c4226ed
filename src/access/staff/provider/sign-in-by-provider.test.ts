import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../../../test/harness/keyring.ts'
import { client, type OpenIdProvider, startOpenIdProvider } from '../../../../test/harness/openid-provider.ts'
import { openOrganization, type TestOrganization } from '../../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../../test/harness/server.ts'
import { hire, openTab, type Tab } from '../../../../test/harness/staff.ts'
import { listUsers } from '../../../people/users/list-users.ts'
import { outboundProblems } from '../../outbound/outbound-error.ts'
import { endSession, fetchSession } from '../create-session.ts'
import { removeDomain, verifyByOperator } from '../domains/manage-domains.ts'
import { disableStaff } from '../manage-staff.ts'
import { beginPasskey } from '../passkeys/passkeys.ts'
import { confirmationMs } from '../sessions.ts'
import { ticketLifeMs } from '../ticket.ts'
import { checkSignInProvider } from './check-provider.ts'
import {
  fetchSignInProvider,
  removeSignInProvider,
  setProvider,
  updateSignInProvider,
  type WantedProvider,
} from './manage-provider.ts'
import { providerProblems } from './openid.ts'
import { redirectAddressOf } from './redirect-address.ts'
import { beginProviderSignIn, signInByProvider } from './sign-in-by-provider.ts'

const publicUrl = new URL('http://localhost:4999')
const domain = 'school.example.com'

let server: TestServer
let provider: OpenIdProvider
const people = {
  mei: { email: `mei@${domain}`, email_verified: true, name: '李梅' },
  unverified: { email: `unverified@${domain}`, email_verified: false },
  silent: { email: `silent@${domain}` },
  stranger: { email: 'stranger@elsewhere.example.com', email_verified: true },
  nameless: {},
}
beforeAll(async () => {
  server = await startTestServer('matricula', { publicUrl, privateProviders: true })
  provider = await startOpenIdProvider(publicUrl.origin, people)
})
afterAll(async () => {
  await provider?.close()
  await server?.close()
})

/** A school whose staff sign in by the provider. */
async function openSchool(settings: Partial<WantedProvider> = {}): Promise<TestOrganization> {
  const school = await openOrganization(server)
  const { corp_id } = school
  const { issuer } = provider
  provider.register(redirectAddressOf(publicUrl.origin, corp_id))
  const wanted = { corp_id, issuer, ...client, ...settings }
  await setProvider(server.database.owner.of(corp_id), testKeyring, wanted, new Date())
  return school
}

async function begin(corp_id: string, tab: Tab = openTab(server), more: object = {}) {
  const { data } = await tab.call(beginProviderSignIn, { corp_id, ...more })
  return { tab, url: data.url as string }
}

async function signIn(corp_id: string, login: keyof typeof people, more: object = {}) {
  const { tab, url } = await begin(corp_id, undefined, more)
  const returned = await provider.logIn(url, login)
  return { tab, returned, answer: await tab.call(signInByProvider, { corp_id, returned }) }
}

describe('settings of a provider', () => {
  test('can change without sending the secret, but not to another issuer or client', async () => {
    const { corp_id } = await openOrganization(server)
    provider.register(redirectAddressOf(publicUrl.origin, corp_id))
    const { tab } = await hire(server, 'admin', corp_id)
    const { issuer } = provider
    const wanted = { corp_id, issuer, client_id: client.client_id }
    expect((await tab.call(updateSignInProvider, wanted)).code).toBe(40001)
    expect((await tab.call(updateSignInProvider, { ...wanted, ...client })).code).toBe(0)
    const changed = await tab.call(updateSignInProvider, { ...wanted, email_domains: [domain] })
    expect(changed.data).toMatchObject({ email_domains: [domain] })
    await hire(server, 'viewer', corp_id, people.mei.email)
    expect((await signIn(corp_id, 'mei')).answer.code).toBe(0)
    for (const other of [{ issuer: 'https://elsewhere.example.com' }, { client_id: 'another' }])
      expect((await tab.call(updateSignInProvider, { ...wanted, ...other })).code).toBe(40001)
    expect((await tab.call(fetchSignInProvider, { corp_id })).data).toMatchObject({
      issuer,
      client_id: client.client_id,
    })
  })

  test('are tested first: discovery alone, without storing anything', async () => {
    const { corp_id } = await openOrganization(server)
    const { tab } = await hire(server, 'admin', corp_id)
    const { issuer } = provider
    expect((await tab.call(checkSignInProvider, { corp_id, issuer })).data).toMatchObject({
      ...{ is_answering: true, problem: '', reason: '' },
      authorization_endpoint: expect.stringContaining(issuer),
    })
    const nobody = await tab.call(checkSignInProvider, { corp_id, issuer: 'http://localhost:1' })
    const problem = outboundProblems.refused
    expect(nobody.data).toMatchObject({ is_answering: false, problem, reason: 'refused' })
    expect((await tab.call(checkSignInProvider, { corp_id, issuer: 'ftp://school' })).code).toBe(40002)
    expect((await tab.call(fetchSignInProvider, { corp_id })).data).toMatchObject({ issuer: '' })
    const viewer = (await hire(server, 'viewer', corp_id)).tab
    expect((await viewer.call(checkSignInProvider, { corp_id, issuer })).code).toBe(40303)
  })
})

describe('the provider of an organization', () => {
  test('signs in invited people with their role', async () => {
    const { corp_id } = await openSchool()
    const { staff_id } = await hire(server, 'finance', corp_id, people.mei.email)
    const { answer, tab } = await signIn(corp_id, 'mei')
    expect(answer).toMatchObject({
      code: 0,
      data: {
        staff_id,
        organization: { corp_id, role: 'finance' },
        ways_to_confirm: ['password', 'provider'],
      },
    })
    expect((await tab.call(listUsers, { corp_id })).code).toBe(0)
    await tab.call(endSession)
    expect((await tab.call(fetchSession)).code).toBe(40101)
  })

  test('is called with code flow, PKCE, nonce and state', async () => {
    const { corp_id } = await openSchool()
    const query = new URL((await begin(corp_id)).url).searchParams
    expect(Object.fromEntries(query)).toMatchObject({
      ...{ response_type: 'code', code_challenge_method: 'S256', client_id: client.client_id },
      redirect_uri: `${publicUrl.origin}/sign-in/${corp_id}`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query.get(name)).toMatch(/^[\w-]{43}$/)
  })

  test.each(['unverified', 'silent', 'stranger', 'nameless'] as const)(
    'does not sign in who was not invited, or is not who they say: %s',
    async (login) => {
      const { corp_id } = await openSchool()
      const known = people[login] as { email?: string }
      // Invited, but the provider does not vouch for the address.
      if (known.email && login !== 'stranger') await hire(server, 'viewer', corp_id, known.email)
      const { answer, tab } = await signIn(corp_id, login)
      expect(answer.code).toBe(40111)
      expect((await tab.call(fetchSession)).code).toBe(40101)
    },
  )

  test('is trusted without a verified address if the organization says so', async () => {
    const { corp_id } = await openSchool({ trusts_emails: true })
    await hire(server, 'viewer', corp_id, people.silent.email)
    await hire(server, 'viewer', corp_id, people.unverified.email)
    expect((await signIn(corp_id, 'silent')).answer.code).toBe(0)
    expect((await signIn(corp_id, 'unverified')).answer.code).toBe(40111)
  })

  test('is trusted for its domains only', async () => {
    const { corp_id } = await openSchool({ email_domains: [domain] })
    await hire(server, 'viewer', corp_id, people.stranger.email)
    expect((await signIn(corp_id, 'stranger')).answer.code).toBe(40111)
  })

  test('admits people of verified domains with the default role, and nobody else', async () => {
    const { corp_id } = await openSchool({ email_domains: [domain], default_role: 'counsellor' })
    expect((await signIn(corp_id, 'mei')).answer.code).toBe(40111)
    await verifyByOperator(server.database.owner.of(corp_id), corp_id, domain, new Date())
    const { answer } = await signIn(corp_id, 'mei')
    expect(answer.data.organization).toMatchObject({ corp_id, role: 'counsellor' })
    expect((await signIn(corp_id, 'stranger')).answer.code).toBe(40111)
    await removeDomain(server.database.owner.of(corp_id), corp_id, domain)
  })

  test('opens no other organization and creates no other credential for a person who works in both', async () => {
    const [school, other] = [await openSchool(), await openOrganization(server)]
    await hire(server, 'admin', other.corp_id, people.mei.email)
    await hire(server, 'viewer', school.corp_id, people.mei.email)
    const { tab, answer } = await signIn(school.corp_id, 'mei')
    expect(answer.data.organization).toMatchObject({ corp_id: school.corp_id, role: 'viewer' })
    expect((await tab.call(listUsers, { corp_id: other.corp_id })).code).toBe(40301)
    expect((await tab.call(beginPasskey)).code).toBe(40307)
  })

  test('does not sign in disabled people', async () => {
    const { corp_id } = await openSchool({ email_domains: [domain], default_role: 'viewer' })
    const { staff_id } = await hire(server, 'viewer', corp_id, people.mei.email)
    const on = server.database.owner.of(corp_id)
    await disableStaff(on, { corp_id, staff_id }, true, new Date())
    expect((await signIn(corp_id, 'mei')).answer.code).toBe(40111)
    await disableStaff(on, { corp_id, staff_id }, false, new Date())
  })

  test('that is removed or replaced ends the sessions that it started', async () => {
    const school = await openSchool()
    const { corp_id } = school
    const admin = await hire(server, 'admin', corp_id)
    await hire(server, 'viewer', corp_id, people.mei.email)
    const one = await signIn(corp_id, 'mei')
    const other = { corp_id, ...client, issuer: 'https://login.example.com' }
    expect((await admin.tab.call(updateSignInProvider, other)).code).toBe(0)
    expect((await one.tab.call(fetchSession)).code).toBe(40107)
    expect((await admin.tab.call(removeSignInProvider, { corp_id })).code).toBe(0)
    expect((await admin.tab.call(fetchSignInProvider, { corp_id })).data).toMatchObject({ issuer: '' })
  })
})

describe('the response of a provider', () => {
  test('works once, in the same browser, for a few minutes', async () => {
    const { corp_id } = await openSchool()
    await hire(server, 'viewer', corp_id, people.mei.email)
    const { tab, url } = await begin(corp_id)
    const input = { corp_id, returned: await provider.logIn(url, 'mei') }
    const elsewhere = (await begin(corp_id)).tab
    expect((await elsewhere.call(signInByProvider, input)).code).toBe(40111)
    expect((await openTab(server).call(signInByProvider, input)).code).toBe(40111)
    const cookie = tab.cookie!
    expect((await tab.call(signInByProvider, input)).code).toBe(0)
    const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: cookie }
    const again = await server.call(signInByProvider, input, { token: null, headers })
    expect(again.code).toBe(40111)

    const slow = await begin(corp_id)
    const late = await provider.logIn(slow.url, 'mei')
    try {
      server.setNow(new Date(Date.now() + ticketLifeMs + 1000))
      expect((await slow.tab.call(signInByProvider, { corp_id, returned: late })).code).toBe(40111)
    } finally {
      server.setNow(undefined)
    }
  })

  test.each([
    ['with another state', (text: string) => text.replace(/state=[^&]+/, 'state=another')],
    ['without a state', (text: string) => text.replace(/&?state=[^&]+/, '')],
    ['with another code', (text: string) => text.replace(/code=[^&]+/, 'code=another')],
    ['without the issuer that the provider announces', (text: string) => text.replace(/&?iss=[^&]+/, '')],
    ['of another issuer', (text: string) => text.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example')],
    ['that is a refusal', (text: string) => text.replace(/code=[^&]+/, 'error=access_denied')],
    ['that is nothing of it', () => 'hello'],
  ])('%s is refused', async (_, change) => {
    const { corp_id } = await openSchool()
    await hire(server, 'viewer', corp_id, people.mei.email)
    const { tab, url } = await begin(corp_id)
    const returned = change(await provider.logIn(url, 'mei'))
    expect((await tab.call(signInByProvider, { corp_id, returned })).code).toBe(40111)
  })

  test('counts as a confirmation from the time of authentication at the provider', async () => {
    const { corp_id } = await openSchool()
    await hire(server, 'viewer', corp_id, people.mei.email)
    const { answer } = await signIn(corp_id, 'mei', { again: true })
    const until = new Date(answer.data.confirmed_until).getTime()
    expect(Math.abs(until - confirmationMs - Date.now())).toBeLessThan(60_000)
  })
})

describe('an unreachable or forbidden provider', () => {
  test('is 50301 after a short time', async () => {
    const { corp_id } = await openSchool({ issuer: 'http://localhost:1' })
    const answer = await openTab(server).call(beginProviderSignIn, { corp_id })
    expect(answer.code).toBe(50301)
  })

  test('in a private network is not called unless the operator says so', async () => {
    const strict = await startTestServer('matricula', { publicUrl })
    const { corp_id } = await openOrganization(strict)
    const issuers = ['https://localhost', 'https://127.0.0.1', 'https://[::1]', provider.issuer]
    for (const issuer of issuers) {
      const on = strict.database.owner.of(corp_id)
      await setProvider(on, testKeyring, { corp_id, issuer, ...client }, new Date())
      expect((await openTab(strict).call(beginProviderSignIn, { corp_id })).code, issuer).toBe(50301)
    }
    await strict.close()
  })

  test('is reported to an administrator with a sentence of a closed set, without texts of sockets', async () => {
    const strict = await startTestServer('matricula', { publicUrl })
    const web = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
    await once(web, 'listening')
    const { port } = web.address() as AddressInfo
    const check = async (on: TestServer, issuer: string) => {
      const { corp_id } = await openOrganization(on)
      const { tab } = await hire(on, 'admin', corp_id)
      const { data } = await tab.call(checkSignInProvider, { corp_id, issuer })
      expect(Object.values(providerProblems)).toContain(data.problem)
      expect(JSON.stringify(data)).not.toMatch(/E[A-Z]{5,}|[0-9]:[0-9]|getaddrinfo|connect /)
      return data.reason
    }
    try {
      expect(await check(server, 'http://localhost:1')).toBe('refused')
      expect(await check(server, `https://${'x'.repeat(64)}.invalid`)).toBe('unknown_host')
      expect(await check(server, `http://localhost:${port}`)).toBe('not_a_provider')
      expect(await check(server, `https://localhost:${port}`)).toBe('no_tls')
      expect(await check(strict, 'http://localhost:1')).toBe('not_https')
      expect(await check(strict, 'https://[64:ff9b:1::1]')).toBe('private_network')
      expect(await check(strict, 'https://[fec0::1]')).toBe('private_network')
      expect(await check(strict, `https://localhost:${port}`)).toBe('private_network')
    } finally {
      web.closeAllConnections()
      web.close()
      await strict.close()
    }
  })

  test.each([
    ['another issuer', { issuer: 'https://login.l.example' }, 'other_issuer'],
    ['no address where people sign in', { authorization_endpoint: undefined }, 'not_a_provider'],
    ['a script as that address', { authorization_endpoint: 'javascript:alert(1)//' }, 'not_a_provider'],
  ])('is one that describes itself with %s', async (_, change, reason) => {
    const web = createServer().listen(0, '127.0.0.1')
    await once(web, 'listening')
    const issuer = `http://localhost:${(web.address() as AddressInfo).port}`
    web.on('request', (_request, response) => {
      const described = {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
      }
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...described, ...change }))
    })
    const { corp_id } = await openSchool({ issuer })
    const { tab } = await hire(server, 'admin', corp_id)
    for (const address of [issuer, `${issuer}/.well-known/openid-configuration`]) {
      const { data } = await tab.call(checkSignInProvider, { corp_id, issuer: address })
      // The longer address has another issuer in any case.
      expect([reason, 'other_issuer'], address).toContain(data.reason)
    }
    expect((await openTab(server).call(beginProviderSignIn, { corp_id })).code).toBe(50301)
    web.closeAllConnections()
    web.close()
  })
})

describe('an administrator', () => {
  test('sets the provider, whose secret is sealed and never shown', async () => {
    const { corp_id } = await openOrganization(server)
    const { tab } = await hire(server, 'admin', corp_id)
    const { issuer } = provider
    const set = await tab.call(updateSignInProvider, { corp_id, issuer, ...client, email_domains: [domain] })
    expect(set).toMatchObject({
      code: 0,
      data: { issuer, client_id: client.client_id, email_domains: [domain] },
    })
    const { rows } = await server.database.superuser.query(
      'select * from sign_in_providers where corp_id = $1',
      [corp_id],
    )
    expect(JSON.stringify([rows, set.data, await tab.call(fetchSignInProvider, { corp_id })])).not.toContain(
      client.client_secret,
    )
    expect(rows[0].secret_box.includes(client.client_secret)).toBe(false)
  })

  test('cannot set a provider that would admit everybody', async () => {
    const { corp_id } = await openOrganization(server)
    const { tab } = await hire(server, 'admin', corp_id)
    const set = (wrong: object) =>
      tab.call(updateSignInProvider, { corp_id, issuer: 'https://login.example.com', ...client, ...wrong })
    expect((await set({ default_role: 'viewer' })).data.errors[0].param).toBe('email_domains')
    expect((await set({ default_role: 'admin', email_domains: [domain] })).code).toBe(40002)
    for (const issuer of [
      'http://login.example.com',
      'ftp://x',
      'https://a.example/?b',
      'file:///etc/passwd',
    ])
      expect((await set({ issuer })).data.errors[0].param, issuer).toBe('issuer')
    const finance = await hire(server, 'finance', corp_id)
    expect((await finance.tab.call(fetchSignInProvider, { corp_id })).code).toBe(40303)
  })
})
