import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openBrowser } from '../harness/browser.ts'
import { openScreen, settled } from '../harness/console-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** Takes the pictures of the guide and the README from the current console, at one instant of the sample school. */
const folder = join(import.meta.dirname, '../../docs/pictures')
const pictures = [
  { name: 'today', path: '/today', role: 'admin' },
  { name: 'people', path: '/people', role: 'counsellor' },
  { name: 'lead-import', path: '/leads/import', role: 'counsellor' },
  { name: 'orders', path: '/orders', role: 'finance' },
  { name: 'finance', path: '/finance', role: 'finance' },
  { name: 'reports', path: '/reports?as_of=2026-11-16T02:00:00Z', role: 'viewer' },
  { name: 'offerings', path: '/offerings', role: 'admin' },
  { name: 'settings', path: '/settings?tab=staff', role: 'admin' },
] as const
const instant = new Date('2026-11-16T02:00:00Z')

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

test.each([...Map.groupBy(pictures, ({ role }) => role)])(
  'the guide shows what a %s sees as it is, in both languages',
  async (role, seen) => {
    server.setNow(instant)
    for (const locale of ['en-GB', 'zh-CN'] as const) {
      const look = { locale, viewport: { width: 1200, height: 720 }, now: instant }
      const { page, complaints } = await openScreen(browser, server.url, '/help', role, look)
      for (const { name, path } of seen) {
        // A fresh page each time: a picture depends on no screen before it.
        await page.goto(server.url + path)
        await settled(page)
        await keep(`${name}-${locale.slice(0, 2)}.png`, page)
      }
      expect(complaints).toEqual([])
      await page.context().close()
    }
  },
)

/** A picture is replaced only if it has changed, so that a run leaves no needless differences. */
async function keep(name: string, page: Page): Promise<void> {
  await page.mouse.move(0, 0)
  const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const kept = await readFile(join(folder, name)).catch(() => undefined)
  if (!kept?.equals(taken)) await writeFile(join(inject('pictureFolder'), name), taken)
}
