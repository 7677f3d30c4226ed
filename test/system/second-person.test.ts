import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inviteColleague } from '../../src/access/staff/colleagues.ts'
import { updateOrganization } from '../../src/backoffice/settings/organization-settings.ts'
import { fetchOrder } from '../../src/orders/listing/fetch-order.ts'
import { upsertCourse } from '../../src/orders/offerings/upsert-course.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn } from '../harness/console-page.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { type Counter, openCounter } from '../harness/ledger.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { hireStaff, type TestColleague } from '../harness/staff.ts'

let server: TestServer
let browser: Browser
let school: Counter
let head: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
  browser = await openBrowser()
  school = await openCounter(server, 'Asia/Shanghai')
  head = await hireStaff(server, school.corp_id, 'admin')
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const timeout = 180_000
const dialog = (page: Page) => page.getByRole('dialog').last()
const openAs = (role: 'admin' | 'counsellor', path: string, locale = 'en-GB') =>
  openHired(browser, server, { role, corp_id: school.corp_id, path }, { locale })
const invited = async (name: string) =>
  head.call(inviteColleague, { email: `${name}@school.example`, name, role: 'finance' })

test('the staff screen shows who gave a person access, and another administrator confirms them', {
  timeout,
}, async () => {
  await invited('Wren')
  const { page, complaints, close } = await openAs('admin', '/settings?tab=staff')
  const row = page.getByRole('row', { name: /Wren/ })
  await row.getByText('Access given by A admin, not yet confirmed').waitFor()
  expect(await barriersOn(page)).toEqual([])
  await takePicture(page, 'staff-unconfirmed')
  await row.click()
  await dialog(page)
    .getByText(/Until another administrator confirms Wren, they count as one person/)
    .waitFor()
  expect(await barriersOn(page)).toEqual([])
  await takePicture(page, 'staff-confirm')
  await dialog(page).getByRole('button', { name: 'Confirm person' }).click()
  await page.getByText('Wren is confirmed and can be a second approver.').waitFor()
  await expect.poll(() => row.getByText(/not yet confirmed/).count()).toBe(0)
  expect(complaints).toEqual([])
  await close()
})

test('in Chinese, too', { timeout }, async () => {
  await invited('Robin')
  const { page, complaints, close } = await openAs('admin', '/settings?tab=staff', 'zh-CN')
  await page.getByText('权限由 A admin 开通，尚未确认').first().waitFor()
  await takePicture(page, 'staff-unconfirmed-zh')
  await page.getByRole('row', { name: /Robin/ }).click()
  await dialog(page).getByRole('button', { name: '确认员工' }).waitFor()
  await takePicture(page, 'staff-confirm-zh')
  await page.goto(`${server.url}/settings?tab=school`)
  await page.getByLabel('顾问可给的优惠').waitFor()
  await page.getByLabel('顾问可给的优惠').scrollIntoViewIfNeeded()
  await takePicture(page, 'counsellor-rules-zh')
  expect(await barriersOn(page)).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

test('a counsellor sells and records payments within the rules of the school', { timeout }, async () => {
  const course = { course_code: 'EMBA', name: 'EMBA', currency: 'CNY', listed_price: 100_000 }
  await school.call(upsertCourse, course)
  const { page, complaints, close } = await openAs('counsellor', '/orders')
  const newOrder = async () => {
    await page.getByRole('button', { name: 'New order' }).first().click()
    await dialog(page).getByLabel('Person').fill('13800138000')
    await page.getByRole('option').first().click()
    await dialog(page).getByLabel('Course').click()
    await page.getByRole('option', { name: 'EMBA' }).click()
  }
  await newOrder()
  await dialog(page).getByText('Only Finance can give discounts.').waitFor()
  await expect.poll(() => dialog(page).getByLabel('Manual discount').isDisabled()).toBe(true)
  await expect.poll(() => dialog(page).getByLabel('List price').isDisabled()).toBe(true)
  expect(await barriersOn(page)).toEqual([])
  await takePicture(page, 'counsellor-order')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()

  const admin = await openAs('admin', '/settings')
  await admin.page.getByLabel('Maximum discount').fill('10')
  await admin.page.getByLabel('Counsellors can record payments').scrollIntoViewIfNeeded()
  expect(await barriersOn(admin.page)).toEqual([])
  await takePicture(admin.page, 'counsellor-rules')
  await admin.page.getByRole('button', { name: 'Save', exact: true }).click()
  await admin.page.getByText('Settings saved.').waitFor()

  await page.reload()
  await newOrder()
  await dialog(page).getByText('Up to 10 % of the list price.').waitFor()
  await dialog(page).getByLabel('Manual discount').fill('200')
  await dialog(page)
    .getByText(/The lowest price you can set is .*900\.00/)
    .waitFor()
  await takePicture(page, 'counsellor-too-low')
  await dialog(page).getByLabel('Manual discount').fill('100')
  await dialog(page).getByRole('button', { name: 'Create order' }).click()
  await page.waitForURL('**/orders/*')
  await page.getByText('Only Finance can record payments.').waitFor()
  expect(await page.getByRole('button', { name: 'Record payment' }).count()).toBe(0)
  await takePicture(page, 'counsellor-order-drawer')
  const order_id = new URL(page.url()).pathname.split('/').at(-1)!
  expect((await school.call(fetchOrder, { order_id })).data.total_price).toBe(90_000)

  await admin.page.getByLabel('Counsellors can record payments').check()
  // The notice may be that of the earlier save, and the button is disabled as soon as the call begins.
  const saved = admin.page.waitForResponse((response) => response.url().endsWith(updateOrganization.path))
  await admin.page.getByRole('button', { name: 'Save', exact: true }).click()
  await saved
  await page.reload()
  await page.getByRole('button', { name: 'Record payment' }).waitFor()
  // The browser notes the price that was refused, with 403.
  expect(complaints.filter((text) => !text.includes('403'))).toEqual([])
  expect(admin.complaints).toEqual([])
  await admin.close()
  await close()
})
