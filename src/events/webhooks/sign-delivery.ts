import { createHmac } from 'node:crypto'

export const secretPrefix = 'whsec_'

interface Signed {
  /** The id of the event: the same in every attempt. */
  event_id: string
  at: Date
  body: string
}

/**
 * The headers of Standard Webhooks. Each valid secret signs, so a receiver that knows one of two accepts the delivery.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedHeaders({ event_id, at, body }: Signed, secrets: string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const content = `${event_id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  })
  return {
    'webhook-id': event_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
