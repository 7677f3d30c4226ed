import type { Browser, CDPSession, Page } from 'playwright-core'
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
  const still = await context.newPage()
  await still.setContent(stillTable)
  const { perSecond: most } = await framesOf(browser, still, await context.newCDPSession(still))
  tell(`a table of plain HTML: ${most.toFixed(1)} frames/s`)
  const figures: Figure[] = []
  for (const screen of ['people', 'orders']) {
    const page = await context.newPage()
    await page.goto(`${site.url}/${screen}`)
    await page.locator('tbody tr').nth(20).waitFor()
    await page.waitForLoadState('networkidle')
    const cdp = await context.newCDPSession(page)
    const { perSecond, gaps, dropped } = await framesOf(browser, page, cdp)
    const work = `/${screen}, scrolled`
    figures.push(
      figure(work, 'frames/s', perSecond, null),
      figure(work, 'frames/s / those of plain HTML', perSecond / most, '≥ 0.95'),
      figure(work, 'ms between frames, p95', percentile(gaps, 0.95), null),
      figure(work, 'frames dropped, %', (100 * dropped) / (gaps.length + 1 + dropped), null),
      ...(await memoryOf(screen, page, cdp)),
    )
    await page.close()
  }
  await browser.close()
  return figures
}

/** The frame rate of a plain HTML list on this machine. */
const stillTable = `<style>section { height: 700px; overflow: auto } td { padding: 8px 20px }</style>
  <main><section><table><tbody>${`<tr>${'<td>Some text</td>'.repeat(9)}</tr>`.repeat(100)}</tbody></table></section></main>`

interface Frames {
  perSecond: number
  /** In milliseconds. */
  gaps: number[]
  dropped: number
}

/** Frames that are drawn while the list of a page is scrolled, by the trace of the browser. */
async function framesOf(browser: Browser, page: Page, cdp: CDPSession): Promise<Frames> {
  const list = page.locator('main section').filter({ has: page.locator('table') })
  const box = (await list.boundingBox())!
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await scroll(cdp, middle, 1)
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline.frame'] })
  await scroll(cdp, middle, timesScrolled)
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const named = (wanted: string) => trace.traceEvents.filter(({ name }) => name === wanted)
  const at = named('DrawFrame').map(({ ts }) => ts / 1000)
  at.sort((a, b) => a - b)
  const gaps = at.slice(1).map((time, index) => time - at[index]!)
  return {
    perSecond: (gaps.length * 1000) / (at.at(-1)! - at[0]!),
    gaps,
    dropped: named('DroppedFrame').length,
  }
}

/** Scrolls to the end of the page and back, as fast as a person who looks for a name. */
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

/** The heap of a page after paging through its list, compared with before. */
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
