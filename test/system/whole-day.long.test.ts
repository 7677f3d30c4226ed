import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { confirmationMs } from '../../src/access/staff/sessions.ts'
import { fetchOrder } from '../../src/orders/listing/fetch-order.ts'
import { searchOrders } from '../../src/orders/listing/search-orders.ts'
import { upsertCourse } from '../../src/orders/offerings/upsert-course.ts'
import { createTagGroup } from '../../src/people/tag-groups/change-tag-groups.ts'
import { listUsers } from '../../src/people/users/list-users.ts'
import { openBrowser } from '../harness/browser.ts'
import { openConsole } from '../harness/console-page.ts'
import { openOrganization, type TestOrganization } from '../harness/organization.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { hire, password } from '../harness/staff.ts'
import { type Locale, type Say, sayIn } from '../harness/words.ts'

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

/** A thousand leads. Ten have invalid numbers of two kinds. */
function leadFile(): { name: string; mimeType: string; buffer: Buffer } {
  const faulty = (n: number) => (n % 200 === 99 ? '' : '138')
  const lines = Array.from(
    { length: 1000 },
    (_, n) => `王${n},${n % 100 === 99 ? faulty(n) : 13_900_000_000 + n},EMBA,fair`,
  )
  const text = ['姓名,手机,课程,utm_source', ...lines].join('\n')
  return { name: 'fair.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
}
const mendedNumber = (n: number) => String(13_700_000_000 + n)

/** Amounts of a screen, in minor units: a figure and the rows below it are read the same way. */
const minorUnits = (text: string) => Math.round(Number(text.replace('−', '-').replace(/[^\d.-]/g, '')) * 100)

describe.each(['en-GB', 'zh-CN'] as const)('in %s', (locale) => {
  const say = sayIn(locale)

  test('a school does its whole day in the console', { timeout: 600_000 }, async () => {
    const school = await openOrganization(server, 'Asia/Shanghai')
    await school.call(upsertCourse, {
      ...{ course_code: 'EMBA', name: 'Executive MBA', currency: 'CNY', listed_price: 30_000 },
    })
    await school.call(createTagGroup, {
      ...{
        name: 'GMAT',
        variable_name: 'gmat',
        attribute: 'number',
        category: 'tests',
        description: 'As told',
      },
    })
    const counsellor = await signIn(school, 'counsellor', locale, say)
    await importLeads(counsellor.page, school, say)
    await workWithLead(counsellor.page, say)
    const orderId = await enrol(counsellor.page, school, say, mendedNumber(0))
    const otherId = await enrol(counsellor.page, school, say, mendedNumber(1))
    expect(counsellor.complaints).toEqual([])
    await signOut(counsellor.page, 'A counsellor', say)

    // After that long, the session must be confirmed again before money is paid out.
    server.setNow(new Date(Date.now() - confirmationMs - 60_000))
    const clerk = await signIn(school, 'finance', locale, say)
    server.setNow(undefined)
    await moveMoney(clerk.page, school, say, orderId, otherId)
    await closeMonth(clerk.page, say)
    await exportPayments(clerk.page, say)
    await readNumber(clerk.page, say)
    // The request for a confirmation is a 403, which the browser logs.
    expect(clerk.complaints.filter((text) => !text.includes('403'))).toEqual([])
    await signOut(clerk.page, 'A finance', say)
  })
})

async function signIn(
  { corp_id }: TestOrganization,
  role: 'counsellor' | 'finance',
  locale: Locale,
  say: Say,
): ReturnType<typeof openConsole> {
  const { email } = await hire(server, role, corp_id)
  const viewport = { width: 1280, height: 900 }
  const opened = await openConsole(browser, server.url, { locale, viewport })
  const { page } = opened
  page.setDefaultTimeout(60_000)
  await page.getByLabel(say('fields.email')).fill(email)
  await page.getByLabel(say('signIn.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: say('signIn.title'), exact: true }).click()
  await page.getByRole('heading', { level: 1, name: say('frame.today') }).waitFor()
  return opened
}

async function signOut(page: Page, name: string, say: Say): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('menuitem', { name: say('frame.signOut'), exact: true }).click()
  await page.getByRole('heading', { level: 1, name: say('signIn.title') }).waitFor()
  await page.context().close()
}

async function goTo(page: Page, say: Say, place: string): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('link', { name: say(`frame.${place}`) })
    .click()
  await page.getByRole('heading', { level: 1, name: say(`frame.${place}`) }).waitFor()
}

const dialog = (page: Page) => page.getByRole('dialog').last()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const confirm = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

async function choose(page: Page, label: string, option: string): Promise<void> {
  await dialog(page).getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).first().click()
}

