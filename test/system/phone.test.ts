import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffIdOf } from '../../sample/sample-staff.ts'
import { searchOrders } from '../../src/orders/listing/search-orders.ts'
import { listUsers } from '../../src/people/users/list-users.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, goTo, openScreen, settled } from '../harness/console-page.ts'
import { takePicture } from '../harness/hired-page.ts'
import { screensOf } from '../harness/screens.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { type Locale, sayIn } from '../harness/words.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer('first-start')
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const timeout = 600_000
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const inBoth = test.each<Locale>(['en-GB', 'zh-CN'])
const open = (path: string, role: 'admin' | 'counsellor', locale: Locale) =>
  openScreen(browser, server.url, path, role, { ...phone, locale, staff: server.sample.staff })

/** Runs in the page: every visible control with a side below 24 px. A link within a sentence is as high as its line. */
const smallControls = `(() => {
  const controls = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=separator]'
  const isSmall = ({ width, height }) => Math.round(width) < 24 || Math.round(height) < 24
  return [...document.querySelectorAll(controls)].flatMap((each) => {
    const isInSentence = each.matches('p a') && each.closest('p').textContent.trim() !== each.textContent.trim()
    if (isInSentence || !each.checkVisibility({ visibilityProperty: true })) return []
    const { width, height, right } = each.getBoundingClientRect()
    // A screen reader has it alone, or it is off the screen until it has the focus.
    if (right <= 0 || width * height <= 1 && !each.labels?.length) return []
    const boxes = [each, ...(each.labels ?? [])].map((it) => it.getBoundingClientRect())
    return boxes.every(isSmall) ? [each.outerHTML.slice(0, 160) + ' ' + Math.round(width) + '×' + Math.round(height)] : []
  })
})()`

/** Runs in the page: the tables that scroll sideways. */
const wideTables = `[...document.querySelectorAll('main table')].flatMap((table) => {
  const { scrollWidth, clientWidth } = table.closest("section") ?? document.body
  return scrollWidth > clientWidth ? [table.ariaLabel] : []
})`

