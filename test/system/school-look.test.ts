import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, openConsole, settled } from '../harness/console-page.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { openOrganization } from '../harness/organization.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { sayIn } from '../harness/words.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer('matricula')
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test.each(['en-GB', 'zh-CN'] as const)(
  'a school has its logo, and a colour with enough contrast, in its frame and on sign-in (%s)',
  async (locale) => {
    const say = sayIn(locale)
    const { corp_id } = await openOrganization(server)
    const asked = { role: 'admin', corp_id, path: '/settings' } as const
    const { page, complaints, close } = await openHired(browser, server, asked, { locale })
    const field = page.getByLabel(say('issuer.color'), { exact: true })
    await field.fill('#ffcc00')
    await page
      .getByRole('alert')
      .getByText(say('issuer.colorTooLight', { contrast: 1.5 }))
      .waitFor()
    const save = page.getByRole('button', { name: say('issuer.save') })
    expect(await save.isDisabled()).toBe(true)
    await page.getByRole('button', { name: /#[0-9a-f]{6}/ }).click()
    const color = await field.inputValue()
    expect(color).not.toBe('#ffcc00')
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(image, 'base64') }
    await page.locator('input[type=file]').setInputFiles(logo)
    await save.click()
    await page.getByText(say('settings.saved')).waitFor()

    const isIn = async (other: typeof page) => ({
      logo: await other.locator(`img[src^="/schools/${corp_id}/logo/"]`).first().evaluate(isLoaded),
      color: await other.locator(`[aria-hidden][style*="color"]`).first().evaluate(colorOf),
    })
    await page.goto(`${server.url}/today`)
    await settled(page)
    const expected = { logo: true, color: shownAs(color) }
    expect(await isIn(page)).toEqual(expected)
    await takePicture(page, `school-look-${locale}`)
    await close()
    const signIn = await openConsole(browser, `${server.url}/sign-in?school=${corp_id}`, { locale })
    await settled(signIn.page)
    expect(await isIn(signIn.page)).toEqual(expected)
    expect(await barriersOn(signIn.page)).toEqual([])
    await takePicture(signIn.page, `school-sign-in-${locale}`)
    expect([...complaints, ...signIn.complaints]).toEqual([])
    await signIn.page.context().close()
  },
)

/** These run in the page. */
const isLoaded = (image: unknown) => (image as { naturalWidth: number }).naturalWidth > 0
const colorOf = (line: unknown) => (line as { style: { color: string } }).style.color

/** A colour as the browser reports it. */
function shownAs(color: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return `rgb(${red}, ${green}, ${blue})`
}
