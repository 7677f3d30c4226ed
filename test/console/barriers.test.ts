import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { screens as addresses } from '../../src/server/pages/console.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, goTo, openScreen, settled } from '../harness/console-page.ts'
import { screensOf } from '../harness/screens.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
let paths: string[]
beforeAll(async () => {
  server = await startTestServer()
  browser = await openBrowser()
  paths = (await screensOf(server)).map(({ path }) => path)
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** What one sees without being signed in is looked at where signing in is. */
const doors = ['/sign-in', '/welcome', '/enter']

test('every screen that there is is among those looked at', () => {
  const seen = paths.map((path) => path.replace(/\?.*/, '').replace(/^\/(people|orders)\/.+/, '/$1/:id'))
  expect([...new Set(seen), ...doors].toSorted()).toEqual(addresses.toSorted())
})

test.each([
  ['light', undefined],
  // Only its colours are others.
  ['dark', ['color-contrast', 'link-in-text-block']],
] as const)(
  'no screen has a barrier, in %s colours',
  {
    timeout: 600_000,
  },
  async (colorScheme, rules) => {
    const { page, complaints } = await openScreen(browser, server.url, '/today', 'admin', { colorScheme })
    for (const path of paths) {
      await goTo(page, path)
      expect([path, await barriersOn(page, rules)]).toEqual([path, []])
    }
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

test('no screen is wider than a phone, in either language', { timeout: 600_000 }, async () => {
  for (const locale of ['en-GB', 'zh-CN'] as const) {
    const viewport = { width: 390, height: 844 }
    const { page } = await openScreen(browser, server.url, '/today', 'admin', { locale, viewport })
    for (const path of paths) {
      // Once, every screen is opened by its address, as a bookmark does.
      if (locale === 'en-GB') await page.goto(`${server.url}${path}`)
      else await goTo(page, path)
      await settled(page)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect([path, width]).toEqual([path, viewport.width])
    }
    await page.context().close()
  }
})
