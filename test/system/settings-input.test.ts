import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateIssuer } from '../../src/backoffice/settings/issuer-settings.ts'
import { updateOrganization } from '../../src/backoffice/settings/organization-settings.ts'
import { fetchRefundLimits, updateRefundLimits } from '../../src/orders/limits/manage-refund-limits.ts'
import { openBrowser } from '../harness/browser.ts'
import { settled } from '../harness/console-page.ts'
import { openHired } from '../harness/hired-page.ts'
import { client, type OpenIdProvider, startOpenIdProvider } from '../harness/openid-provider.ts'
import { openOrganization, type TestOrganization } from '../harness/organization.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { hire, type Tab } from '../harness/staff.ts'

let server: TestServer
let browser: Browser
let provider: OpenIdProvider
let school: TestOrganization
let colleague: Tab
let page: Page
beforeAll(async () => {
  server = await startTestServer('matricula', { privateProviders: true })
  browser = await openBrowser()
  provider = await startOpenIdProvider(server.url, {})
  school = await openOrganization(server, 'Asia/Shanghai')
  colleague = (await hire(server, 'admin', school.corp_id)).tab
  const { corp_id } = school
  page = (await openHired(browser, server, { role: 'admin', corp_id, path: '/settings?tab=school' })).page
  await settled(page)
  // The second input is typed before the first is saved, and the form is refetched after that.
  await page.route('**/api/**', async (route) => {
    await setTimeout(1000)
    await route.fallback().catch(() => {})
  })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await provider?.close()
  await server?.close()
})

const timeout = 180_000
const field = (label: string) => page.getByRole('textbox', { name: label, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })

/** Clicks a button that saves, and types before the answer; then waits until everything is refetched. */
const typeDuring = async (save: string, type: () => Promise<void>) => {
  const saved = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/update'))
  await button(save).click()
  await type()
  expect((await saved).status()).toBe(200)
  await settled(page)
}

test('input during a save of the school stays, and other fields follow the stored values', {
  timeout,
}, async () => {
  await field('Name').fill('First')
  await typeDuring('Save', () => field('Name').fill('Second'))
  expect(await field('Name').inputValue()).toBe('Second')
  expect(await button('Save').isEnabled()).toBe(true)
  // Also the value from before.
  await field('Name').fill('Third')
  await typeDuring('Save', () => field('Name').fill('First'))
  expect(await field('Name').inputValue()).toBe('First')
  await field('Name').fill('Second')

  const { corp_id } = school
  const change = { corp_id, name: 'Of a colleague', event_days: 45 }
  expect((await colleague.call(updateOrganization, change)).data.name).toBe(change.name)
  // Saving another form refetches this one.
  await field('Legal name').fill('Lakeside Ltd')
  await typeDuring('Save document details', async () => {})
  await expect.poll(() => field('Days the event feed is kept').inputValue()).toBe('45')
  expect(await field('Name').inputValue()).toBe('Second')

  await typeDuring('Save', async () => {})
  await expect.poll(() => button('Save').isDisabled()).toBe(true)
  const { data } = await colleague.call(updateOrganization, { corp_id })
  expect([data.name, data.event_days]).toEqual(['Second', 45])
})

test('discarded input gives way to values that a colleague stored', { timeout }, async () => {
  await field('Name').fill('Third')
  await colleague.call(updateOrganization, { corp_id: school.corp_id, name: 'Renamed' })
  await field('Legal name').fill('Lakeside Academy Ltd')
  await typeDuring('Save document details', async () => {})
  expect(await field('Name').inputValue()).toBe('Third')
  await button('Cancel').first().click()
  await expect.poll(() => field('Name').inputValue()).toBe('Renamed')
})

test('input during a save of the issuer stays', { timeout }, async () => {
  await field('Tax number').fill('91')
  await typeDuring('Save document details', async () => {
    await field('Tax number').fill('9131')
    await field('Legal name').fill('Lakeside')
  })
  expect(await field('Tax number').inputValue()).toBe('9131')
  expect(await field('Legal name').inputValue()).toBe('Lakeside')
  const { data } = await colleague.call(updateIssuer, { corp_id: school.corp_id, address: 'Lake Road 1' })
  expect([data.tax_number, data.legal_name]).toEqual(['91', 'Lakeside Academy Ltd'])
  await typeDuring('Save document details', async () => {})
  await expect.poll(() => field('Address').inputValue()).toBe('Lake Road 1')
  await expect.poll(() => button('Save document details').isDisabled()).toBe(true)
})

test('a limit that is typed during a save stays, and gives way when it is discarded', {
  timeout,
}, async () => {
  await button('Add currency').click()
  const limit = field('No approval needed up to')
  await limit.fill('50')
  await typeDuring('Save limits', () => limit.fill('40'))
  expect(await limit.inputValue()).toMatch(/40/)
  const stored = async () =>
    (await colleague.call(fetchRefundLimits, { corp_id: school.corp_id })).data.limits[0].price
  expect(await stored()).toBe(5000)
  await typeDuring('Save limits', async () => {})
  expect(await stored()).toBe(4000)
  await expect.poll(() => button('Save limits').isDisabled()).toBe(true)
  await limit.fill('70')
  await button('Cancel').click()
  await expect.poll(() => limit.inputValue()).toBe('40.00')
  const lower = { corp_id: school.corp_id, limits: [{ currency: 'CNY', price: 3000 }] }
  expect((await colleague.call(updateRefundLimits, lower)).data.state).toBe('done')
  await field('Tax number').fill('913100')
  await typeDuring('Save document details', async () => {})
  await expect.poll(() => limit.inputValue()).toBe('30.00')
})

test('input during a save of the provider stays, and removing the provider empties the form', {
  timeout,
}, async () => {
  await page.goto(`${server.url}/settings?tab=sign-in`)
  await field('Issuer').fill(provider.issuer)
  await field('Client ID').fill(client.client_id)
  await page.getByLabel('Client secret').fill(client.client_secret)
  const trusts = page.getByLabel(/Treat addresses as verified/)
  await typeDuring('Save', () => trusts.check())
  expect(await trusts.isChecked()).toBe(true)
  expect(await field('Issuer').inputValue()).toBe(provider.issuer)
  expect(await page.getByLabel('Client secret').inputValue()).toBe('')
  expect(await button('Save').isEnabled()).toBe(true)
  await field('Client ID').fill('another')
  await button('Remove provider').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove provider' }).click()
  await page.getByText('Provider removed.').waitFor()
  await expect.poll(() => field('Issuer').inputValue()).toBe('')
  expect(await field('Client ID').inputValue()).toBe('')
})
