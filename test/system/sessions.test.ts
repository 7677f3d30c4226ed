import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { en } from '../../console/src/languages/en.ts'
import { makeLink } from '../../src/access/staff/manage-staff.ts'
import { findBuild } from '../../src/server/console/console-build.ts'
import { openBrowser } from '../harness/browser.ts'
import { openConsole, openScreen } from '../harness/console-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer()
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const colleague = (role: string) => inject('sample').staff.find((each) => each.role === role)!

test('Today opens with at most 250 KB and 12 requests, and without messages in the log of the browser', async () => {
  const { page, complaints } = await openScreen(browser, server.url, '/today', 'counsellor')
  // The code of the other screens is loaded after the first one is complete: the console marks that moment.
  const loaded = (await page.evaluate(`(() => {
    const ahead = performance.getEntriesByName('screens ahead')[0]?.startTime ?? Infinity
    return performance.getEntries()
      .filter(({ entryType, startTime }) => ['resource', 'navigation'].includes(entryType) && startTime < ahead)
      .map(({ name }) => new URL(name).pathname)
  })()`)) as string[]
  const assets = new Set(loaded.filter((path) => /^\/assets\/.*\.(js|css)$/.test(path)))
  const folder = (await findBuild(tmpdir()))!
  let bytes = 0
  for (const asset of assets) bytes += (await readFile(join(folder, `${asset}.br`))).length
  expect(assets.size).toBeGreaterThan(2)
  expect(Math.round(bytes / 1024)).toBeLessThanOrEqual(250)
  expect([...loaded].length, loaded.join(' ')).toBeLessThanOrEqual(12)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('without a session the sign-in page opens without a refused call, and each tab has its own title', async () => {
  const refused: string[] = []
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
  await page.goto(`${server.url}/people`)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await expect.poll(() => page.title()).toBe('Sign in · Matricula')
  await signIn(page, 'admin')
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  await expect.poll(() => page.title()).toBe('People · Matricula')
  expect(refused).toEqual([])
  await page.getByRole('row').filter({ hasText: 'Amelia Clarke' }).first().click()
  await expect.poll(() => page.title()).toBe('Amelia Clarke · Matricula')
  await page.goto(`${server.url}/settings?tab=staff`)
  await expect.poll(() => page.title()).toBe('Staff · Matricula')
  await page.getByRole('button', { name: '中文' }).click()
  await expect.poll(() => page.title()).toBe('员工 · Matricula')
  await context.close()
})

test.each([
  ['en-GB', 'Sign in', 'Today', '中文', '今日'],
  ['zh-CN', '登录', '今日', 'English', 'Today'],
] as const)(
  'in %s one signs in, reads Today, and changes the language',
  async (locale, door, today, other, then) => {
    const { page, complaints } = await openConsole(browser, `${server.url}/`, { locale })
    await page.getByRole('heading', { level: 1, name: door }).waitFor()
    await signIn(page, 'counsellor', locale)
    await page.getByRole('heading', { level: 1, name: today }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/today')
    await page.getByRole('button', { name: other }).click()
    await page.getByRole('heading', { level: 1, name: then }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: then }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

test('an address with filters survives signing in, and cannot lead to another site', async () => {
  const page = await open(browser, '/people?pool=alive&page=3')
  await signIn(page, 'viewer')
  await page.waitForURL('**/people?pool=alive&page=3')
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  await page.context().close()
  const lured = await open(browser, '/sign-in?to=//evil.example/today')
  await signIn(lured, 'viewer')
  await lured.waitForURL(`${server.url}/today`)
  await lured.context().close()
})

test('an unknown address shows that there is no such page, with links to go on', async () => {
  const page = await open(browser, '/nowhere')
  await page.getByRole('heading', { level: 1, name: en.frame.notFound }).waitFor()
  await page.getByRole('link').click()
  await page.waitForURL('**/sign-in**')
  await page.context().close()
})

test('an expired session leads to the sign-in page and back', async () => {
  const page = await open(browser, '/sign-in')
  await signIn(page, 'admin')
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  await page.context().clearCookies()
  await page.goto(`${server.url}/settings`)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await signIn(page, 'admin')
  await page.waitForURL('**/settings')
  await page.context().close()
})

test('signing out ends the session', async () => {
  const page = await open(browser, '/sign-in')
  await signIn(page, 'finance')
  await page.getByRole('button', { name: colleague('finance').name }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.goto(`${server.url}/today`)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.context().close()
})

test('a wrong password is reported, and the typed text stays', async () => {
  const page = await open(browser, '/sign-in')
  await page.getByLabel('E-mail').fill(colleague('viewer').email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Wrong e-mail address or password.').waitFor()
  expect(await page.getByLabel('E-mail').inputValue()).toBe(colleague('viewer').email)
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('not the password')
  await page.context().close()
})

test('a link signs in once', async () => {
  const viewer = { corp_id: 'lakeside', staff_id: 'lakeside-viewer' }
  const link = await makeLink(server.db.of('lakeside'), viewer, 'sign_in', new Date())
  const page = await open(browser, `/enter#${link}`)
  await page.waitForURL('**/today')
  await page.context().close()
  const again = await open(browser, `/enter#${link}`)
  await again.getByRole('alert').getByText('This link no longer works.').waitFor()
  await again.context().close()
})

test('roles see the screens that they may use', async () => {
  const seen: Record<string, string[]> = {}
  for (const role of ['viewer', 'finance', 'admin']) {
    const page = await open(browser, '/sign-in')
    await signIn(page, role)
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    const links = await page
      .getByRole('navigation', { name: 'Navigation' })
      .getByRole('link')
      .allTextContents()
    // A place shows the number of items that wait there.
    seen[role] = links.map((text) => text.replace(/[\d,+]+$/, ''))
    await page.context().close()
  }
  const forAll = ['Today', 'People', 'Leads', 'Orders', 'Reports', 'Offerings', 'Help']
  expect(seen.viewer).toEqual(forAll)
  expect(seen.finance!.toSorted()).toEqual([...forAll, 'Finance'].toSorted())
  expect(seen.admin!.toSorted()).toEqual([...forAll, 'Finance', 'Settings'].toSorted())
})

async function open(browser: Browser, path: string): Promise<Page> {
  return (await openConsole(browser, server.url + path)).page
}

/** By the keyboard: a pointer left where the button was may rest on a link, whose screen is fetched ahead. */
async function signIn(page: Page, role: string, locale = 'en-GB'): Promise<void> {
  const { email, password } = colleague(role)
  const [mail, secret] = locale === 'zh-CN' ? ['邮箱', '密码'] : ['E-mail', 'Password']
  await page.getByLabel(mail!).fill(email)
  await page.getByLabel(secret!, { exact: true }).fill(password)
  await page.getByLabel(secret!, { exact: true }).press('Enter')
}
