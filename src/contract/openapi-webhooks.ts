import type { createSchemas } from './openapi-schemas.ts'
import type { TSchema } from './type.ts'

/** A message that the service posts to webhook endpoints. */
export interface WebhookMessage {
  type: string
  description: string
  body: TSchema
  example: unknown
}

/** The `webhooks` of the document, by type. What all messages share are components. */
export function webhooksOf(
  messages: WebhookMessage[],
  { put, publish }: Pick<ReturnType<typeof createSchemas>, 'put' | 'publish'>,
) {
  const entries = messages.map(({ type, description, body, example }) => {
    const name = nameOf(type)
    const schema = put(`${name}Webhook`, publish(body, `${name}Webhook`))
    const post = {
      operationId: `on${name}`,
      tags: ['Webhooks'],
      summary: type,
      description,
      security: [],
      parameters: Object.keys(webhookParameters).map((each) => ({ $ref: `#/components/parameters/${each}` })),
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
      responses: {
        '2XX': { $ref: '#/components/responses/WebhookReceived' },
        410: { $ref: '#/components/responses/WebhookGone' },
        default: { $ref: '#/components/responses/WebhookRefused' },
      },
    }
    return [type, { post }]
  })
  return Object.fromEntries(entries)
}

/** `order.status_changed` is OrderStatusChanged. */
function nameOf(type: string): string {
  return type
    .split(/[._]/)
    .map((part) => `${part[0]!.toUpperCase()}${part.slice(1)}`)
    .join('')
}

/** The headers of Standard Webhooks. */
export const webhookParameters = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The id of the event. Repetitions have the same: remember it, to process an event once.',
    schema: { type: 'string' },
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description:
      'Unix time of this attempt in seconds. Refuse a request that is more than five minutes away.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'One or, during a rotation of the secret, two signatures with a space in between: `v1,` and the base64 of the ' +
      'HMAC-SHA-256 of webhook-id, webhook-timestamp and the body, with dots in between.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$' },
  },
}

/** The responses of receivers. Bodies do not matter. */
export const webhookResponses = {
  WebhookReceived: { description: 'Delivered. Answer within 15 seconds.' },
  WebhookGone: { description: 'The endpoint is disabled, and receives nothing more.' },
  WebhookRefused: {
    description:
      'Failed, like a redirect or no answer: the event is repeated, up to nine times in three days. With 429 or ' +
      '503, `Retry-After` is honoured.',
  },
}
