import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffIdOf } from '../../sample/sample-staff.ts'
import { searchOrders } from '../../src/orders/listing/search-orders.ts'
import { listCourses } from '../../src/orders/offerings/list-courses.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, goTo, openScreen, settled } from '../harness/console-page.ts'
import { takePicture } from '../harness/hired-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { type Locale, type Say, sayIn } from '../harness/words.ts'

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

const timeout = 180_000
const locales: Locale[] = ['en-GB', 'zh-CN']
const inBoth = test.each(locales)

const head = (page: Page, title: string) => page.getByRole('columnheader', { name: title, exact: true })
const sortBy = async (page: Page, say: Say, title: string) => {
  await page.getByRole('button', { name: say('table.sortBy', { name: title }), exact: true }).press('Enter')
  await settled(page)
}
const column = async (page: Page, title: string): Promise<string[]> => {
  const titles = await page.getByRole('columnheader').evaluateAll(names)
  return page.locator(`main tbody tr > :nth-child(${titles.indexOf(title) + 1})`).allInnerTexts()
}
const names = (heads: Element[]) => heads.map((each) => each.getAttribute('aria-label'))
interface Element {
  getAttribute(name: string): string | null
}

inBoth('in %s, the service sorts a long list by its header, and the address keeps it', async (locale) => {
  const say = sayIn(locale)
  const { page, complaints } = await openScreen(browser, server.url, '/orders', 'admin', { locale })
  const made = say('orders.created')
  expect(await head(page, made).getAttribute('aria-sort')).toBe('descending')
  const newest = await firstOrder('newest')
  const oldest = await firstOrder('oldest')
  const first = () => page.locator('main tbody tr[aria-rowindex="1"]')
  expect(await first().innerText()).toContain(newest.user_name)
  await sortBy(page, say, made)
  expect(await head(page, made).getAttribute('aria-sort')).toBe('ascending')
  expect(new URL(page.url()).searchParams.get('sort')).toBe('oldest')
  await expect.poll(() => first().innerText()).toContain(oldest.user_name)
  // Nothing sorts a long list by its amounts in flat time.
  expect(await head(page, say('orders.price')).getAttribute('aria-sort')).toBeNull()
  await page.reload()
  await settled(page)
  expect(await first().innerText()).toContain(oldest.user_name)
  expect(complaints).toEqual([])
  await page.context().close()
})

const firstOrder = async (sort: string) =>
  (await server.call(searchOrders, { corp_id: server.sample.corp_id, sort, page_size: 1 })).data.list[0]

inBoth('in %s, the browser sorts a whole list by value and by key, up, down and back', async (locale) => {
  const say = sayIn(locale)
  const { page, complaints } = await openScreen(browser, server.url, '/offerings', 'admin', { locale })
  const { list } = (await server.call(listCourses, { corp_id: server.sample.corp_id })).data
  const price = say('fields.listPrice')
  const usual = await column(page, price)
  expect(usual.length).toBe(list.length)
  const amounts = async () => {
    const shown = await page.locator('main tbody tr').allInnerTexts()
    return shown.map(
      (text) =>
        list.find(({ course_code }: { course_code: string }) => text.includes(course_code)).listed_price,
    )
  }
  const [before] = [await amounts()]
  await sortBy(page, say, price)
  expect(await head(page, price).getAttribute('aria-sort')).toBe('descending')
  expect(await amounts()).toEqual(before.toSorted((a: number, b: number) => b - a))
  await sortBy(page, say, price)
  expect(await head(page, price).getAttribute('aria-sort')).toBe('ascending')
  expect(await amounts()).toEqual(before.toSorted((a: number, b: number) => a - b))
  await takePicture(page, `tables-sorted-${locale}`)
  expect(await barriersOn(page)).toEqual([])
  await sortBy(page, say, price)
  expect(await head(page, price).getAttribute('aria-sort')).toBe('none')
  expect(await column(page, price)).toEqual(usual)
  expect(complaints).toEqual([])
  await page.context().close()
})

