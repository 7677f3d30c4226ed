import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, cookiesOf, openConsole, openScreen, settled } from '../harness/console-page.ts'
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

const palette = (page: Page) => page.getByRole('dialog').last()

test.each([
  { locale: 'en-GB', search: 'Search people, orders, commands', typed: 'invite', action: 'Invite staff' },
  { locale: 'zh-CN', search: '搜索客户、订单、命令', typed: '添加 员工', action: '邀请员工' },
] as const)('Ctrl K works inside a search box and finds actions by synonyms ($locale)', async (each) => {
  const { page, complaints } = await openScreen(browser, server.url, '/people', 'admin', {
    locale: each.locale,
  })
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('Control+k')
  await palette(page).getByRole('textbox').or(page.getByPlaceholder(each.search)).first().waitFor()
  expect(await barriersOn(page)).toEqual([])
  await page.keyboard.type(each.typed)
  await palette(page).getByRole('button').filter({ hasText: each.action }).click()
  await page.waitForURL('**/settings?tab=staff')
  await page.getByRole('dialog', { name: each.action }).waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('the dialog keeps letters typed while it loads', async () => {
  const cookies = await cookiesOf(server.url, inject('sample').staff.find(({ role }) => role === 'admin')!)
  const { page, complaints } = await openConsole(browser, 'about:blank', { cookies })
  let load = () => {}
  const loaded = new Promise<void>((resolve) => {
    load = resolve
  })
  await page.route('**/assets/command-dialog-*.js', async (route) => {
    await loaded
    await route.continue()
  })
  await page.goto(`${server.url}/people`)
  await settled(page)
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('npx')
  await page.keyboard.press('Backspace')
  load()
  const field = page.getByPlaceholder('Search people, orders, commands')
  await expect.poll(() => field.inputValue()).toBe('np')
  await page.locator('[data-command-search]:focus').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('q')
  expect(await field.inputValue()).toBe('npq')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  expect(await page.getByRole('searchbox').inputValue()).toBe('')

  // Escape gives up.
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('li')
  expect(await page.getByRole('searchbox').inputValue()).toBe('li')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('actions of the role have their shortcuts, and recent records come first', async () => {
  const { page } = await openScreen(browser, server.url, '/people', 'counsellor')
  await page.locator('tbody tr').first().dblclick()
  await page.waitForURL(/\/people\/\w+$/)
  await settled(page)
  const title = (await page.getByRole('heading', { level: 1 }).textContent())!
  await page.keyboard.press('Control+k')
  await palette(page).getByRole('button').filter({ hasText: title }).first().waitFor()
  await expect.poll(() => palette(page).getByRole('button').first().textContent()).toContain(title)
  await page.keyboard.type('add')
  const found = palette(page).getByRole('button')
  await found.filter({ hasText: 'Add person' }).getByText('N P').waitFor()
  // A counsellor does not invite colleagues.
  expect(await found.filter({ hasText: 'Invite staff' }).count()).toBe(0)
  await page.context().close()
})
