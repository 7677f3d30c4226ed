import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../harness/browser.ts'
import { goTo, openScreen, settled } from '../harness/console-page.ts'
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

test('a printed screen has its content only: no navigation, no controls, the whole table', async () => {
  const { page } = await openScreen(browser, server.url, '/orders', 'finance')
  const rows = page.locator('main tbody tr')
  const isShown = () =>
    page.evaluate(`['header', 'nav', 'main button', 'main input'].map((part) =>
      [...document.querySelectorAll(part)].some((each) => each.offsetParent !== null))`)
  expect(await isShown()).toContain(true)
  await page.emulateMedia({ media: 'print' })
  expect(await isShown()).toEqual([false, false, false, false])
  expect(await rows.first().isVisible()).toBe(true)
  const [tall, shown] = (await page.evaluate(
    `(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight])(document.querySelector('main section'))`,
  )) as [number, number]
  expect(tall).toBe(shown)
  await page.context().close()
})

test.each(['light', 'dark'] as const)('in the %s a drawer shows its edge', async (colorScheme) => {
  const { page } = await openScreen(browser, server.url, '/people', 'counsellor', { colorScheme })
  await page.locator('main tbody tr').first().click()
  const drawer = page.locator('[data-record]')
  await drawer.waitFor()
  const [edge, inside, outside] = (await page.evaluate(`(() => {
    const { borderInlineStartColor, backgroundColor } = getComputedStyle(document.querySelector('[data-record]'))
    return [borderInlineStartColor, backgroundColor, getComputedStyle(document.body).backgroundColor].map(
      (colour) => colour.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0),
    )
  })()`)) as number[]
  // The sums of red, green and blue differ visibly.
  expect(Math.abs(edge! - inside!)).toBeGreaterThan(60)
  expect(Math.abs(edge! - outside!)).toBeGreaterThan(60)
  await page.context().close()
})

test.each([
  ['en-GB', 'Your role does not allow this.', 'Administrators of your school'],
  ['zh-CN', '您的角色无此权限。', '机构管理员'],
] as const)(
  'in %s, a screen that is not for the role says who can change that',
  async (locale, said, who) => {
    const { page } = await openScreen(browser, server.url, '/settings', 'viewer', { locale })
    await page.getByText(said).waitFor()
    await page.getByText(who).waitFor()
    await page.context().close()
  },
)

test('on a phone, the screens of the day are at the lower edge, and More opens the rest', async () => {
  const viewport = { width: 390, height: 844 }
  const { page } = await openScreen(browser, server.url, '/today', 'counsellor', { viewport })
  const lower = page.getByRole('contentinfo')
  await lower.getByRole('link', { name: 'People' }).click()
  await page.waitForURL('**/people')
  expect((await lower.boundingBox())!.y).toBeGreaterThan(700)
  await lower.getByRole('button', { name: 'More' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Help' }).click()
  await page.waitForURL('**/help')
  await page.context().close()
})

test('names in five scripts have rows of one height', async () => {
  const { page } = await openScreen(browser, server.url, '/today', 'viewer')
  await goTo(page, '/people')
  const heights = await page
    .locator('main tbody tr[aria-rowindex]')
    .evaluateAll((rows) => rows.map((row) => (row as unknown as { offsetHeight: number }).offsetHeight))
  expect(heights.length).toBeGreaterThan(10)
  expect(new Set(heights).size).toBe(1)
  await page.context().close()
})

test.each(['en-GB', 'zh-CN'] as const)(
  'in %s, the open tab is in sight, and keeps the focus of the arrow keys',
  async (locale) => {
    const { page, complaints } = await openScreen(browser, server.url, '/settings?tab=activity', 'admin', {
      ...{ locale, viewport: { width: 390, height: 844 } },
    })
    const isInSight = async () => {
      const { x, width } = (await page.getByRole('tab', { selected: true }).boundingBox())!
      return x >= 0 && x + width <= 390
    }
    await expect.poll(isInSight).toBe(true)
    await page.getByRole('tab', { selected: true }).focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) {
      await page.keyboard.press(key)
      await settled(page)
      expect(await page.getByRole('tab', { selected: true }).evaluate(hasFocus)).toBe(true)
      expect(await isInSight()).toBe(true)
    }
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

/** Runs in the page. */
const hasFocus = (tab: unknown) => (tab as { matches(selector: string): boolean }).matches(':focus')
