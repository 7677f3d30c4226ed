import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRecordEvents } from '../../src/events/list-record-events.ts'
import { listWebhookEndpoints } from '../../src/events/webhooks/list-endpoints.ts'
import { createSender, type Sender } from '../../src/events/webhooks/send-delivery.ts'
import { pingWebhookEndpoint } from '../../src/events/webhooks/update-endpoint.ts'
import { createOrder } from '../../src/orders/create-order.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { createFollowUp } from '../../src/people/users/follow-ups/follow-ups.ts'
import { updatePool } from '../../src/people/users/update-pool.ts'
import { openBrowser } from '../harness/browser.ts'
import { barriersOn } from '../harness/console-page.ts'
import { deliverWebhooks } from '../harness/deliver-webhooks.ts'
import { openHired, takePicture } from '../harness/hired-page.ts'
import { openOrganization, type TestOrganization } from '../harness/organization.ts'
import { startReceiver, type TestReceiver } from '../harness/receiver.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: Browser
let school: TestOrganization
let receiver: TestReceiver
let sender: Sender
let page: Page
let complaints: string[]
beforeAll(async () => {
  server = await startTestServer('matricula', { privateWebhooks: true })
  browser = await openBrowser()
  receiver = await startReceiver()
  sender = createSender({ allowsPrivate: true })
  school = await openOrganization(server, 'Asia/Shanghai', ['read', 'write', 'finance', 'admin'])
  const opened = await openHired(browser, server, {
    ...{ role: 'admin', corp_id: school.corp_id, path: '/settings?tab=webhooks' },
  })
  page = opened.page
  complaints = opened.complaints
}, 600_000)
afterAll(async () => {
  await browser?.close()
  sender?.close()
  await receiver?.close()
  await server?.close()
})

const timeout = 180_000
const url = 'https://hooks.example.com/matricula'
const dialog = () => page.getByRole('dialog').last()
const button = (name: string | RegExp) => page.getByRole('button', { name })
const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
const said = (text: string | RegExp) => page.getByText(text).last().waitFor()
const deliver = () => deliverWebhooks(server, school.corp_id, sender)
/** Until the event exists: the notice may be that of an earlier event. */
const sendTestEvent = async () => {
  const made = page.waitForResponse((response) => response.url().endsWith(pingWebhookEndpoint.path))
  await button('Send test event').click()
  await made
  await said('Test event sent.')
}
const endpoints = async () => (await school.call(listWebhookEndpoints)).data.list

test('an administrator adds a webhook, and sees its secret once', { timeout }, async () => {
  await page.getByText('No webhooks yet.').waitFor()
  await button('Add webhook').first().click()
  await dialog().getByLabel('Address').fill('http://10.0.0.1/internal')
  await takePicture(page, 'webhook-new')
  await dialog().getByLabel('Address').fill(url)
  await dialog().getByRole('button', { name: 'Add webhook' }).click()
  const secret = await page.getByLabel('Signing secret').last().inputValue()
  expect(secret).toMatch(/^whsec_/)
  expect(await barriersOn(page)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('cell', { name: url }).waitFor()
  expect(await endpoints()).toMatchObject([{ url, types: ['*'], health: 'new' }])
})

test('a failing receiver is named, with the response to each attempt, and gets the event again', {
  timeout,
}, async () => {
  await page.getByText(url).click()
  await button('Edit webhook').click()
  await dialog().getByLabel('Address').fill(receiver.url)
  await confirm('Save')
  await said('Webhook changed.')
  receiver.answer = (_, response) => void response.writeHead(500).end('The warehouse is closed')
  await sendTestEvent()
  await deliver()
  await page.getByRole('alert').getByText('The receiver did not accept the event. HTTP 500').waitFor()
  await page.getByRole('cell', { name: 'ping' }).click()
  await dialog().getByText('The warehouse is closed').waitFor()
  expect(await barriersOn(page)).toEqual([])
  await takePicture(page, 'webhook-delivery')
  receiver.answer = (_, response) => void response.writeHead(204).end()
  await dialog().getByRole('button', { name: 'Send again' }).click()
  await said('1 delivery is sent again.')
  await deliver()
  await dialog().getByText('Delivered HTTP 204').waitFor()
  await dialog().getByRole('button', { name: 'Close' }).click()
  await page.getByText('Healthy').waitFor()
  await takePicture(page, 'webhook')
  await page.getByRole('button', { name: '中文' }).click()
  await page.getByText('正常').waitFor()
  await takePicture(page, 'webhook-zh')
  await page.setViewportSize({ width: 390, height: 800 })
  await takePicture(page, 'webhook-phone')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'English' }).click()
})

