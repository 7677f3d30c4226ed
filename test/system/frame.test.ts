import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
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

describe('offerings', () => {
  test('a course is added with its price, found in the list, and changed', async () => {
    const { page, complaints } = await openScreen(browser, server.url, '/offerings', 'finance')
    await page.getByRole('button', { name: 'Add course' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Night School 夜校')
    await dialog.getByLabel('Code').fill('NIGHT-1')
    await dialog.getByLabel('List price').fill('1,234.5')
    await dialog.getByLabel('Starts').fill('2027-03-01')
    await dialog.getByRole('button', { name: 'Save', exact: true }).dblclick()
    await page.getByText('Night School 夜校 saved.').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'NIGHT-1' })
    await row.first().waitFor()
    expect(await row.count()).toBe(1)
    expect(await row.textContent()).toContain('CN¥1,234.50')
    expect(await row.textContent()).toContain('1 Mar 2027')

    await row.click()
    await dialog.getByLabel('List price').fill('2,000')
    await dialog.getByLabel('Accepts new orders').uncheck()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await row.getByText('Inactive').waitFor()
    expect(await row.textContent()).toContain('CN¥2,000.00')
    await choose(page, 'Status', 'Inactive')
    await page.waitForURL('**/offerings?active=false')
    await page.getByText('1–1 of 1').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a refusal of the service is shown in the form, and nothing typed is lost', async () => {
    const { page } = await openScreen(browser, server.url, '/offerings?tab=coupons', 'admin')
    await page.getByRole('button', { name: 'Add coupon' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Code').fill('AUTUMN')
    await dialog.locator('input[inputmode=decimal], input[inputmode=numeric]').first().fill('5')
    await dialog.getByLabel('Valid from').fill('2027-05-02')
    await dialog.getByLabel('Valid until').fill('2027-05-01')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByRole('alert').getByText('Valid until must not be before').waitFor()
    expect(await dialog.getByLabel('Code').inputValue()).toBe('AUTUMN')
    await dialog.getByLabel('Valid until').fill('2027-06-01')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('row').filter({ hasText: 'AUTUMN' }).getByText('5 %').waitFor()
    await page.context().close()
  })

  test('a tag group is deactivated, and restored with Undo', async () => {
    const { page } = await openScreen(browser, server.url, '/offerings?tab=tags', 'counsellor')
    const row = page.getByRole('row').filter({ hasText: 'GMAT score' })
    await row.getByRole('button', { name: 'Deactivate' }).click()
    await row.getByText('Inactive').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.getByText('Active').waitFor()
    await page.context().close()
  })

  test('a viewer is offered no changes', async () => {
    const { page } = await openScreen(browser, server.url, '/offerings', 'viewer')
    await page.getByRole('row').filter({ hasText: 'EMBA-EXEC' }).click()
    await settled(page)
    expect(await page.getByRole('button', { name: 'Add course' }).count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.context().close()
  })
})

describe('settings', () => {
  test('a person is invited, chooses a password by the link, and works in the role', async () => {
    const { page } = await openScreen(browser, server.url, '/settings?tab=staff', 'admin')
    await page.getByRole('button', { name: 'Invite staff' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('赵敏')
    await dialog.getByLabel('E-mail').fill('zhao.min@example.com')
    await dialog.getByRole('button', { name: 'Invite staff' }).click()
    const shown = page.getByRole('dialog', { name: 'Link for 赵敏' })
    const link = await shown.getByLabel('Link').inputValue()
    expect(link).toMatch(new RegExp(`^${server.url}/welcome#[\\w-]+\\.[\\w-]{43}$`))
    await shown.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row').filter({ hasText: 'zhao.min@example.com' })
    await row.getByText('Invited').waitFor()

    const hers = await openConsole(browser, link, { locale: 'zh-CN' })
    await hers.page.getByLabel('新密码').fill('correct horse battery')
    await hers.page.getByRole('button', { name: '保存并登录' }).click()
    await hers.page.getByRole('heading', { level: 1, name: '今日' }).waitFor()
    expect(hers.page.url()).not.toContain('#')
    await hers.page.goto(`${server.url}/settings`)
    await hers.page.getByText('您的角色无此权限。').waitFor()

    await row.click()
    await choose(page, 'Role', 'Viewer')
    await page.getByRole('button', { name: 'Change role' }).click()
    await page.getByText('赵敏 is now Viewer.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.getByText('Counsellor').waitFor()

    await row.click()
    await choose(page, 'Role', 'None (remove from the school)')
    await page.getByText('loses access to').waitFor()
    await page.getByRole('button', { name: 'Remove from the school' }).click()
    await page.getByText('赵敏 removed from the school.').waitFor()
    await hers.page.goto(`${server.url}/today`)
    await hers.page.getByRole('heading', { level: 1, name: '登录' }).waitFor()
    await hers.page.context().close()
    await page.context().close()
  })

  test('the secret of an account is shown once, after the password was entered again', async () => {
    const { page } = await openScreen(browser, server.url, '/settings?tab=accounts', 'admin')
    // The last confirmation is too old.
    server.setNow(new Date(Date.now() + 20 * 60_000))
    try {
      await page.getByRole('button', { name: 'Add API account' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add API account' })
      await dialog.getByLabel('Name').fill('Student portal')
      await dialog.getByRole('button', { name: 'Add API account' }).dblclick()
      const asked = page.getByRole('dialog', { name: 'Confirm your identity' })
      await asked.locator('input[type=password]').fill('not the password')
      await asked.getByRole('button', { name: 'Continue' }).click()
      await asked.getByRole('alert').waitFor()
      const { password } = inject('sample').staff.find(({ role }) => role === 'admin')!
      await asked.locator('input[type=password]').fill(password)
      await asked.getByRole('button', { name: 'Continue' }).click()
      const shown = page.getByRole('dialog', { name: 'Secret of Student portal' })
      expect((await shown.getByLabel('Secret').inputValue()).length).toBeGreaterThan(20)
      await shown.getByRole('button', { name: 'Done' }).click()
      const row = page.getByRole('row').filter({ hasText: 'Student portal' })
      await expect.poll(() => row.count()).toBe(1)
    } finally {
      server.setNow(undefined)
    }
    await page.context().close()
  })

  test('the name of the school changes everywhere, and back', async () => {
    const { page } = await openScreen(browser, server.url, '/settings', 'admin')
    await page.getByLabel(/^Name/).fill('Lakeside')
    await page.getByLabel('Maximum people per adviser').fill('150')
    // The details for documents have their own form below.
    await page.getByRole('button', { name: 'Save', exact: true }).first().click()
    await page.getByText('Settings saved.').waitFor()
    await page.getByRole('button', { name: 'School: Lakeside', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'School: Lakeside Business School' }).waitFor()
    await page.context().close()
  })
})

describe('moves between screens', () => {
  test('the heading of every screen is drawn before its content, and Back draws both at once', async () => {
    const { page, complaints } = await openScreen(browser, server.url, '/today', 'admin')
    await page.evaluate(noteMovesOfHeading)
    const places = [
      'people',
      'leads',
      'orders',
      'finance',
      'reports',
      'offerings',
      'settings',
      'help',
      'today',
    ]
    for (const place of places) {
      await page.locator(`nav a[href="/${place}"]:visible`).first().click()
      await settled(page)
    }
    await page.goBack()
    await settled(page)
    const isEmpty = await page.evaluate<boolean[]>('window.isEmptyAtHeading')
    expect(isEmpty).toEqual([...places.map(() => true), false])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('the heading does not wait for the code of its screen', async () => {
    const cookies = await cookiesOf(server.url, inject('sample').staff.find(({ role }) => role === 'admin')!)
    const { page } = await openConsole(browser, 'about:blank', { cookies })
    await page.route('**/assets/settings-screen-*.js', () => undefined)
    await page.goto(`${server.url}/today`)
    await settled(page)
    await page.locator('nav a[href="/settings"]').click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor({ timeout: 10_000 })
    expect(await page.title()).toBe('Settings · Matricula')
    await page.context().close()
  })
})

/** Runs in the page: notes whether the screen has no content yet at the moment when its heading is there. */
const noteMovesOfHeading = `(() => {
  window.isEmptyAtHeading = []
  let before = document.querySelector('main h1').textContent
  new MutationObserver(() => {
    const heading = document.querySelector('main h1')?.textContent
    if (heading === undefined || heading === before) return
    before = heading
    window.isEmptyAtHeading.push(document.querySelector('main :is(table, [role=tablist], section)') === null)
  }).observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true })
})()`

describe('from anywhere', () => {
  test('Ctrl K finds people, orders and commands, and ? lists the keys', async () => {
    const { page } = await openScreen(browser, server.url, '/today', 'counsellor')
    // People keep the first place even if they arrive last: later rows above would move the click target.
    await page.route('**/user/search?*', async (route) => {
      await setTimeout(300)
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search people, orders, commands').fill('Kai Ra')
    const found = page.getByRole('dialog').getByRole('button').filter({ hasText: 'Kai Rajan' })
    await found.first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/people\/.+/)

    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search people, orders, commands').fill('offer')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/offerings')

    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Go to People').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' })
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.waitForURL('**/today')
    await page.context().close()
  })

  test('in a list J and K move, and Enter opens', async () => {
    const { page } = await openScreen(browser, server.url, '/offerings', 'admin')
    await page.getByRole('row').filter({ hasText: 'EMBA-EXEC' }).waitFor()
    for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
    const name = await page.getByRole('dialog').getByLabel('Name').inputValue()
    const second = await page.locator('tbody tr').nth(1).locator('td').first().textContent()
    expect(name).toBe(second)
    await page.context().close()
  })
})

test('the sign-in page is accessible, and fits a phone', async () => {
  const { page } = await openConsole(browser, `${server.url}/sign-in`, {
    viewport: { width: 390, height: 844 },
  })
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await barriersOn(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await page.context().close()
})

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page
    .getByRole('textbox', { name: label })
    .or(page.getByRole('combobox', { name: label }))
    .first()
    .click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
