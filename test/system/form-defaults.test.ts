import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { upsertBatch } from '../../src/orders/offerings/upsert-batch.ts'
import { upsertCourse } from '../../src/orders/offerings/upsert-course.ts'
import { openBrowser } from '../harness/browser.ts'
import { openScreen, settled } from '../harness/console-page.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { sayIn } from '../harness/words.ts'

let server: TestServer
let browser: Browser
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
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

describe.each(['en-GB', 'zh-CN'] as const)('in %s', (locale) => {
  const say = sayIn(locale)
  const open = async (path: string) => (await openScreen(browser, server.url, path, 'admin', { locale })).page

  test('a new order offers the next intake first, and asks for a deadline if it has instalments', async () => {
    const page = await open('/orders')
    await page
      .getByRole('button', { name: say('orders.add') })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: say('fields.course') }).fill('Next class')
    await page.getByRole('option', { name: 'Next class' }).click()
    await dialog.getByRole('combobox', { name: say('orders.batch') }).click()
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual(['Next', 'Much later', 'Long ago'])
    await page.getByRole('option').first().click()
    await dialog.getByLabel(say('orders.instalmentCount')).fill('3')
    const notice = dialog.getByText(say('orders.deadlinesNeeded'))
    await notice.waitFor()
    await expect
      .poll(() => dialog.getByRole('button', { name: say('orders.create') }).isDisabled())
      .toBe(true)
    await dialog.getByLabel(say('orders.firstDueDate')).fill('2035-02-01')
    await notice.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('a yes/no tag is yes unless no is chosen', async () => {
    const { rows } = await server.database.superuser.query(
      "select name from tag_groups where corp_id = $1 and attribute = 'define' and is_active order by name limit 1",
      [server.sample.corp_id],
    )
    const [{ name }] = rows
    const page = await open('/people?pool=alive')
    await page.locator('tbody tr[aria-rowindex]').first().dblclick()
    await page.waitForURL(/\/people\/\w+$/)
    await page.getByRole('button', { name: say('people.addTag') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: say('people.tag'), exact: true }).fill(name)
    await page.getByRole('option', { name }).first().click()
    const value = dialog.getByRole('combobox', { name: say('people.tagValue') })
    await expect.poll(() => value.inputValue()).toBe(say('common.yes'))
    await expect.poll(() => dialog.getByRole('button', { name: say('people.addTag') }).isEnabled()).toBe(true)
    await page.context().close()
  })

  test('a status that follows from money is never offered by hand', async () => {
    const page = await open('/orders')
    const byMoney = ['pending', 'success'].map((status) => say(`orderStatus.${status}`))
    const offered = page
      .getByRole('main')
      .getByRole('button')
      .filter({ hasText: new RegExp(`(${byMoney.join('|')})$`) })
    for (const status of ['created', 'pending', 'success', 'expired', 'canceled', 'locked']) {
      await page.goto(`${server.url}/orders?status=${status}`)
      await settled(page)
      const row = page.locator('tbody tr[aria-rowindex]').first()
      if ((await row.count()) === 0) continue
      await row.dblclick()
      await page.waitForURL(/\/orders\/\w+$/)
      await settled(page)
      expect([status, await offered.allTextContents()]).toEqual([status, []])
    }
    await page.context().close()
  })
})