test('Today shows administrators a webhook that fails, and leads to it', { timeout }, async () => {
  receiver.answer = (_, response) => void response.writeHead(500).end()
  await sendTestEvent()
  await deliver()
  await server.database.superuser.query(
    `update webhook_cursors set failing_since = now() - interval '1 hour' where corp_id = $1`,
    [school.corp_id],
  )
  await page.goto(`${server.url}/today`)
  const failing = page.getByRole('region', { name: 'Webhooks that fail' })
  await failing.getByText('Failing · HTTP 500').waitFor()
  await takePicture(page, 'today-webhook')
  expect(await barriersOn(page)).toEqual([])
  await page.getByRole('button', { name: '中文' }).click()
  await page.getByRole('region', { name: '异常的 Webhook' }).waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await takePicture(page, 'today-webhook-phone')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'English' }).click()
  await failing.getByRole('link', { name: receiver.url.replace('http://', '') }).click()
  await page.getByText('Failing since').waitFor()
})

test('the timelines of a person and of an order name the events that programs receive', {
  timeout,
}, async () => {
  const { user_id } = (await school.call(createUser, { email: 'lin@example.com', name: 'Lin Mei' })).data
  await school.call(updatePool, { user_id, pool: 'alive' })
  await school.call(createFollowUp, { user_id, content: 'Wants to start in spring' })
  const plan = { user_id, currency: 'CNY', listed_price: 9000, installment_count: 1 }
  const { order_id } = (await school.call(createOrder, plan)).data
  await school.call(createPayment, { order_id, price: 9000, charge_id: 'c-1', source: 'payment_gateway' })
  await deliver()
  const eventsOf = async (record_id: string): Promise<{ type: string; seq: number }[]> =>
    (await school.call(listRecordEvents, { record_id })).data.list
  const drawer = page.getByRole('main')
  const look = async (path: string, events: { type: string; seq: number }[], name: string) => {
    await page.goto(server.url + path)
    for (const { type, seq } of events) await drawer.getByText(`${type} #${seq}`).waitFor()
    await drawer.getByText(`${events[0]!.type} #${events[0]!.seq}`).scrollIntoViewIfNeeded()
    await takePicture(page, name)
    expect(await barriersOn(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    await drawer.getByText(`${events[0]!.type} #${events[0]!.seq}`).scrollIntoViewIfNeeded()
    await takePicture(page, `${name}-phone`)
    await page.setViewportSize({ width: 1280, height: 900 })
  }
  const ofOrder = await eventsOf(order_id)
  expect(ofOrder.map(({ type }) => type)).toEqual([
    'payment.recorded',
    'order.status_changed',
    'order.created',
  ])
  await look(`/orders/${order_id}`, ofOrder, 'order-events')
  await drawer.getByText('Payment recorded').waitFor()
  const shown = ['order.created', 'follow_up.created', 'user.updated', 'user.created']
  const ofPerson = (await eventsOf(user_id)).filter(({ type }) => shown.includes(type))
  expect(new Set(ofPerson.map(({ type }) => type))).toEqual(new Set(shown))
  await look(`/people/${user_id}`, ofPerson, 'person-events')
  await page.goto(`${server.url}/today`)
  await page.getByRole('button', { name: '中文' }).click()
  await page.getByRole('button', { name: 'English' }).waitFor()
  await look(`/people/${user_id}`, ofPerson, 'person-events-zh')
  await drawer.getByText('新增跟进').waitFor()
  await page.goto(`${server.url}/settings?tab=webhooks`)
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('button', { name: '中文' }).waitFor()
  await page.getByText(receiver.url).click()
})

test('a webhook is edited, paused, enabled, gets another secret, and is removed', { timeout }, async () => {
  await button('Edit webhook').click()
  await dialog().getByLabel('Description').fill('Warehouse')
  await confirm('Save')
  await said('Webhook changed.')
  await button('Pause webhook').click()
  await confirm('Pause webhook')
  await said('Webhook paused.')
  await page.getByText('Paused by an administrator.').waitFor()
  expect(await endpoints()).toMatchObject([{ is_enabled: false, disabled_reason: 'paused' }])
  await button('Enable webhook').click()
  await confirm('Enable webhook')
  await said('Webhook enabled.')
  await button('Create new secret').click()
  await confirm('Create new secret')
  expect(await page.getByLabel('Signing secret').last().inputValue()).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Events are signed with the old secret too, until').waitFor()
  await button('Remove webhook').click()
  await confirm('Remove webhook')
  await page.getByText('No webhooks yet.').waitFor()
  expect(await endpoints()).toEqual([])
  expect(complaints).toEqual([])
})
