import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { upsertBatch } from '../../src/orders/offerings/upsert-batch.ts'
import { upsertCourse } from '../../src/orders/offerings/upsert-course.ts'
import { openBrowser } from '../harness/browser.ts'
import { openScreen } from '../harness/console-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
let page: Page
beforeAll(async () => {
  server = await startTestServer()
  browser = await openBrowser()
  const { corp_id } = server.sample
  const course = { corp_id, course_code: 'NEXT', name: 'Next class', currency: 'CNY', listed_price: 90_000 }
  const { course_id } = (await server.call(upsertCourse, course)).data
  for (const [name, start_date] of [
    ['Long ago', '2020-03-01'],
    ['Much later', '2040-03-01'],
    ['Next', '2035-03-01'],
  ])
    await server.call(upsertBatch, { corp_id, course_id, name, start_date })
  page = (await openScreen(browser, server.url, '/orders', 'admin')).page
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test('a new order offers the next intake first, and asks for a deadline if it has instalments', async () => {
  await page.getByRole('button', { name: 'New order' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Course' }).fill('Next class')
  await page.getByRole('option', { name: 'Next class' }).click()
  await dialog.getByRole('combobox', { name: 'Intake' }).click()
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual(['Next', 'Much later', 'Long ago'])
  await page.getByRole('option').first().click()
  await dialog.getByLabel('Number of instalments').fill('3')
  await dialog.getByText('Instalments need deadlines').waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Create order' }).isDisabled()).toBe(true)
  await dialog.getByLabel('First due date').fill('2035-02-01')
  await dialog.getByText('Instalments need deadlines').waitFor({ state: 'detached' })
})

test('a yes/no tag is yes unless no is chosen', async () => {
  const { rows } = await server.database.superuser.query(
    "select name from tag_groups where corp_id = $1 and attribute = 'define' and is_active order by name limit 1",
    [server.sample.corp_id],
  )
  const [{ name }] = rows
  await page.goto(`${server.url}/people?pool=alive`)
  await page.locator('tbody tr[aria-rowindex]').first().dblclick()
  await page.waitForURL(/\/people\/\w+$/)
  await page.getByRole('button', { name: 'Add tag' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Tag', exact: true }).fill(name)
  await page.getByRole('option', { name }).first().click()
  await expect.poll(() => dialog.getByRole('combobox', { name: 'Tag value' }).inputValue()).toBe('Yes')
  await expect.poll(() => dialog.getByRole('button', { name: 'Add tag' }).isEnabled()).toBe(true)
})

test('a status that follows from money is never offered by hand', async () => {
  for (const status of ['created', 'pending', 'success', 'expired', 'canceled', 'locked']) {
    await page.goto(`${server.url}/orders?status=${status}`)
    await page
      .getByText(/ of \d+$|No orders match/)
      .first()
      .waitFor()
    const row = page.locator('tbody tr[aria-rowindex]').first()
    if ((await row.count()) === 0) continue
    await row.dblclick()
    await page.getByRole('img', { name: /current/ }).waitFor()
    expect([status, await page.getByRole('button', { name: /^Mark as (Part paid|Paid)$/ }).count()]).toEqual([
      status,
      0,
    ])
  }
})