/** Imports a thousand leads, corrects and imports the faulty rows, and undoes the first import. */
async function importLeads(page: Page, school: TestOrganization, say: Say): Promise<void> {
  const people = async () => (await school.call(listUsers)).data.total
  await goTo(page, say, 'leads')
  await page.getByRole('link', { name: say('leads.import') }).click()
  await page.locator('input[type=file]').setInputFiles(leadFile())
  await page.getByText(say('leadImport.counted.new_user', { count: 990 })).waitFor()
  await page.getByText(say('leadImport.counted.reject', { count: 10 })).waitFor()
  const address = page.url()
  expect(await people()).toBe(0)

  // After leaving, it is listed among the waiting items.
  await goTo(page, say, 'today')
  await page.getByText('fair.csv').first().click()
  await press(page, say('leadImport.commit', { count: 990 }))
  await page.getByRole('heading', { name: say('leadImport.resultTitle') }).waitFor()
  expect(await people()).toBe(990)

  await press(page, say('leadImport.fix', { count: 10 }))
  const [before, after] = say('leadImport.cellOf', { row: '#', header: '手机' }).split('#')
  const faulty = page.getByRole('textbox', { name: new RegExp(`^${before}\\d+${after}$`) })
  await faulty.nth(9).waitFor()
  for (let n = 0; n < 10; n++) await faulty.nth(n).fill(mendedNumber(n))
  await press(page, say('leadImport.importFixed', { count: 10 }))
  await press(page, say('leadImport.commit', { count: 10 }))
  await page.getByRole('heading', { name: say('leadImport.resultTitle') }).waitFor()
  expect(await people()).toBe(1000)

  await page.goto(address)
  await press(page, say('leadImport.undo'))
  await confirm(page, say('leadImport.undo'))
  const taken = say('leadImport.undone', { leads: '#', people: 0, restored: 0, left: 0 }).split('#')[0]!
  await page.getByRole('status').getByText(taken).waitFor()
  expect(await people()).toBe(10)
}

/** Claims a person, logs a follow-up, and assigns a tag. */
async function workWithLead(page: Page, say: Say): Promise<void> {
  await goTo(page, say, 'leads')
  await page.getByRole('tab', { name: say('people.pools.public') }).click()
  const rows = page.getByRole('region', { name: say('people.pools.public') }).locator('tbody tr')
  await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(10)
  await rows
    .first()
    .getByRole('button', { name: say('people.claim') })
    .click()
  // The position of the name depends on the language.
  const claimed = say('people.claimed', { name: '#' }).replace('.', '\\.').replace('#', '.+')
  await page.getByText(new RegExp(claimed)).first().waitFor()

  await goTo(page, say, 'people')
  await press(page, say('people.mine'))
  const mine = page.getByRole('region', { name: say('frame.people') }).locator('tbody tr')
  await expect.poll(() => mine.count(), { timeout: 30_000 }).toBe(1)
  await mine.first().click()
  await page.waitForURL(/\/people\/\w+/)
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('textbox', { name: say('people.followUpContent') }).fill('Wants to visit 想来参观')
  await drawer.getByRole('button', { name: say('people.addFollowUp') }).click()
  await drawer.getByText('Wants to visit 想来参观').waitFor()
  await drawer.getByRole('button', { name: say('people.addTag'), exact: true }).click()
  await choose(page, say('people.tag'), 'GMAT')
  await dialog(page).getByLabel(say('people.tagValue')).fill('710')
  await confirm(page, say('people.addTag'))
  await drawer
    .getByText(say('people.tagIs', { name: 'GMAT', value: '710' }))
    .first()
    .waitFor()
  await drawer.getByRole('button', { name: say('common.close'), exact: true }).click()
  await drawer.waitFor({ state: 'hidden' })
}

