import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { exampleEvent } from '../../../src/events/event.ts'
import { signedHeaders, webhookSecret } from '../../../src/events/standard-webhooks.ts'
import { verifyWebhook, WebhookError } from './webhook.ts'

const [secret, other] = [Buffer.alloc(24, 1), Buffer.alloc(32, 2)].map(webhookSecret) as [string, string]
const body = JSON.stringify({
  type: exampleEvent.type,
  timestamp: exampleEvent.at,
  data: exampleEvent,
  note: '王芳',
})
const id = exampleEvent.event_id
const sign = (secrets: string[], now = new Date()) => signedHeaders(secrets, { id, body, now })

test('a request that the service signed is its message', async () => {
  const headers = sign([secret])
  const message = await verifyWebhook(body, headers, secret)
  expect(message.data).toEqual(exampleEvent)
  expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), [secret])).toEqual(message)
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  )
  expect(await verifyWebhook(body, upper, secret)).toEqual(message)
  expect(new Webhook(secret).verify(body, headers)).toEqual(message)
})

test('while a secret is rotated, either is enough', async () => {
  for (const secrets of [secret, other, [other, secret]])
    expect((await verifyWebhook(body, sign([secret, other]), secrets)).type).toBe(exampleEvent.type)
  expect((await verifyWebhook(body, sign([secret]), [other, secret])).type).toBe(exampleEvent.type)
})

test('a request that was changed, is old, or was signed by somebody else is refused', async () => {
  const headers = sign([secret])
  const refused = async (...call: Parameters<typeof verifyWebhook>) =>
    expect(await verifyWebhook(...call).catch((error) => error)).toBeInstanceOf(WebhookError)
  await refused(`${body} `, headers, secret)
  await refused(body, headers, other)
  await refused(body, headers, [])
  await refused(body, headers, 'not base64 !')
  await refused(body, { ...headers, 'webhook-id': 'another' }, secret)
  await refused(
    body,
    { ...headers, 'webhook-signature': headers['webhook-signature']!.replace('v1,', 'v1a,') },
    secret,
  )
  await refused(body, { ...headers, 'webhook-timestamp': 'soon' }, secret)
  for (const minutes of [-6, 6])
    await refused(body, sign([secret], new Date(Date.now() + minutes * 60_000)), secret)
  for (const name of Object.keys(headers)) await refused(body, { ...headers, [name]: undefined }, secret)
})