inBoth(
  'in %s, every control of every screen has 24 px, and no page scrolls sideways',
  { timeout },
  async (locale) => {
    const { page, complaints } = await open('/today', 'admin', locale)
    const faults: unknown[] = []
    for (const { path } of await screensOf(server)) {
      await goTo(page, path)
      const small = await page.evaluate<string[]>(smallControls)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      // Only the grid of a file is as wide as the file.
      const wide = path.startsWith('/leads/import') ? [] : await page.evaluate<string[]>(wideTables)
      if (small.length + wide.length > 0 || width !== 390) faults.push({ path, small, wide, width })
    }
    expect(faults).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

inBoth(
  'in %s, lists are cards: who, the status and the amount, then the rest',
  { timeout },
  async (locale) => {
    const say = sayIn(locale)
    const { page, complaints } = await open('/orders', 'admin', locale)
    const [order] = (await server.call(searchOrders, { corp_id: server.sample.corp_id, page_size: 1 })).data
      .list
    const orders = page.getByRole('region', { name: say('frame.orders') }).getByRole('listitem')
    const text = await orders.first().innerText()
    for (const part of [order.user_name, say(`orderStatus.${order.status}`), order.course_name])
      expect(text).toContain(part)
    const amount = new Intl.NumberFormat(locale).format(order.total_price / 100)
    expect(text).toContain(amount)
    await takePicture(page, `phone-orders-${locale}`)
    expect(await barriersOn(page)).toEqual([])

    await goTo(page, '/leads?tab=duplicates')
    const merge = page.getByRole('button', { name: say('leads.merge'), exact: true }).first()
    const { x, width } = (await merge.boundingBox())!
    expect(x + width).toBeLessThanOrEqual(390)
    await takePicture(page, `phone-duplicates-${locale}`)
    expect(await barriersOn(page)).toEqual([])
    await merge.tap()
    await page.getByRole('dialog').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

inBoth('in %s, a phone sorts and selects its cards', { timeout }, async (locale) => {
  const say = sayIn(locale)
  const { page } = await open('/people', 'admin', locale)
  const people = page.getByRole('region', { name: say('frame.people') }).getByRole('listitem')
  const options = page.getByRole('button', { name: say('table.columns') })
  await options.tap()
  await page.getByRole('button', { name: say('table.descending') }).tap()
  await page.waitForURL(/sort=oldest/)
  await settled(page)
  await page.getByRole('button', { name: say('table.select') }).tap()
  await page.keyboard.press('Escape')
  await people.nth(0).getByRole('checkbox').tap()
  await people.nth(1).getByRole('checkbox').tap()
  await page.getByText(say('table.selected', { count: 2 })).waitFor()
  await page.context().close()
})

inBoth('in %s, a counsellor works a whole day with one thumb', { timeout }, async (locale) => {
  const say = sayIn(locale)
  const { page, complaints } = await open('/today', 'counsellor', locale)
  const tap = async (key: string, place = page.locator('main')) => {
    const named = { name: say(key), exact: true }
    await place.getByRole('button', named).or(place.getByRole('menuitem', named)).first().tap()
    await settled(page)
  }
  const dialog = page.getByRole('dialog').last()
  const choose = async (key: string) => {
    await dialog
      .getByRole('combobox', { name: say(key) })
      .or(dialog.getByRole('textbox', { name: say(key) }))
      .first()
      .tap()
    await page.getByRole('option').first().tap()
    await settled(page)
  }

  // Claims the newest of the public pool.
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: say('frame.leads') })
    .tap()
  await page.getByRole('tab', { name: say('people.pools.public') }).tap()
  await settled(page)
  const pool = page
    .getByRole('region', { name: say('people.pools.public') })
    .getByRole('listitem')
    // Some have no number to call.
    .filter({ hasText: '••' })
  const name = await pool.first().getByRole('button').first().innerText()
  await pool
    .first()
    .getByRole('button', { name: say('people.claim'), exact: true })
    .tap()
  await page.getByText(say('people.claimed', { name })).waitFor()
  const { list } = (await mine()).data
  const claimed = list.find((each: { name: string }) => each.name === name)

  const before = await ordersOf(claimed.user_id)

  // Finds them among the people: calls, logs, tags and orders from the card.
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: say('frame.people') })
    .tap()
  await page.getByRole('searchbox').fill(name)
  await page.waitForURL(/q=/)
  await settled(page)
  const card = page
    .getByRole('region', { name: say('frame.people') })
    .getByRole('listitem')
    .filter({ hasText: name })
    .first()
  await card.getByRole('button', { name: say('record.call'), exact: true }).tap()
  await card.getByRole('link', { name: say('record.call'), exact: true }).waitFor()
  expect(await card.getByRole('link', { name: say('record.call') }).getAttribute('href')).toMatch(
    /^tel:\+\d+$/,
  )
  await takePicture(page, `phone-person-${locale}`)

  const more = async (key: string) => {
    await card.getByRole('button', { name: say('people.actionsFor', { name }) }).tap()
    await tap(key, page.getByRole('menu'))
  }
  await more('record.log')
  await dialog.getByRole('textbox', { name: say('people.followUpContent') }).fill('Asks for the fees')
  await tap('people.addFollowUp', dialog)
  await page.getByText(say('people.followUpAdded')).waitFor()

  await more('people.addTag')
  await choose('people.tag')
  await fillTag(page, say('people.tagValue'))
  await takePicture(page, `phone-tag-${locale}`)
  await tap('people.addTag', dialog)
  await dialog.waitFor({ state: 'hidden' })

  await more('orders.add')
  await choose('fields.course')
  await takePicture(page, `phone-order-${locale}`)
  await tap('orders.create', dialog)
  await page.waitForURL('**/orders/*')
  expect(await ordersOf(claimed.user_id)).toBe(before + 1)
  expect(complaints).toEqual([])
  await page.context().close()
})

const mine = () =>
  server.call(listUsers, {
    corp_id: server.sample.corp_id,
    owner_id: staffIdOf('counsellor'),
    page_size: 1000,
  })
const ordersOf = async (user_id: string): Promise<number> =>
  (await server.call(searchOrders, { corp_id: server.sample.corp_id, user_id })).data.total

/** Groups with a number or a text ask for the value. */
async function fillTag(page: Page, label: string): Promise<void> {
  const value = page.getByRole('dialog').last().getByLabel(label)
  if (await value.count()) await value.first().fill('3')
}
