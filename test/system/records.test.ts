import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffIdOf } from '../../sample/sample-staff.ts'
import { searchOrders } from '../../src/orders/listing/search-orders.ts'
import { listUsers } from '../../src/people/users/list-users.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn, openScreen, settled } from '../harness/console-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { sayIn } from '../harness/words.ts'

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

const { MATRICULA_PICTURES: pictures } = process.env
const takePicture = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` })
}
/** Not the grey bars of a list that is loading. */
const rows = (page: Page) => page.locator('tbody tr[aria-rowindex]')
const title = (page: Page) => page.getByRole('heading', { level: 1 })
const sayings = {
  'en-GB': { next: 'Next', previous: 'Previous', call: 'Call', calls: 'Calls and leads', people: 'People' },
  'zh-CN': { next: '下一条', previous: '上一条', call: '拨打电话', calls: '跟进与线索', people: '客户' },
} as const

test.each(['en-GB', 'zh-CN'] as const)(
  'a person has a page with neighbours, a call, and a timeline (%s)',
  async (locale) => {
    const say = sayings[locale]
    const { page, complaints } = await openScreen(browser, server.url, '/people?pool=alive', 'admin', {
      locale,
    })
    // A second click within the first one opens the page.
    await rows(page).nth(1).dblclick()
    await page.waitForURL(/\/people\/\w+$/)
    await settled(page)
    const second = await title(page).textContent()
    await page.keyboard.press('k')
    await expect.poll(() => title(page).textContent()).not.toBe(second)
    await expect.poll(() => page.getByRole('button', { name: say.previous }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: say.next }).click()
    await expect.poll(() => title(page).textContent()).toBe(second)

    await page.getByRole('button', { name: say.call, exact: true }).click()
    await page.getByRole('link', { name: say.call, exact: true }).waitFor()
    const address = await page.getByRole('link', { name: say.call, exact: true }).getAttribute('href')
    expect(address).toMatch(/^tel:\+\d{8,}$/)
    await page.getByText(say.calls, { exact: true }).click()
    await settled(page)
    await takePicture(page, `record-person-${locale}`)
    expect(await barriersOn(page)).toEqual([])
    await page.getByRole('main').getByRole('link', { name: say.people, exact: true }).click()
    await page.waitForURL('**/people?pool=alive')
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

test('Enter opens the page of a row; next continues beyond the end of a list page', async () => {
  const { page } = await openScreen(browser, server.url, '/orders', 'viewer')
  for (const key of ['j', 'Enter']) await page.keyboard.press(key)
  await page.waitForURL(/\/orders\/\w+$/)
  await page.goBack()
  await rows(page).nth(3).waitFor()
  await rows(page).nth(3).click()
  await page.waitForURL(/open=\w+/)
  // The drawer leaves the header free.
  const drawer = await page.getByRole('dialog').boundingBox()
  const header = await page.getByRole('banner').first().boundingBox()
  expect(drawer!.y).toBeGreaterThanOrEqual(header!.y + header!.height - 1)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/orders\/\w+$/)
  await settled(page)
  const { list } = (
    await server.call(searchOrders, { corp_id: server.sample.corp_id, page: 1, page_size: 50 })
  ).data
  for (let place = 4; place <= 50; place++) await page.keyboard.press('j')
  await page.waitForURL(`**/orders/${list[0].order_id}`)
  await page.getByText(/^51 of /).waitFor()
  await page.context().close()
})

test('a follow-up is logged from the top of the page, and its notice covers no control', async () => {
  const filter = { corp_id: server.sample.corp_id, owner_id: staffIdOf('counsellor') }
  const [person] = (await server.call(listUsers, filter)).data.list
  const viewport = { width: 1440, height: 900 }
  const { page } = await openScreen(browser, server.url, `/people/${person.user_id}`, 'counsellor', {
    viewport,
  })
  await page.getByRole('button', { name: 'Log a follow-up' }).click()
  await page.keyboard.type('Comes on Friday')
  const add = page.getByRole('button', { name: 'Add follow-up' })
  // Without scrolling.
  expect((await add.boundingBox())!.y).toBeLessThan(viewport.height)
  await add.click()
  const toast = page.getByRole('alert').filter({ hasText: 'Follow-up added.' })
  await toast.waitFor()
  await settled(page)
  const box = (await toast.boundingBox())!
  const main = (await page.getByRole('main').boundingBox())!
  const content =
    main.x +
    Number.parseFloat(await page.evaluate(`getComputedStyle(document.querySelector('main')).paddingLeft`))
  expect(box.x + box.width).toBeLessThanOrEqual(content)
  await page.getByRole('list').getByText('Comes on Friday').waitFor()
  await page.context().close()
})

const anOrder = async () => {
  const { list } = (await server.call(searchOrders, { corp_id: server.sample.corp_id, page_size: 1 })).data
  return list[0].order_id
}

test.each(['en-GB', 'zh-CN'] as const)(
  'the link of a record is copied by a button and by C (%s)',
  async (locale) => {
    const say = sayIn(locale)
    const id = await anOrder()
    const { page } = await openScreen(browser, server.url, `/orders?open=${id}`, 'finance', { locale })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate('navigator.clipboard.readText()')
    const said = (text: string) => page.getByRole('alert').filter({ hasText: text })
    const link = `${server.url}/orders/${id}`
    await page.keyboard.press('c')
    await said(say('record.linkCopied')).waitFor()
    expect(await copied()).toBe(link)

    await page.evaluate(`navigator.clipboard.writeText('')`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/orders\/\w+$/)
    await page.getByRole('button', { name: say('record.copyLink') }).click()
    await expect.poll(copied).toBe(link)

    // As in a browser without HTTPS.
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
    await page.keyboard.press('c')
    await said(say('record.linkNotCopied', { link })).waitFor()
    await page.context().close()
  },
)

test.each(['en-GB', 'zh-CN'] as const)(
  'the command search offers the possible actions of the open record (%s)',
  async (locale) => {
    const say = sayIn(locale)
    const { page, complaints } = await openScreen(
      browser,
      server.url,
      `/orders/${await anOrder()}`,
      'finance',
      {
        locale,
      },
    )
    const actions = page.getByRole('dialog').last().getByRole('button')
    await page.keyboard.press('Control+k')
    await actions.filter({ hasText: say('record.copyLink') }).waitFor()
    await page.keyboard.type(say('orders.addRemark'))
    await expect.poll(() => actions.first().textContent()).toBe(say('orders.addRemark'))
    await page.keyboard.press('Enter')
    const remark = page.getByRole('dialog', { name: say('orders.addRemark') })
    await remark.getByRole('textbox').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await remark.waitFor({ state: 'hidden' })

    // No record is open on a list.
    await page
      .getByRole('main')
      .getByRole('link', { name: say('frame.orders') })
      .click()
    await settled(page)
    await page.keyboard.press('Control+k')
    await actions.filter({ hasText: say('frame.reports') }).waitFor()
    expect(await actions.filter({ hasText: say('record.copyLink') }).count()).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

test('the command search moves the focus to the follow-up of the open person', async () => {
  const filter = { corp_id: server.sample.corp_id, owner_id: staffIdOf('counsellor') }
  const [person] = (await server.call(listUsers, filter)).data.list
  const { page } = await openScreen(browser, server.url, `/people/${person.user_id}`, 'counsellor')
  await page.getByRole('button', { name: 'Log a follow-up' }).focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Log a')
  const action = page.getByRole('dialog').last().getByRole('button').filter({ hasText: 'Log a follow-up' })
  await action.click()
  await action.waitFor({ state: 'hidden' })
  await page.locator('textarea:focus').waitFor()
  await page.context().close()
})

test.each(['en-GB', 'zh-CN'] as const)('a dialog asks before it discards input (%s)', async (locale) => {
  const say = sayIn(locale)
  const { page } = await openScreen(browser, server.url, `/orders/${await anOrder()}`, 'finance', { locale })
  const dialog = page.getByRole('dialog', { name: say('orders.addRemark') })
  const field = dialog.getByRole('textbox')
  const press = (name: string) => dialog.getByRole('button', { name: say(name), exact: true }).click()
  const open = () => page.getByRole('button', { name: say('orders.addRemark') }).click()
  await open()
  await field.fill('Her mother pays')
  for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 400)]) {
    await leave()
    await dialog.getByRole('alert').getByText(say('unsaved.question')).waitFor()
    expect(await barriersOn(page)).toEqual([])
    await press('unsaved.keep')
    expect(await field.and(page.locator(':focus')).inputValue()).toBe('Her mother pays')
  }
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  expect((await asked).type()).toBe('beforeunload')
  await (await asked).dismiss()

  await page.keyboard.press('Escape')
  await press('unsaved.discard')
  await dialog.waitFor({ state: 'hidden' })
  // Cancel is pressed on purpose, and a dialog without input has nothing to lose.
  await open()
  await field.fill('Her father pays')
  await press('common.cancel')
  await dialog.waitFor({ state: 'hidden' })
  await open()
  await expect.poll(() => field.inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.context().close()
})
