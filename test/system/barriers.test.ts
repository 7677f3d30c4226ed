import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { screens as addresses } from '../../src/server/pages/console.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, goTo, openScreen, settled } from '../harness/console-page.ts'
import { dialogComponents, dialogsOf, openDialog, phoneSize } from '../harness/dialogs.ts'
import { screensOf } from '../harness/screens.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
let paths: string[]
let dialogs: Awaited<ReturnType<typeof dialogsOf>>
beforeAll(async () => {
  server = await startTestServer('first-start')
  browser = await openBrowser()
  paths = (await screensOf(server)).map(({ path }) => path)
  dialogs = await dialogsOf(server)
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Pages without a session are tested with signing in. */
const doors = ['/sign-in', '/sign-in/:id', '/welcome', '/enter']

test('every screen is tested', () => {
  const seen = paths.map((path) => path.replace(/\?.*/, '').replace(/^\/(people|orders)\/.+/, '/$1/:id'))
  expect([...new Set(seen), ...doors].toSorted()).toEqual(addresses.toSorted())
})

test('every dialog that there is is among those looked at', async () => {
  const seen = dialogs.map(({ component }) => component)
  expect([...new Set(seen)].toSorted()).toEqual(await dialogComponents())
})

/** Only its colours are others in the dark. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

test('no dialog has a barrier, light or dark', { timeout: 600_000 }, async () => {
  const { page } = await openScreen(browser, server.url, '/today', 'admin', { staff: server.sample.staff })
  const desk = page.viewportSize()!
  for (const dialog of dialogs) {
    await page.setViewportSize(desk)
    await page.emulateMedia({ colorScheme: 'light' })
    // Leaves what the dialog before it has left open.
    await goTo(page, '/help')
    await goTo(page, dialog.path)
    await openDialog(page, dialog).catch((error) => {
      throw new Error(`${dialog.component} does not open`, { cause: error })
    })
    // Rows that wait below such a dialog are faded.
    const part = dialog.isBusy ? '[role=dialog]' : undefined
    expect([dialog.component, await barriersOn(page, undefined, part)]).toEqual([dialog.component, []])
    await page.emulateMedia({ colorScheme: 'dark' })
    // The colours change after this attribute.
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' })
    const inTheDark = await barriersOn(page, rulesOfColours, '[role=dialog], [role=menu]')
    expect([dialog.component, inTheDark]).toEqual([dialog.component, []])
    await page.keyboard.press('Escape')
  }
  await page.context().close()
})

test('no screen has a barrier, light or dark, or is wider than a phone', { timeout: 600_000 }, async () => {
  const { page, complaints } = await openScreen(browser, server.url, '/today', 'admin', {
    staff: server.sample.staff,
  })
  const desk = page.viewportSize()!
  for (const path of paths) {
    await page.setViewportSize(desk)
    await page.emulateMedia({ colorScheme: 'light' })
    await goTo(page, path)
    expect([path, await barriersOn(page)]).toEqual([path, []])
    await expectTabsToBeListed(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await settled(page)
    expect(await page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
    expect([path, await barriersOn(page, rulesOfColours)]).toEqual([path, []])
    await expectToFitPhone(page, path)
  }
  expect(complaints).toEqual([])
  await page.context().close()
})

test('in Chinese, no screen is wider than a phone', { timeout: 600_000 }, async () => {
  const { page } = await openScreen(browser, server.url, '/today', 'admin', {
    locale: 'zh-CN',
    viewport: phoneSize,
    staff: server.sample.staff,
  })
  for (const path of paths) {
    await goTo(page, path)
    await expectToFitPhone(page, path)
  }
  await page.context().close()
})

/** A tab is an address of its own, or it is the first one. */
async function expectTabsToBeListed(page: Page): Promise<void> {
  const ids = await page.getByRole('tab').evaluateAll((tabs) => tabs.map(({ id }) => id))
  // Not the path that was asked for: some redirect.
  const first = new URL(page.url()).pathname
  const wanted = ids.slice(1).map((id) => `${first}?tab=${id.replace(/^.*-tab-/, '')}`)
  const listed = paths.map((each) => each.split('&')[0])
  expect(wanted.filter((each) => !listed.includes(each))).toEqual([])
}

async function expectToFitPhone(page: Page, path: string): Promise<void> {
  await page.setViewportSize(phoneSize)
  await settled(page)
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect([path, width]).toEqual([path, phoneSize.width])
}
