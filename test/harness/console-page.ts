import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { inject } from 'vitest'
import type { Role } from '../../src/staff/roles.ts'

interface ConsolePage {
  page: Page
  /** What the browser complained of, breaches of the policy included. */
  complaints: string[]
}

interface PageOptions extends Pick<BrowserContextOptions, 'colorScheme' | 'viewport'> {
  locale?: 'en-GB' | 'zh-CN'
  /** What the clock of the browser shows; it runs where it is left out. */
  now?: Date
}

/** A page of the console in a browser of its own, that knows nobody yet. */
export async function openConsole(
  browser: Browser,
  address: string,
  { locale = 'en-GB', now, ...options }: PageOptions = {},
): Promise<ConsolePage> {
  const page = await (await browser.newContext({ locale, ...options })).newPage()
  // What takes long on a slow machine is no fault of the page.
  page.setDefaultTimeout(60_000)
  if (now) await page.clock.setFixedTime(now)
  const complaints: string[] = []
  page.on('console', (message) => {
    // Who is not signed in is told so with 401, which the browser notes.
    if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(address)
  return { page, complaints }
}

/** Fills in the door, in whatever language it is, as somebody of the sample school. */
async function signInAs(page: Page, role: Role): Promise<void> {
  const { email, password } = inject('sample').staff.find((each) => each.role === role)!
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.locator('button[type=submit]').click()
}

/** A screen, opened by somebody of the sample school. */
export async function openScreen(
  browser: Browser,
  url: string,
  path: string,
  role: Role,
  options: PageOptions = {},
): Promise<ConsolePage> {
  const opened = await openConsole(browser, `${url}/sign-in?${new URLSearchParams({ to: path })}`, options)
  await signInAs(opened.page, role)
  await opened.page.waitForURL(`${url}${path}`)
  await settled(opened.page)
  return opened
}

/** Waits until a screen shows what it has to show. */
export async function settled(page: Page): Promise<void> {
  const isBusy = page.locator('[aria-busy=true], .mantine-Skeleton-root')
  do {
    await page.locator('main h1').waitFor()
    await page.waitForLoadState('networkidle')
    // What has just been drawn may ask for more.
    await page.waitForTimeout(100)
  } while ((await isBusy.count()) > 0)
}

let axe: Promise<string> | undefined

interface Violation {
  id: string
  impact: string
  nodes: { html: string }[]
}

/** What axe finds that would keep somebody from using the page. */
export async function barriersOn(page: Page): Promise<string[]> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.evaluate(await axe)
  const violations: Violation[] = await page.evaluate('axe.run().then(({ violations }) => violations)')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
