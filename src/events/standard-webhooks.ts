import { createHmac } from 'node:crypto'

const prefix = 'whsec_'

/** A secret of Standard Webhooks from its bytes, of which there are 24 to 64. */
export function webhookSecret(bytes: Buffer): string {
  return prefix + bytes.toString('base64')
}

/** The headers that sign a message as Standard Webhooks says. Several secrets sign side by side during a rotation. */
export function signedHeaders(
  secrets: string[],
  { id, body, now }: { id: string; body: string; now: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
