import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { staffIdOf } from '../../src/sample/sample-staff.ts'
import type { Role } from '../../src/staff/roles.ts'
import { createSessions } from '../../src/staff/sessions.ts'
import type { TestServer } from './server.ts'

/** A page of the console for one of the sample's staff, and what the browser complained of. */
export interface ConsolePage {
  page: Page
  complaints: string[]
}

/** Opens a screen as somebody of the sample school; how people sign in has tests of its own. */
export async function openConsole(
  browser: Browser,
  server: TestServer,
  role: Role,
  path: string,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const token = await createSessions(server.database.owner.shared).begin(staffIdOf(role), new Date())
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1360, height: 850 },
    ...options,
  })
  await context.addCookies([{ name: 'matricula_session', value: token, url: server.url }])
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    // What the service refuses, the browser notes as well.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${server.url}${path}`)
  return { page, complaints }
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe-core finds that matters: rule and element. The policy of the page forbids scripts of others, so it is evaluated. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axe, 'utf8'))
  return page.evaluate(async () => {
    type Found = { violations: { id: string; impact: string; nodes: { html: string }[] }[] }
    const { axe } = globalThis as unknown as { axe: { run(): Promise<Found> } }
    const { violations } = await axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  })
}
