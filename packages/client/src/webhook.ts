import { bytesOf, hmacKey } from './digests.ts'
import type { Event } from './generated/types.ts'

/** The body of a webhook. */
export interface WebhookMessage {
  type: Event['type']
  timestamp: string
  data: Event
}

type HeaderValues = Headers | Record<string, string | string[] | undefined>

const toleranceSeconds = 300

/** The request was not signed with one of the secrets, was changed, or is not of these minutes. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

/**
 * Verifies a request to a webhook as Standard Webhooks describes, and answers its message. `rawBody` is the body as it was
 * received, before any parsing. A delivery may arrive twice: remember its `webhook-id`, which is `data.event_id`.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: HeaderValues,
  secrets: string | string[],
): Promise<WebhookMessage> {
  const body = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (!id || !timestamp || !signatures) throw new WebhookError('The request has no webhook headers')
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('The time stamp is more than five minutes off')
  const signed = bytesOf(`${id}.${timestamp}.${body}`)
  for (const secret of [secrets].flat())
    for (const signature of signatures.split(' '))
      if (signature.startsWith('v1,') && (await isSignedBy(secret, signature.slice(3), signed)))
        return JSON.parse(body) as WebhookMessage
  throw new WebhookError('The signature matches none of the secrets')
}

/** WebCrypto compares in constant time. */
async function isSignedBy(
  secret: string,
  signature: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const [key, expected] = [bytesOfBase64(secret.replace(/^whsec_/, '')), bytesOfBase64(signature)]
  if (!key || !expected) return false
  return crypto.subtle.verify('HMAC', await hmacKey(key, 'verify'), expected, signed)
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

function headerOf(headers: HeaderValues, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return Array.isArray(value) ? value.join(' ') : value
}
