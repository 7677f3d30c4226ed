import type { CDPSession, Page } from 'playwright-core'
import { openBrowser } from '../../test/harness/browser.ts'
import { type Figure, figure, percentile, tell } from '../report.ts'
import type { Closer } from '../stage.ts'
import type { Site } from './run.ts'

const timesScrolled = 3
const pagesTurned = 60

/** Scrolls lists in a browser, and turns their pages: how many frames it draws, and what stays in memory. */
export async function measureScrolling(site: Site, closers: Closer[]): Promise<Figure[]> {
  const browser = await openBrowser()
  closers.push(() => browser.close())
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } })
  await context.addCookies([{ name: 'matricula_session', value: site.session, url: site.url }])
  const figures: Figure[] = []
  for (const screen of ['people', 'orders']) {
    const page = await context.newPage()
    await page.goto(`${site.url}/${screen}`)
    await page.locator('tbody tr').nth(20).waitFor()
    await page.waitForLoadState('networkidle')
    const list = page.locator('main section').filter({ has: page.locator('table') })
    const box = (await list.boundingBox())!
    const cdp = await context.newCDPSession(page)
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    await scroll(cdp, middle, 1)
    await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline.frame'] })
    await scroll(cdp, middle, timesScrolled)
    const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
    figures.push(...framesIn(screen, trace.traceEvents), ...(await memoryOf(screen, page, cdp)))
    await page.close()
  }
  await browser.close()
  return figures
}

/** To the end of the page and back, as fast as somebody who looks for a name. */
async function scroll(cdp: CDPSession, middle: { x: number; y: number }, times: number): Promise<void> {
  for (let n = 0; n < times; n++)
    for (const yDistance of [-1000, 1000])
      await cdp.send('Input.synthesizeScrollGesture', { ...middle, yDistance, speed: 1000 })
}

interface TraceEvent {
  name: string
  ph: string
  /** Microseconds. */
  ts: number
}

/** Frames that were drawn while something moved, by the trace of the browser. */
function framesIn(screen: string, events: TraceEvent[]): Figure[] {
  const at = events.filter(({ name }) => name === 'DrawFrame').map(({ ts }) => ts / 1000)
  at.sort((a, b) => a - b)
  const gaps = at.slice(1).map((time, index) => time - at[index]!)
  const perSecond = (gaps.length * 1000) / (at.at(-1)! - at[0]!)
  const dropped = events.filter(({ name }) => name === 'DroppedFrame').length
  tell(
    `/${screen}: ${at.length} frames drawn, ${dropped} dropped, longest gap ${Math.max(...gaps).toFixed(0)} ms`,
  )
  return [
    figure(`/${screen}, scrolled`, 'frames/s', perSecond, '≥ 58'),
    figure(`/${screen}, scrolled`, 'ms between frames, p95', percentile(gaps, 0.95), null),
    figure(`/${screen}, scrolled`, 'frames dropped, %', (100 * dropped) / (at.length + dropped), null),
  ]
}

/** What a page holds after its list was turned through, against before. */
async function memoryOf(screen: string, page: Page, cdp: CDPSession): Promise<Figure[]> {
  await turnPages(page, 10)
  const before = await heapMb(cdp)
  await turnPages(page, pagesTurned)
  const after = await heapMb(cdp)
  tell(`/${screen}: heap ${before.toFixed(1)} MB, after ${pagesTurned} pages ${after.toFixed(1)} MB`)
  return [
    figure(`/${screen}, ${pagesTurned} pages turned`, 'MB of heap', after, null),
    figure(`/${screen}, ${pagesTurned} pages turned`, 'heap after / before', after / before, '≤ 1.2'),
  ]
}

async function turnPages(page: Page, pages: number): Promise<void> {
  const next = page.locator('main nav button, main [class*=Pagination] button').last()
  for (let n = 0; n < pages; n++) {
    const answered = page.waitForResponse(/\/(user\/list|order\/search)\?/)
    await next.click()
    await answered
  }
}

async function heapMb(cdp: CDPSession): Promise<number> {
  await cdp.send('Performance.enable')
  await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value / 2 ** 20
}
