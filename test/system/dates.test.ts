import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, openScreen } from '../harness/console-page.ts'
import { takePicture } from '../harness/hired-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { type Locale, sayIn } from '../harness/words.ts'

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

// A Wednesday evening in the school's zone, Asia/Shanghai, and still its morning in the browser's.
const now = new Date('2026-11-18T16:30:00Z')

interface Case {
  locale: Locale
  colorScheme: 'light' | 'dark'
  width: number
  typed: string
  shown: string
  understood: RegExp
  picked: string
  moment: string
  wrong: string
}

test.each<Case>([
  {
    ...{ locale: 'en-GB', colorScheme: 'light', width: 1280, typed: 'next Monday', shown: '23 Nov 2026' },
    ...{ understood: /Mon,? 23 Nov 2026/, picked: '1 Dec 2026', moment: 'yesterday 3 pm', wrong: 'soon' },
  },
  {
    ...{ locale: 'zh-CN', colorScheme: 'dark', width: 390, typed: '下周一', shown: '2026年11月23日' },
    ...{ understood: /2026年11月23日周一/, picked: '2026年12月1日', moment: '昨天下午三点', wrong: '改天' },
  },
])(
  'in $locale a date is typed in words or picked, in the zone of the school',
  { timeout: 240_000 },
  async ({ locale, colorScheme, width, typed, shown, understood, picked, moment, wrong }) => {
    const say = sayIn(locale)
    const look = { locale, colorScheme, viewport: { width, height: 900 }, now } as const
    const { page, complaints } = await openScreen(
      browser,
      server.url,
      '/offerings?tab=intakes',
      'admin',
      look,
    )
    await page
      .getByRole('button', { name: say('offerings.addBatch') })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: say('offerings.addBatch') })
    const starts = dialog.getByLabel(say('offerings.starts'))
    await starts.fill(typed)
    await dialog.getByText(understood).waitFor()
    await starts.press('Tab')
    await expect.poll(() => starts.inputValue()).toBe(shown)

    // A text that is no date is refused in the field.
    await starts.fill(wrong)
    await dialog.getByText(say('dates.unclear')).waitFor()
    await starts.and(page.locator(':invalid')).waitFor()
    await starts.fill(typed)

    // With the keyboard: the last day of the month, and one more.
    const ends = dialog.getByLabel(say('offerings.ends'))
    await ends.fill('2026-11-30')
    await ends.press('Alt+ArrowDown')
    const calendar = page.getByRole('dialog', { name: say('dates.calendar') })
    await calendar.locator('[data-day="2026-11-30"]').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.evaluate('document.activeElement.dataset.day')).toBe('2026-12-01')
    await takePicture(page, `date-calendar-${colorScheme}`)
    expect(await barriersOn(page)).toEqual([])
    // Today is the school's Thursday.
    expect(await calendar.locator('[aria-current=date]').count()).toBe(0)
    await page.keyboard.press('Enter')
    await calendar.waitFor({ state: 'hidden' })
    await expect.poll(() => ends.inputValue()).toBe(picked)

    await page.goto(`${server.url}/reports`)
    await page.getByLabel(say('finance.asOf')).fill(moment)
    await page.waitForURL(/as_of=2026-11-18T15(:|%3A)00/)
    expect(complaints).toEqual([])
    await page.context().close()
  },
)