/** An order of three instalments, whose plan is shown before its creation. */
async function enrol(page: Page, school: TestOrganization, say: Say, mobile: string): Promise<string> {
  const orders = async () => (await school.call(searchOrders)).data.total
  const before = await orders()
  await goTo(page, say, 'orders')
  await page
    .getByRole('button', { name: say('orders.add') })
    .first()
    .click()
  await dialog(page).getByLabel(say('orders.person')).fill(mobile)
  await page.getByRole('option').first().click()
  await choose(page, say('fields.course'), 'Executive MBA')
  await dialog(page).getByLabel(say('orders.instalmentCount')).fill('3')
  await dialog(page).getByLabel(say('orders.firstDueDate')).fill('2037-01-31')
  await dialog(page)
    .getByText(say('orders.instalment', { number: 3 }))
    .waitFor()
  expect(await orders()).toBe(before)
  await confirm(page, say('orders.create'))
  await page.waitForURL('**/orders/*')
  const order_id = new URL(page.url()).pathname.split('/').at(-1)!
  const { data } = await school.call(fetchOrder, { order_id })
  expect(data).toMatchObject({ total_price: 30_000, installment_count: 3, paid_price: 0 })
  await dialog(page)
    .getByRole('button', { name: say('common.close'), exact: true })
    .click()
  await page.waitForURL(/\/orders$/)
  return order_id
}

/** Pays twice, voids one after the password was entered again, refunds, and transfers. */
async function moveMoney(
  page: Page,
  school: TestOrganization,
  say: Say,
  order_id: string,
  to_order_id: string,
): Promise<void> {
  const money = async (id = order_id) => {
    const { paid_price, post_refund_price } = (await school.call(fetchOrder, { order_id: id })).data
    return { paid: paid_price, held: post_refund_price }
  }
  const willHappen = () => dialog(page).getByRole('table', { name: say('orders.preview') })
  await page.goto(`${server.url}/orders/${order_id}`)
  for (const [amount, paid] of [
    ['100', 10_000],
    ['50', 15_000],
  ] as const) {
    await press(page, say('orders.pay'))
    await dialog(page).getByLabel(say('fields.amount')).fill(amount)
    await willHappen()
      .getByText(`${paid / 100}.00`)
      .first()
      .waitFor()
    await confirm(page, say('orders.pay'))
    await page.getByRole('dialog', { name: say('orders.pay') }).waitFor({ state: 'hidden' })
    expect(await money()).toEqual({ paid, held: paid })
  }

  const voids = page.getByRole('button', { name: say('orders.void'), exact: true })
  await expect.poll(() => voids.count(), { timeout: 30_000 }).toBe(2)
  const row = page.getByRole('row').filter({ has: voids }).filter({ hasText: '50.00' })
  await row.getByRole('button', { name: say('orders.void'), exact: true }).click()
  await dialog(page).getByLabel(say('fields.reason')).fill('Bounced 退票')
  await willHappen().waitFor()
  await confirm(page, say('orders.voidPayment'))
  const asked = page.getByRole('dialog', { name: say('confirmation.title') })
  await asked.locator('input[type=password]').fill(password)
  expect(await money()).toEqual({ paid: 15_000, held: 15_000 })
  await asked.getByRole('button', { name: say('confirmation.submit') }).click()
  await page.getByText(say('orders.voidDone')).waitFor()
  expect(await money()).toEqual({ paid: 10_000, held: 10_000 })
  // The refund proposes the held amount of the page.
  await expect.poll(() => voids.count(), { timeout: 30_000 }).toBe(1)

  await press(page, say('orders.refund'))
  await dialog(page).getByLabel(say('fields.amount')).fill('40')
  await dialog(page).getByLabel(say('fields.reason')).fill('Agreed 协商')
  await willHappen().getByText('40.00').first().waitFor()
  await confirm(page, say('orders.refund'))
  await page.getByRole('dialog', { name: say('orders.refund') }).waitFor({ state: 'hidden' })
  expect(await money()).toEqual({ paid: 10_000, held: 6_000 })

  await press(page, say('orders.transfer'))
  await chooseOrder(page, say, to_order_id)
  await dialog(page).getByLabel(say('fields.amount')).fill('20')
  await dialog(page).getByLabel(say('fields.reason')).fill('Sibling 兄弟姐妹')
  await willHappen().first().waitFor()
  await confirm(page, say('orders.transfer'))
  await page.getByRole('dialog', { name: say('orders.transfer') }).waitFor({ state: 'hidden' })
  expect((await money()).held).toBe(4_000)
  expect((await money(to_order_id)).held).toBe(2_000)
}

