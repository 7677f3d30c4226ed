import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { en } from '../console/src/languages/en.ts'
import { consoleFolder, findBuild } from '../src/console/console-build.ts'
import { referenceTables, tenantTables, unauditedTables } from '../src/database/tables.ts'
import { screens } from '../src/server/pages/console.ts'
import { createSession } from '../src/staff/create-session.ts'
import { makeLink } from '../src/staff/manage-staff.ts'
import { openBrowser } from './harness/browser.ts'
import { openConsole } from './harness/console-page.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const colleague = (role: string) => inject('sample').staff.find((each) => each.role === role)!

describe('the files of the console', () => {
  test.each(screens)('%s is answered with the page, under a strict policy', async (path) => {
    const response = await fetch(`${server.url}${path.replace(':id', 'some-id')}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    const policy = response.headers.get('content-security-policy')!
    expect(policy).toContain("script-src 'self';")
    expect(policy).toMatch(/style-src 'self' 'nonce-[A-Za-z0-9+/=]{24}';/)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).not.toContain('unsafe')
    const page = await response.text()
    expect(page).not.toContain('{{nonce}}')
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/)
  })

  test('no two pages share a nonce', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => (await fetch(`${server.url}/today`)).headers.get('content-security-policy')),
    )
    expect(policies[0]).not.toBe(policies[1])
  })

  test('the screens are exactly those of the router', async () => {
    const router = await readFile(join(consoleFolder, 'src/app/router.tsx'), 'utf8')
    const paths = [...router.matchAll(/getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g)].map(
      ([, parent, path]) => (path!.startsWith('/') ? path! : `/${parent}/${path!.replace('$', ':')}`),
    )
    expect(paths.toSorted()).toEqual(['/', ...screens].toSorted())
  })

  test('/ leads to what waits today', async () => {
    const response = await fetch(server.url, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/today'])
  })

  test.each(['/todays', '/today/', '/people/a/b', '/assets/index.js', '/assets/..%2findex.html', '/console'])(
    '%s is no page',
    async (path) => {
      expect(await server.send(path)).toMatchObject({ status: 404, code: 40404 })
    },
  )

  test('who goes to no page with a browser is told so by the console; what a page or a program asks for is not', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const kindOf = async (path: string, headers: Record<string, string>, method = 'GET') => {
      // fetch says by itself that it is no browser.
      const asked = request(`${server.url}${path}`, { method, headers }).end()
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      response.resume()
      expect(response.statusCode, path).toBe(404)
      return response.headers['content-type']
    }
    const [page, json] = ['text/html; charset=utf-8', 'application/json; charset=utf-8']
    for (const headers of [browser, { ...browser, 'sec-fetch-mode': 'navigate' }])
      expect(await kindOf('/nowhere?a=1', headers)).toBe(page)
    for (const path of [
      '/api',
      '/api/v5/nowhere',
      '/docs/nowhere',
      '/assets/none.js',
      '/exports/a',
      '/receipts/a',
    ])
      expect(await kindOf(path, browser), path).toBe(json)
    expect(await kindOf('/nowhere', { ...browser, 'sec-fetch-mode': 'cors' })).toBe(json)
    expect(await kindOf('/nowhere', browser, 'POST')).toBe(json)
    expect(await kindOf('/nowhere', { accept: 'application/json' })).toBe(json)
  })

  test('assets may be kept for good, and come compressed to whoever takes that', async () => {
    const [asset] = (await (await fetch(`${server.url}/today`)).text()).match(/\/assets\/[^"]+\.js/)!
    const plain = await fetch(`${server.url}${asset}`, { headers: { 'accept-encoding': 'identity' } })
    const content = await plain.text()
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-encoding')).toBeNull()
    for (const encoding of ['br', 'gzip']) {
      const response = await fetch(`${server.url}${asset}`, { headers: { 'accept-encoding': encoding } })
      expect(response.headers.get('content-encoding')).toBe(encoding)
      expect(response.headers.get('vary')).toBe('Accept-Encoding')
      expect(await response.text()).toBe(content)
    }
  })

  test('every kind of record in the activity log has a word', () => {
    const kinds = [...tenantTables, ...referenceTables].filter((table) => !unauditedTables.includes(table))
    expect(kinds.filter((kind) => !(kind in en.activity.records))).toEqual([])
  })

  test('nothing of the service is in them', async () => {
    const assets = join((await findBuild(tmpdir()))!, 'assets')
    for (const name of (await readdir(assets)).filter((each) => each.endsWith('.js'))) {
      const code = await readFile(join(assets, name), 'utf8')
      expect(code).not.toMatch(/corp_id = |node:crypto|pg_catalog/)
    }
  })
})

describe('in the browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, 600_000)
  afterAll(() => browser?.close())

  test('the first page takes at most 320 KB, scripts and styles gzipped', async () => {
    const page = await open(browser, '/sign-in')
    await signIn(page, 'counsellor')
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    )
    const assets = new Set(loaded.filter((path) => /^\/assets\/.*\.(js|css)$/.test(path)))
    const folder = (await findBuild(tmpdir()))!
    let bytes = 0
    for (const asset of assets) bytes += (await readFile(join(folder, `${asset}.gz`))).length
    expect(assets.size).toBeGreaterThan(3)
    expect(bytes).toBeLessThanOrEqual(320 * 1024)
    await page.context().close()
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

  test('an address with filters survives signing in, and no other site can be one', async () => {
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

  test('a mistyped address says that there is no such page, and leads on', async () => {
    const page = await open(browser, '/nowhere')
    await page.getByRole('heading', { level: 1, name: en.frame.notFound }).waitFor()
    await page.getByRole('link').click()
    await page.waitForURL('**/sign-in**')
    await page.context().close()
  })

  test('a session that has ended leads to the door and back', async () => {
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

  test('a wrong password is told, and what was typed stays', async () => {
    const page = await open(browser, '/sign-in')
    await page.getByLabel('E-mail').fill(colleague('viewer').email)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
    expect(await page.getByLabel('E-mail').inputValue()).toBe(colleague('viewer').email)
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('not the password')
    await page.context().close()
  })

  test('a link signs in once', async () => {
    const link = await makeLink(server.db.shared, 'lakeside-viewer', 'sign_in', new Date())
    const page = await open(browser, `/enter#${link}`)
    await page.waitForURL('**/today')
    await page.context().close()
    const again = await open(browser, `/enter#${link}`)
    await again.getByRole('alert').getByText('The link does not work any more.').waitFor()
    await again.context().close()
  })

  test('roles see the places that they may use', async () => {
    const seen: Record<string, string[]> = {}
    for (const role of ['viewer', 'finance', 'admin']) {
      const page = await open(browser, '/sign-in')
      await signIn(page, role)
      await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
      const links = await page.getByRole('navigation').getByRole('link').allTextContents()
      // How much waits there stands beside a place.
      seen[role] = links.map((text) => text.replace(/[\d,+]+$/, ''))
      await page.context().close()
    }
    const forAll = ['Today', 'People', 'Leads', 'Orders', 'Numbers', 'Offerings', 'Help']
    expect(seen.viewer).toEqual(forAll)
    expect(seen.finance!.toSorted()).toEqual([...forAll, 'Finance'].toSorted())
    expect(seen.admin!.toSorted()).toEqual([...forAll, 'Finance', 'Settings'].toSorted())
  })

  test('a page of another site can sign nobody in', async () => {
    const { email, password } = colleague('viewer')
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://evil.example' },
      {},
    ] as Record<string, string>[]) {
      const refused = await server.call(createSession, { email, password }, { token: null, headers })
      expect(refused).toMatchObject({ status: 403, code: 40305 })
      expect(refused.headers.get('set-cookie')).toBeNull()
    }
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
})
