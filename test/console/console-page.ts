import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Role } from '../../src/staff/roles.ts'
import type { TestServer } from '../harness/server.ts'
import { hire } from '../harness/staff.ts'

export interface ConsolePage {
  page: Page
  /** Whatever the browser complained of, breaches of the policy as well. */
  complaints: string[]
  close(): Promise<void>
}

interface Look {
  locale?: string
  colorScheme?: 'light' | 'dark'
  viewport?: { width: number; height: number }
}

/** A page of the console for somebody new on the staff. */
export async function openConsole(
  browser: Browser,
  server: TestServer,
  { role, corp_id, path }: { role: Role; corp_id: string; path: string },
  look: Look = {},
): Promise<ConsolePage> {
  const { tab } = await hire(server, role, corp_id)
  const context = await browser.newContext({
    ...{ locale: 'en-GB', viewport: { width: 1280, height: 900 }, acceptDownloads: true },
    ...look,
  })
  const cookies = tab.cookie!.split('; ').map((pair) => {
    const [name, ...value] = pair.split('=')
    return { name: name!, value: value.join('='), url: server.url }
  })
  await context.addCookies(cookies)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(server.url + path)
  return { page, complaints, close: () => context.close() }
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Nothing that keeps anybody from using the page. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(await readFile(axePath, 'utf8'))
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
    const found = await axe.run()
    return found.violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.slice(0, 3).map(({ html }) => html),
    }))
  })
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
}

interface Violation {
  id: string
  impact: string
  nodes: { html: string }[]
}

/** Keeps a picture, where somebody wants to look at it. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.MATRICULA_PICTURES
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) })
}