/** By its id, or by its content. */
async function chooseOrder(page: Page, say: Say, order_id: string): Promise<void> {
  const field = dialog(page).getByLabel(say('orders.targetOrder')).first()
  await field.fill(order_id)
  if ((await field.getAttribute('role')) === 'combobox' || (await field.getAttribute('aria-haspopup')))
    await page.getByRole('option').first().click()
}

async function closeMonth(page: Page, say: Say): Promise<void> {
  const today = Temporal.Now.plainDateISO('Asia/Shanghai')
  const lastDay = today.with({ day: 1 }).subtract({ days: 1 }).toString()
  await goTo(page, say, 'finance')
  await page.getByRole('tab', { name: say('finance.closing') }).click()
  await press(page, say('finance.closeMonth'))
  await dialog(page).getByLabel(say('finance.closeUntil')).fill(lastDay)
  await dialog(page)
    .getByText(say('finance.closeEffect', { day: lastDay }))
    .waitFor()
  await confirm(page, say('finance.closeMonth'))
  await page.getByText(say('finance.closeDone', { day: lastDay })).waitFor()
  await page.getByRole('heading', { name: say('finance.period') }).waitFor()
}

/** The file has the same content as the screen. */
async function exportPayments(page: Page, say: Say): Promise<void> {
  await page.getByRole('tab', { name: say('finance.exports') }).click()
  await press(page, say('finance.newExport'))
  await choose(page, say('finance.exportFormat'), 'CSV')
  await confirm(page, say('finance.newExport'))
  const link = page.getByRole('button', { name: say('finance.download') })
  await link.waitFor()
  const download = page.waitForEvent('download')
  await link.click()
  const text = await readFile(await (await download).path(), 'utf8')
  const [header, ...lines] = text.replace('\ufeff', '').trim().split(/\r?\n/)
  const columns = header!.split(',')
  const states = lines.map((line) => line.split(',')[columns.indexOf('state')])
  expect(states.toSorted()).toEqual(['applied', 'void'])
}

/** Receipts less refunds are one figure, which is the sum of its rows. */
async function readNumber(page: Page, say: Say): Promise<void> {
  await goTo(page, say, 'reports')
  await page.getByRole('tab', { name: say('reports.receipts') }).click()
  const total = page.getByRole('row', { name: new RegExp(`^${say('finance.totalOf', { currency: 'CNY' })}`) })
  const net = total.getByRole('link').last()
  const figure = minorUnits((await net.textContent())!)
  expect(figure).toBe(6_000)
  await net.click()
  await page.waitForURL(/figure=receipts/)
  const rows = page.getByRole('region', { name: say('reports.rows') }).locator('tbody tr')
  // The payment is on two orders since the transfer, and the refund is the third row.
  await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(3)
  const amounts = await rows.locator('td:last-child').allTextContents()
  expect(amounts.map(minorUnits).reduce((sum, amount) => sum + amount, 0)).toBe(figure)
  const printed = await page.getByText(new RegExp(`^${say('reports.sum')}`)).textContent()
  expect(minorUnits(printed!.slice(say('reports.sum').length))).toBe(figure)
  // The address identifies the figure: opening it shows the same rows.
  await page.goto(page.url())
  await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(3)
}