inBoth(
  'in %s, a column is widened by mouse or key, keeps its width, and fits again',
  { timeout },
  async (locale) => {
    const say = sayIn(locale)
    const { page, complaints } = await openScreen(browser, server.url, '/people', 'admin', { locale })
    const title = say('people.mobile')
    const edge = () =>
      page.getByRole('separator', { name: say('table.widthOf', { name: title }), exact: true })
    const width = async () => Math.round((await head(page, title).boundingBox())!.width)
    const fitted = await width()
    const { x, y, height } = (await edge().boundingBox())!
    await page.mouse.move(x + 4, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + 104, y + height / 2, { steps: 5 })
    await page.mouse.up()
    await expect.poll(width).toBe(fitted + 100)
    await edge().press('ArrowLeft')
    await expect.poll(width).toBe(fitted + 84)
    await page.reload()
    await settled(page)
    expect(await width()).toBe(fitted + 84)
    await edge().dblclick()
    await expect.poll(width).toBe(fitted)
    // Narrower than its content.
    await edge().press('ArrowLeft')
    await expect.poll(width).toBe(fitted - 16)
    await edge().press('Enter')
    await expect.poll(width).toBe(fitted)
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

inBoth(
  'in %s, chips name the filters that are set; each is removed by itself, or all at once',
  async (locale) => {
    const say = sayIn(locale)
    const owner = staffIdOf('counsellor')
    const path = `/people?pool=alive&owner_id=${owner}&start_date=2020-01-02`
    const { page, complaints } = await openScreen(browser, server.url, path, 'admin', { locale })
    const chip = (label: string) =>
      page.getByRole('button', { name: new RegExp(`^${say('filters.remove')} ${say(label)}: `) })
    expect(await chip('people.pool').innerText()).toContain(say('people.pools.alive'))
    expect(await chip('fields.adviser').innerText()).not.toContain(owner)
    expect(await chip('people.from').innerText()).toMatch(/2 Jan 2020|2020年1月2日/)
    await takePicture(page, `tables-chips-${locale}`)
    expect(await barriersOn(page)).toEqual([])
    await chip('fields.adviser').click()
    await settled(page)
    expect(searchOf(page)).toEqual({ pool: 'alive', start_date: '2020-01-02' })
    expect(await chip('fields.adviser').count()).toBe(0)
    await page.getByRole('button', { name: say('filters.clear'), exact: true }).click()
    await settled(page)
    expect(searchOf(page)).toEqual({})
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

inBoth(
  'in %s, rows of the previous filter are busy until those of the new one arrive, and are not selected as a whole',
  async (locale) => {
    const say = sayIn(locale)
    const { page, complaints } = await openScreen(browser, server.url, '/people', 'admin', { locale })
    const answered = Promise.withResolvers<void>()
    await page.route(
      ({ pathname, searchParams }) => pathname.startsWith('/api/') && searchParams.get('pool') === 'public',
      async (route) => {
        await answered.promise
        await route.fallback()
      },
    )
    const list = page.getByRole('region', { name: say('frame.people') })
    const rows = () => list.locator('tbody tr[aria-rowindex]').allInnerTexts()
    const before = await rows()
    await page.getByRole('button', { name: say('people.pools.public'), exact: true }).click()
    await page.waitForURL('**/people?pool=public')
    await list.locator('table[aria-busy=true]').waitFor()
    const all = page.getByRole('checkbox', { name: say('table.selectAll') })
    expect([await rows(), await all.isDisabled()]).toEqual([before, true])
    answered.resolve()
    await list.locator('table[aria-busy=false]').waitFor()
    expect(await rows()).not.toEqual(before)
    await expect.poll(() => all.isEnabled()).toBe(true)
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

inBoth('in %s, rows are compact in all tables once one is, also tomorrow', async (locale) => {
  const say = sayIn(locale)
  const { page } = await openScreen(browser, server.url, '/people', 'finance', { locale })
  const height = async () =>
    (await page.locator('main tbody tr[aria-rowindex]').first().boundingBox())!.height
  const comfortable = await height()
  await page.getByRole('button', { name: say('table.columns') }).click()
  await page.getByText(say('table.densities.compact'), { exact: true }).click()
  await expect.poll(height).toBeLessThan(comfortable - 4)
  await settled(page)
  const compact = await height()
  await page.keyboard.press('Escape')
  await goTo(page, '/orders')
  expect(await height()).toBe(compact)
  await page.reload()
  await settled(page)
  expect(await height()).toBe(compact)
  await page.context().close()
})

inBoth('in %s, the first column stays while a table scrolls sideways', async (locale) => {
  const viewport = { width: 800, height: 700 }
  const { page } = await openScreen(browser, server.url, '/people', 'admin', { locale, viewport })
  const name = page.locator('main tbody tr[aria-rowindex="1"] td').nth(1)
  const { x } = (await name.boundingBox())!
  const moved = await page.evaluate(`(() => {
    const list = document.querySelector('main section:has(table)')
    list.scrollLeft = 300
    return list.scrollLeft
  })()`)
  expect(moved).toBeGreaterThan(50)
  expect((await name.boundingBox())!.x).toBe(x)
  expect(await page.evaluate(isFirstCellOnTop)).toBe(true)
  await takePicture(page, `tables-sticky-${locale}`)
  await page.context().close()
})

/** Runs in the page: whether nothing covers the middle of the name in the first row. */
const isFirstCellOnTop = `(() => {
  const cell = document.querySelector('main tbody tr[aria-rowindex="1"] td:nth-child(2)')
  const { x, y, width, height } = cell.getBoundingClientRect()
  return cell.contains(document.elementFromPoint(x + width / 2, y + height / 2))
})()`

inBoth('in %s, zero is a dash in tables of figures', async (locale) => {
  const say = sayIn(locale)
  const { page } = await openScreen(browser, server.url, '/orders?status=success', 'admin', { locale })
  const unpaid = (await column(page, say('orders.unpaid'))).map((text) => text.trim())
  expect(unpaid.length).toBeGreaterThan(3)
  expect(new Set(unpaid)).toEqual(new Set(['–']))
  await goTo(page, '/reports?tab=ageing')
  const figures = await page.locator('main tbody td').allInnerTexts()
  expect(figures.filter((text) => /^\D*0\.00$/.test(text.trim()))).toEqual([])
  await page.context().close()
})

test('below debts by age, each currency has the sum of its rows', async () => {
  const { page } = await openScreen(browser, server.url, '/finance?tab=ageing', 'finance')
  const textsOf = (rows: string) =>
    page.evaluate<string[][]>(
      `Array.from(document.querySelectorAll('${rows}'), ({ cells }) => Array.from(cells, (cell) => cell.innerText.trim()))`,
    )
  const amountOf = (text = '') => Number(text.replace(/[^\d.]/g, ''))
  const symbolOf = (text = '') => text.replace(/[\d.,]/g, '')
  const rows = await textsOf('main tbody tr')
  const totals = await textsOf('main tfoot tr')
  expect(totals.length).toBeGreaterThan(1)
  const sums = Map.groupBy(rows, ([, , , outstanding]) => symbolOf(outstanding))
  expect(sums.size).toBe(totals.length)
  // An order with two advisers counts in the rows of both; its amounts are shared.
  for (const [, , ...amounts] of totals) {
    const ofCurrency = sums.get(symbolOf(amounts[0]))!
    const sumOf = (n: number) => ofCurrency.reduce((sum, row) => sum + amountOf(row[n + 3]), 0)
    for (const [n, amount] of amounts.entries()) expect(sumOf(n)).toBeCloseTo(amountOf(amount), 2)
  }
  await page.context().close()
})

inBoth('in %s, lists and reports name courses, with the code on hover', async (locale) => {
  const { page } = await openScreen(browser, server.url, '/orders', 'admin', { locale })
  const { list } = (await server.call(listCourses, { corp_id: server.sample.corp_id })).data
  const codes = list.map(({ course_code }: { course_code: string }) => course_code)
  for (const path of [
    '/people',
    '/leads',
    '/leads?tab=pool',
    '/orders',
    '/reports?tab=ageing',
    '/finance?tab=ageing',
  ]) {
    await goTo(page, path)
    const cells = await page.locator('main tbody td').allInnerTexts()
    expect([path, cells.filter((text) => codes.includes(text.trim()))]).toEqual([path, []])
    const hovered = await page.locator('main tbody td [title]').evaluateAll(titles)
    expect([path, hovered.some((title) => codes.includes(title.split(' · ').at(-1)!))]).toEqual([path, true])
  }
  await page.context().close()
})

const titles = (marked: Element[]) => marked.map((each) => each.getAttribute('title') ?? '')
