import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyByOperator } from '../../src/access/staff/domains/manage-domains.ts'
import { setProvider } from '../../src/access/staff/provider/manage-provider.ts'
import { redirectAddressOf } from '../../src/access/staff/provider/redirect-address.ts'
import { confirmationMs } from '../../src/access/staff/sessions.ts'
import { openBrowser } from '../harness/browser.ts'
import { testKeyring } from '../harness/keyring.ts'
import { client, type OpenIdProvider, startOpenIdProvider } from '../harness/openid-provider.ts'
import { openOrganization } from '../harness/organization.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { hire, password } from '../harness/staff.ts'

let server: TestServer
let browser: Browser
let site: string
let provider: OpenIdProvider
const domain = 'school.example.com'
beforeAll(async () => {
  server = await startTestServer('matricula', { privateProviders: true })
  browser = await openBrowser()
  site = server.url.replace('127.0.0.1', 'localhost')
  const people = {
    mei: { email: `mei@${domain}`, email_verified: true },
    stranger: { email: `stranger@${domain}`, email_verified: true },
  }
  provider = await startOpenIdProvider(site, people)
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await provider?.close()
  await server?.close()
})

const texts = {
  'en-GB': {
    ...{ email: 'E-mail', password: 'Password', submit: 'Sign in', today: 'Today', door: 'Sign in' },
    ...{
      mine: 'My sign-in methods',
      device: 'Device name',
      add: 'Add passkey',
      close: 'Close',
      out: 'Sign out',
    },
    ...{ passkey: 'Use a passkey', school: 'Use my school account', remove: 'Remove Laptop' },
  },
  'zh-CN': {
    ...{ email: '邮箱', password: '密码', submit: '登录', today: '今日', door: '登录' },
    ...{ mine: '我的登录方式', device: '设备名称', add: '添加通行密钥', close: '关闭', out: '退出登录' },
    ...{ passkey: '使用通行密钥', school: '使用机构账号', remove: '移除 Laptop' },
  },
}
type Locale = keyof typeof texts

async function open(locale: Locale, path = '/sign-in'): Promise<Page> {
  const page = await (await browser.newContext({ locale })).newPage()
  await page.goto(`${site}${path}`)
  return page
}

async function withAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

describe.each(Object.keys(texts) as Locale[])('in %s', (locale) => {
  const say = texts[locale]

  test('a passkey is added, signs in, confirms, and is removed', async () => {
    const { corp_id } = await openOrganization(server)
    const { email } = await hire(server, 'finance', corp_id)
    const page = await open(locale)
    await withAuthenticator(page)
    await page.getByLabel(say.email).fill(email)
    await page.getByLabel(say.password, { exact: true }).fill(password)
    await button(page, say.submit).click()
    await heading(page, say.today).waitFor()

    await button(page, 'A finance').click()
    await page.getByRole('menuitem', { name: say.mine }).click()
    await page.getByLabel(say.device).fill('Laptop')
    await button(page, say.add).click()
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: say.close, exact: true }).click()
    await button(page, 'A finance').click()
    await page.getByRole('menuitem', { name: say.out, exact: true }).click()

    await heading(page, say.door).waitFor()
    await button(page, say.passkey).click()
    await heading(page, say.today).waitFor()

    try {
      server.setNow(new Date(Date.now() + confirmationMs + 60_000))
      await button(page, 'A finance').click()
      await page.getByRole('menuitem', { name: say.mine }).click()
      await button(page, say.remove).click()
      await button(page, say.passkey).click()
      await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor({ state: 'detached' })
    } finally {
      server.setNow(undefined)
    }
    await page.context().close()
  })
})

test('the provider of a school signs in invited people, and refuses others with a message', async () => {
  const { corp_id } = await openOrganization(server)
  const wanted = { corp_id, issuer: provider.issuer, ...client, email_domains: [domain] }
  provider.register(redirectAddressOf(site, corp_id))
  const on = server.database.owner.of(corp_id)
  await setProvider(on, testKeyring, wanted, new Date())
  await verifyByOperator(on, corp_id, domain, new Date())
  await hire(server, 'viewer', corp_id, `mei@${domain}`)
  const say = texts['en-GB']
  for (const login of ['mei', 'stranger']) {
    const page = await open('en-GB')
    await button(page, say.school).click()
    await page.getByText('Enter your e-mail above first').waitFor()
    await page.getByLabel(say.email).fill(`${login}@${domain}`)
    await button(page, say.school).click()
    await page.locator('input[name=login]').fill(login)
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.locator('button[type=submit]').click()
    if (login === 'mei') await heading(page, say.today).waitFor()
    else await page.getByRole('alert').getByText('Your school account was not accepted').waitFor()
    expect(page.url()).not.toContain('code=')
    await page.context().close()
  }
})
