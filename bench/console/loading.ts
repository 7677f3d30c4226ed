import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../test/harness/browser.ts'
import { type Figure, figure, percentile, tell } from '../report.ts'
import type { Closer } from '../stage.ts'
import type { Site } from './run.ts'

const rounds = 7
const screens = ['people', 'orders', 'leads', 'finance', 'reports', 'settings', 'today']

/** Opens Today and People with an empty cache, and moves between screens: bytes, requests and times. Medians of the rounds. */
export async function measureLoading(site: Site, closers: Closer[]): Promise<Figure[]> {
  const browser = await openBrowser()
  closers.push(() => browser.close())
  const first: Loaded[] = []
  const people: Loaded[] = []
  const moves: number[] = []
  // The first round warms the server up.
  for (let round = 0; round <= rounds; round++) {
    const today = await openFresh(browser, site, 'today')
    const list = await openFresh(browser, site, 'people')
    const moved = await moveBetween(today.page)
    await today.page.context().close()
    await list.page.context().close()
    if (round === 0) continue
    first.push(today)
    people.push(list)
    moves.push(...moved)
  }
  await browser.close()
  tell(`moves between screens: ${moves.length}`)
  const median = (of: Loaded[], member: 'bytes' | 'requests' | 'paintMs') =>
    percentile(
      of.map((each) => each[member]),
      0.5,
    )
  return [
    figure('first load of Today', 'KB received', median(first, 'bytes') / 1024, '≤ 250'),
    figure('first load of Today', 'requests', median(first, 'requests'), '≤ 12'),
    figure('first load of Today', 'ms to the largest paint', median(first, 'paintMs'), null),
    figure('first load of People', 'ms to the largest paint', median(people, 'paintMs'), '≤ 1200'),
    figure('move to another screen', 'ms to its frame, p95', percentile(moves, 0.95), '≤ 100'),
  ]
}

interface Loaded {
  /** Bodies and headers, as received. */
  bytes: number
  requests: number
  /** Largest contentful paint. */
  paintMs: number
}

/** Opens a screen in a browser without a cache. */
async function openFresh(browser: Browser, site: Site, screen: string): Promise<Loaded & { page: Page }> {
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } })
  await context.addCookies([{ name: 'matricula_session', value: site.session, url: site.url }])
  const page = await context.newPage()
  await page.addInitScript(`new PerformanceObserver((list) => { window.largestPaint = list.getEntries().at(-1).startTime })
    .observe({ type: 'largest-contentful-paint', buffered: true })`)
  await page.goto(`${site.url}/${screen}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Until the screen is usable. Afterwards the other screens are loaded ahead.
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
  const [bytes, requests] = (await page.evaluate(`(() => {
    const loaded = performance.getEntries().filter(({ entryType }) => ['resource', 'navigation'].includes(entryType))
    const ahead = performance.getEntriesByName('screens ahead')[0]?.startTime ?? Infinity
    const usable = loaded.filter(({ startTime }) => startTime < ahead)
    return [usable.reduce((sum, { transferSize }) => sum + transferSize, 0), usable.length]
  })()`)) as [number, number]
  return { page, bytes, requests, paintMs: await page.evaluate<number>('window.largestPaint') }
}

/** Milliseconds from a click in the navigation to the frame in which the heading of the screen is drawn. */
async function moveBetween(page: Page): Promise<number[]> {
  await page.waitForLoadState('networkidle')
  const moved: number[] = []
  for (const screen of screens)
    moved.push(
      await page.evaluate<number>(`new Promise((resolve) => {
        const heading = document.querySelector('h1')?.textContent
        const start = performance.now()
        const look = () => {
          const now = document.querySelector('h1')?.textContent
          if (now && now !== heading) resolve(performance.now() - start)
          else requestAnimationFrame(look)
        }
        document.querySelector('nav a[href^="/${screen}"]').click()
        requestAnimationFrame(look)
      })`),
    )
  return moved
}
