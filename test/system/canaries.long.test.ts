import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateEmail } from '../../src/changes/contacts/update-contact.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { createOrder } from '../../src/orders/create-order.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { importLead } from '../../src/people/leads/import-leads.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { updateUser } from '../../src/people/users/update-user.ts'
import { createLog } from '../../src/server/log.ts'
import { noteAttempts } from '../harness/attempts.ts'
import { openBrowser } from '../harness/browser.ts'
import { canariesIn, canary } from '../harness/canary.ts'
import { openHired } from '../harness/hired-page.ts'
import { screensOf } from '../harness/screens.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const lines: string[] = []
let server: TestServer
let browser: Browser
beforeAll(async () => {
  const log = createLog('trace', { write: (line) => void lines.push(line) })
  server = await startTestServer('sample', { log })
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test('personal data on a screen is in no address, no log, no metric and no message of the browser', {
  timeout: 300_000,
}, async () => {
  const { corp_id } = server.sample
  const call = async (endpoint: Endpoint, input: object) =>
    (await server.call(endpoint, { corp_id, ...input })).data
  const { mobile, email, name } = canary
  const { user_id } = await call(createUser, { area_code: '86', mobile })
  await call(importLead, { user_id, name, entry_id: newId(), course_code: 'EMBA-EXEC' })
  await call(updateEmail, { user_id, email })
  await call(updateUser, { user_id, name, job_title: name })
  const order = { user_id, currency: 'CNY', listed_price: 30_000, installment_count: 3 }
  const { order_id } = await call(createOrder, order)
  await call(createPayment, { order_id, price: 10_000 })

  const screens = (await screensOf(server)).map(({ path }) => path)
  const { page, complaints, close } = await openHired(browser, server, {
    ...{ role: 'admin', corp_id, path: `/people/${user_id}` },
  })
  const told: string[] = []
  page.on('request', (request) => told.push(`${request.method()} ${request.url()}`))
  page.on('console', (message) => told.push(`console: ${message.text()}`))
  let seen = 0
  for (const path of [...screens, `/orders/${order_id}`, `/people/${user_id}`]) {
    await page.goto(server.url + path)
    await page.waitForLoadState('networkidle')
    told.push(`address: ${page.url()}`, `title: ${await page.title()}`)
    if (canariesIn((await page.locator('body').textContent()) ?? '').length > 0) seen++
  }
  // A reveal is requested for the person, and is in the audit.
  await page.getByRole('main').getByRole('button', { name: 'Reveal' }).first().click()
  await page.getByText(mobile).first().waitFor()
  await close()
  told.push(...lines, await (await fetch(`${server.url}/metrics`)).text())
  const leaks = told.filter((line) => canariesIn(line).length > 0)
  noteAttempts('canaries on screens', screens.length, leaks.length, `${told.length} addresses and lines`)
  expect(leaks).toEqual([])
  expect(complaints).toEqual([])
  expect(seen, 'screens that show the person').toBeGreaterThanOrEqual(5)
  expect(lines.length).toBeGreaterThan(20)
})
