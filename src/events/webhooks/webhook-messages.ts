import { described, IsoInstant } from '../../contract/fields.ts'
import type { WebhookMessage } from '../../contract/openapi-webhooks.ts'
import { Type } from '../../contract/type.ts'
import { Event, exampleOf } from '../event.ts'
import { type EventTypeName, eventTypeNames, eventTypes } from '../event-types.ts'
import { payloadOf } from './payload.ts'

/** The messages of the service to webhook endpoints: one for each event type. */
export const webhookMessages: WebhookMessage[] = eventTypeNames.map((type) => ({
  type,
  description: eventTypes[type].says,
  body: bodySchemaOf(type),
  example: payloadOf(exampleOf(type)),
}))

/** The event with the type, the kind of its record and the related ids that its type has. */
function bodySchemaOf(type: EventTypeName) {
  const { record_type, related } = eventTypes[type]
  const members = {
    type: { const: type },
    record_type: { const: record_type },
    ...(related.length > 0 && {
      related: { properties: Object.fromEntries(related.map((name) => [name, { type: 'string' }])) },
    }),
  }
  return Type.Object({
    type: Type.Unsafe({ const: type }),
    timestamp: described(IsoInstant, 'When the change was committed'),
    data: Type.Unsafe({ allOf: [Event, { properties: members }] }),
  })
}
