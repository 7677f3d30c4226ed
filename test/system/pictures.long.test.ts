import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openBrowser } from '../harness/browser.ts'
import { openScreen, settled } from '../harness/console-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { daysOf } from '../harness/stories.ts'

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

/**
 * The working days of four roles, in the sample school as a first start loads it. They go into docs as desktop pictures in the
 * light; MATRICULA_PICTURES names a folder for all of them, on a phone and in the dark as well.
 */
const { MATRICULA_PICTURES: everyLook } = process.env
const looks = (['en-GB', 'zh-CN'] as const).flatMap((locale) =>
  (['desktop', 'phone'] as const).flatMap((device) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ locale, device, colorScheme })),
  ),
)
const viewports = { desktop: { width: 1200, height: 720 }, phone: { width: 390, height: 844 } }
const isKept = ({ device, colorScheme }: (typeof looks)[number]) =>
  device === 'desktop' && colorScheme === 'light'

test.each(looks.filter((look) => everyLook || isKept(look)))(
  'the stories show a day of each role ($locale, $device, $colorScheme)',
  { timeout: 900_000 },
  async (look) => {
    const { locale, device, colorScheme } = look
    const language = locale.slice(0, 2)
    const school = await startTestServer('first-start')
    const folders = [
      ...(isKept(look) ? [join(inject('pictureFolder'), 'stories')] : []),
      ...(everyLook ? [join(everyLook, `stories-${device}-${colorScheme}`)] : []),
    ]
    for (const each of folders) await mkdir(each, { recursive: true })
    for (const role of ['counsellor', 'finance', 'admin', 'viewer'] as const) {
      const { page, complaints } = await openScreen(browser, school.url, '/help', role, {
        ...{ locale, colorScheme, viewport: viewports[device], staff: school.sample.staff },
      })
      const day = (await daysOf(school, page, locale))[role]
      for (const [scene, act] of Object.entries(day)) {
        await act()
        await settled(page)
        await page.mouse.move(0, 0)
        const taken = await smallPictureOf(page)
        for (const each of folders) await writeFile(join(each, `${role}-${scene}-${language}.webp`), taken)
      }
      expect(complaints).toEqual([])
      await page.context().close()
    }
    await school.close()
  },
)

/** A WebP is a third of a PNG. Only the protocol of the browser makes one. */
async function smallPictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  await session.detach()
  return Buffer.from(data, 'base64')
}

/** A picture is replaced only if it has changed, so that a run leaves no needless differences. */
async function keep(name: string, page: Page): Promise<void> {
  await page.mouse.move(0, 0)
  const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const kept = await readFile(join(folder, name)).catch(() => undefined)
  if (!kept?.equals(taken)) await writeFile(join(inject('pictureFolder'), name), taken)
}
