import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../../../../test/harness/dns-server.ts'
import { testKeyring } from '../../../../test/harness/keyring.ts'
import { client, type OpenIdProvider, startOpenIdProvider } from '../../../../test/harness/openid-provider.ts'
import { openOrganization } from '../../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../../test/harness/server.ts'
import { hire, openTab, type Tab } from '../../../../test/harness/staff.ts'
import { newId } from '../../../contract/new-id.ts'
import { credentialScope } from '../../../database/credential-scope.ts'
import { setProvider, updateSignInProvider, type WantedProvider } from '../provider/manage-provider.ts'
import { redirectAddressOf } from '../provider/redirect-address.ts'
import { beginProviderSignIn, signInByProvider } from '../provider/sign-in-by-provider.ts'
import { confirmationMs } from '../sessions.ts'
import { isOwnable, normalDomain } from './domain-name.ts'
import { findOwnerOf } from './domain-store.ts'
import { addSignInDomain, listSignInDomains, removeSignInDomain, verifySignInDomain } from './domains.ts'
import { maxDomains, removeDomain, verifyByOperator } from './manage-domains.ts'

const publicUrl = new URL('http://localhost:4999')

let server: TestServer
let dns: DnsServer
let provider: OpenIdProvider
const people: Record<string, { email: string; email_verified: boolean }> = {}
beforeAll(async () => {
  dns = await startDnsServer()
  server = await startTestServer('matricula', {
    publicUrl,
    privateProviders: true,
    dnsServers: [dns.address],
  })
  provider = await startOpenIdProvider(publicUrl.origin, people)
})
afterAll(async () => {
  await provider?.close()
  await server?.close()
  await dns?.close()
})
beforeEach(() => {
  dns.records.clear()
  dns.asked.length = 0
  dns.isSilent = false
})

interface School {
  corp_id: string
  tab: Tab
}

/** A school with a provider, and its administrator. */
async function openSchool(settings: Partial<WantedProvider> = {}): Promise<School> {
  const { corp_id } = await openOrganization(server)
  provider.register(redirectAddressOf(publicUrl.origin, corp_id))
  const wanted = { corp_id, issuer: provider.issuer, ...client, ...settings }
  await setProvider(server.database.owner.of(corp_id), testKeyring, wanted, new Date())
  return { corp_id, tab: (await hire(server, 'admin', corp_id)).tab }
}

const newDomain = () => `${newId()}.example`

/** Publishes the record that the school was shown. */
async function publish({ corp_id, tab }: School, domain: string): Promise<void> {
  const { data } = await tab.call(addSignInDomain, { corp_id, domain })
  dns.records.set(data.record_name, ['v=spf1 -all', data.record_value])
}

const verify = ({ corp_id, tab }: School, domain: string) => tab.call(verifySignInDomain, { corp_id, domain })
const offered = (email: string) => openTab(server).call(beginProviderSignIn, { email })

describe('a domain', () => {
  test('that is not verified finds no provider', async () => {
    const domain = newDomain()
    await openSchool({ email_domains: [domain] })
    expect((await offered(`head@${domain}`)).code).toBe(40422)
    const school = await openSchool()
    await school.tab.call(addSignInDomain, { corp_id: school.corp_id, domain })
    expect((await offered(`head@${domain}`)).code).toBe(40422)
  })

  test('takes effect with its TXT record, and finds only the provider of its owner', async () => {
    const domain = newDomain()
    const [l, e] = [
      await openSchool({ email_domains: [domain] }),
      await openSchool({ email_domains: [domain] }),
    ]
    expect((await verify(l, domain)).data).toMatchObject({ is_verified: false, problem: 'not_found' })
    await publish(l, domain)
    expect((await verify(e, domain)).data).toMatchObject({ is_verified: false, problem: 'other_value' })
    expect((await verify(l, domain)).data).toMatchObject({
      ...{ domain, is_verified: true, verified_by: 'dns', problem: '' },
      verified_at: expect.stringMatching(/^\d{4}-/),
    })
    expect(dns.asked).toContain(`_matricula.${domain}`)
    const { data } = await offered(`head@${domain.toUpperCase()}`)
    expect(new URL(data.url).searchParams.get('redirect_uri')).toBe(
      redirectAddressOf(publicUrl.origin, l.corp_id),
    )
    expect(data).toEqual({ url: data.url })
  })

  test('belongs to one organization: another one that proves it is referred to the operator, and learns no name', async () => {
    const domain = newDomain()
    const [l, e] = [await openSchool(), await openSchool()]
    await publish(l, domain)
    expect((await verify(l, domain)).data.is_verified).toBe(true)
    // Naming the domain reveals nothing about the other organization.
    expect((await e.tab.call(addSignInDomain, { corp_id: e.corp_id, domain })).code).toBe(0)
    await publish(e, domain)
    const refused = await verify(e, domain)
    expect(refused).toMatchObject({ code: 40901, msg: expect.stringContaining('ask the operator') })
    expect(JSON.stringify(refused.data)).not.toContain(l.corp_id)
    const operator = verifyByOperator(server.database.owner.of(e.corp_id), e.corp_id, domain, new Date())
    await expect(operator).rejects.toThrow('ask the operator')
    // After the operator removes it, the current record counts.
    await removeDomain(server.database.owner.of(l.corp_id), l.corp_id, domain)
    expect((await offered(`head@${domain}`)).code).toBe(40422)
    expect((await verify(e, domain)).data.is_verified).toBe(true)
  })

  test('goes to one of two organizations that prove it at the same moment', async () => {
    const domain = newDomain()
    const schools = [await openSchool(), await openSchool()]
    const verified = await Promise.allSettled(
      schools.map(({ corp_id }) =>
        verifyByOperator(server.database.owner.of(corp_id), corp_id, domain, new Date()),
      ),
    )
    expect(verified.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('that is removed stops at once, and needs a new record when it is added again', async () => {
    const domain = newDomain()
    const school = await openSchool()
    const { corp_id, tab } = school
    await publish(school, domain)
    await verify(school, domain)
    expect((await offered(`head@${domain}`)).code).toBe(0)
    expect((await tab.call(removeSignInDomain, { corp_id, domain })).code).toBe(0)
    expect((await offered(`head@${domain}`)).code).toBe(40422)
    expect((await tab.call(listSignInDomains, { corp_id })).data.list).toEqual([])
    expect((await tab.call(removeSignInDomain, { corp_id, domain })).code).toBe(40427)
    expect((await verify(school, domain)).code).toBe(40427)
    await tab.call(addSignInDomain, { corp_id, domain })
    expect((await verify(school, domain)).data).toMatchObject({ is_verified: false, problem: 'other_value' })
  })

  test('is verified by the operator without DNS', async () => {
    const domain = newDomain()
    const { corp_id, tab } = await openSchool()
    await verifyByOperator(server.database.owner.of(corp_id), corp_id, domain, new Date())
    expect((await tab.call(listSignInDomains, { corp_id })).data.list).toMatchObject([
      { domain, is_verified: true, verified_by: 'operator' },
    ])
    expect((await offered(`head@${domain}`)).code).toBe(0)
    expect(dns.asked).toEqual([])
  })

  test('finds no provider of other domains', async () => {
    const domain = newDomain()
    const { corp_id } = await openSchool({ email_domains: [newDomain()] })
    await verifyByOperator(server.database.owner.of(corp_id), corp_id, domain, new Date())
    expect((await offered(`head@${domain}`)).code).toBe(40422)
  })

  test('admits people without an invitation only while it is verified', async () => {
    const domain = newDomain()
    people.guest = { email: `guest@${domain}`, email_verified: true }
    const { corp_id } = await openSchool({ email_domains: [domain], default_role: 'viewer' })
    const signIn = async () => {
      const tab = openTab(server)
      const { url } = (await tab.call(beginProviderSignIn, { corp_id })).data
      return tab.call(signInByProvider, { corp_id, returned: await provider.logIn(url, 'guest') })
    }
    expect((await signIn()).code).toBe(40111)
    const on = server.database.owner.of(corp_id)
    await verifyByOperator(on, corp_id, domain, new Date())
    await removeDomain(on, corp_id, domain)
    expect((await signIn()).code).toBe(40111)
    await verifyByOperator(on, corp_id, domain, new Date())
    expect((await signIn()).code).toBe(0)
  })

  test('in another script equals its ASCII form', async () => {
    const name = newId()
    const { corp_id, tab } = await openSchool()
    const { data } = await tab.call(addSignInDomain, { corp_id, domain: `学校-${name}.中国` })
    expect(data.domain).toMatch(/^xn--[a-z0-9-]+\.xn--fiqs8s$/)
    expect(normalDomain(`学校-${name}.中国`)).toBe(data.domain)
  })
})

describe('the record of a domain', () => {
  test('without an answer of the name servers is reported as such, in limited time', async () => {
    const domain = newDomain()
    const school = await openSchool()
    await publish(school, domain)
    dns.isSilent = true
    expect((await verify(school, domain)).data).toMatchObject({ is_verified: false, problem: 'no_answer' })
  })

  test('counts only if complete, next to records of any length', async () => {
    const domain = newDomain()
    const school = await openSchool()
    await publish(school, domain)
    const [name, [, value]] = [...dns.records][0] as [string, string[]]
    for (const wrong of [`${value}x`, value!.slice(0, -1), value!.toUpperCase(), `x ${value}`]) {
      dns.records.set(name, [wrong])
      expect((await verify(school, domain)).data.problem, wrong).toBe('other_value')
    }
    dns.records.set(name, ['x'.repeat(400), value!])
    expect((await verify(school, domain)).data.problem).toBe('')
  })

  test('is looked up a limited number of times a minute', async () => {
    const domain = newDomain()
    const school = await openSchool()
    await school.tab.call(addSignInDomain, { corp_id: school.corp_id, domain })
    const codes = new Set<number>()
    for (let n = 0; n < 21; n++) codes.add((await verify(school, domain)).code)
    expect([...codes]).toEqual([0, 42901])
    expect(dns.asked).toHaveLength(20)
  })
})

describe('a public suffix', () => {
  test.each([
    ...['com', 'co.uk', 'com.cn', 'edu.cn', 'github.io', 'localhost', 'example', 'k12.ca.us'],
    ...[
      '127.0.0.1',
      '::1',
      'a..example',
      '.example.com',
      'example.com.',
      '-a.example',
      'a b.example',
      'a_b.example',
    ],
    ...[
      '*.example.com',
      `${'a'.repeat(64)}.example`,
      `${'a.'.repeat(120)}example`,
      'user@l.example',
      'l.example/x',
      '',
    ],
  ])('is no domain of an organization: %j', async (domain) => {
    expect(await isOwnable(domain)).toBe(false)
  })

  test.each([
    'l.example',
    'school.co.uk',
    'lakeside.edu.cn',
    'mail.lakeside.edu.cn',
    'me.github.io',
    'xn--fiqs8s.example',
  ])('%s is one', async (domain) => {
    expect(await isOwnable(domain)).toBe(true)
  })

  test('is refused, for sign-in and for the provider', async () => {
    const { corp_id, tab } = await openSchool()
    const add = await tab.call(addSignInDomain, { corp_id, domain: 'co.uk' })
    expect(add).toMatchObject({ code: 40002, data: { errors: [{ param: 'domain' }] } })
    const wanted = { corp_id, issuer: provider.issuer, ...client, email_domains: ['co.uk'] }
    const set = await tab.call(updateSignInProvider, wanted)
    expect(set).toMatchObject({ code: 40002, data: { errors: [{ param: 'email_domains' }] } })
  })
})

describe('an administrator', () => {
  test('sees each domain with its record; domains of the provider are added automatically', async () => {
    const domain = newDomain()
    const { corp_id, tab } = await openSchool({ email_domains: [domain.toUpperCase()] })
    const { list } = (await tab.call(listSignInDomains, { corp_id })).data
    expect(list).toEqual([
      {
        ...{ domain, is_verified: false, verified_by: '', verified_at: '' },
        requested_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
        record_name: `_matricula.${domain}`,
        record_value: expect.stringMatching(/^matricula-verification=[\w-]{43}$/),
      },
    ])
    // Added once more, it keeps its record.
    expect((await tab.call(addSignInDomain, { corp_id, domain })).data).toEqual(list[0])
  })

  test(`names at most ${maxDomains}`, async () => {
    const domains = Array.from({ length: maxDomains }, newDomain)
    const { corp_id, tab } = await openSchool({ email_domains: domains })
    expect((await tab.call(addSignInDomain, { corp_id, domain: newDomain() })).code).toBe(40002)
    expect((await tab.call(addSignInDomain, { corp_id, domain: domains[0] })).code).toBe(0)
  })

  test('alone sees and changes them, and confirms changes that take effect', async () => {
    const domain = newDomain()
    const school = await openSchool()
    const { corp_id, tab } = school
    await publish(school, domain)
    for (const role of ['viewer', 'counsellor', 'finance'] as const) {
      const colleague = (await hire(server, role, corp_id)).tab
      for (const operation of [listSignInDomains, addSignInDomain, verifySignInDomain, removeSignInDomain])
        expect((await colleague.call(operation, { corp_id, domain })).code, operation.id).toBe(40303)
    }
    try {
      server.setNow(new Date(Date.now() + confirmationMs + 60_000))
      for (const operation of [verifySignInDomain, removeSignInDomain])
        expect((await tab.call(operation, { corp_id, domain })).code, operation.id).toBe(40304)
    } finally {
      server.setNow(undefined)
    }
  })

  test('is named in the audit for adding, verifying and removing a domain', async () => {
    const domain = newDomain()
    const school = await openSchool()
    const { corp_id, tab } = school
    await publish(school, domain)
    await verify(school, domain)
    await tab.call(removeSignInDomain, { corp_id, domain })
    const { rows } = await server.database.superuser.query(
      `select operation, action, record_type from audit_entries where corp_id = $1 and record_id = $2 order by entry_id`,
      [corp_id, domain],
    )
    expect(rows).toEqual([
      { operation: 'addSignInDomain', action: 'made', record_type: 'sign_in_domains' },
      { operation: 'verifySignInDomain', action: 'made', record_type: 'verified_domains' },
      { operation: 'removeSignInDomain', action: 'removed', record_type: 'sign_in_domains' },
    ])
  })
})

test('a handle that is bound to a domain finds only the owner of that domain', async () => {
  const [mine, other] = [newDomain(), newDomain()]
  const { corp_id } = await openSchool()
  for (const domain of [mine, other])
    await verifyByOperator(server.database.owner.of(corp_id), corp_id, domain, new Date())
  const on = server.db.of(credentialScope('domain', mine))
  expect(await findOwnerOf(on, mine)).toBe(corp_id)
  expect(await findOwnerOf(on, other)).toBeUndefined()
  expect(await findOwnerOf(server.db.shared, mine)).toBeUndefined()
  expect(await findOwnerOf(server.db.of(newId()), mine)).toBeUndefined()
  await expect(removeDomain(on, corp_id, mine)).rejects.toThrow()
  expect(await findOwnerOf(on, mine)).toBe(corp_id)
})
