import { exampleIds } from '../contract/endpoint.ts'
import {
  BigInteger,
  described,
  Id,
  IsoInstant,
  NullableInteger,
  NullableString,
  oneOf,
} from '../contract/fields.ts'
import { type Static, Type } from '../contract/type.ts'
import { type EventTypeName, eventTypeNames, eventTypes, type RelatedName } from './event-types.ts'
import type { StoredEvent } from './feed-store.ts'

/** An event as readers of the feed and receivers of webhooks see it. */
export const Event = Type.Object(
  {
    event_id: described(Id, 'The same in the feed and in every delivery'),
    type: oneOf(eventTypeNames, 'event/type/list explains each type. More types may be added'),
    seq: described(BigInteger, 'The number of the event in its organization, without gaps'),
    at: described(IsoInstant, 'When the change was committed: ISO 8601, UTC, with microseconds'),
    record_type: Type.String({ description: 'The kind of record, such as user, order or payment' }),
    record_id: Type.String({ description: 'The id of the record' }),
    version: described(
      NullableInteger,
      'The version of the record after the change, if the record counts them',
    ),
    changed: Type.Array(Type.String(), {
      description: 'The names of the members that changed; never their values',
    }),
    related: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'The ids of related records by name, such as user_id or order_id',
    }),
    actor: Type.Object({
      kind: oneOf(['account', 'staff', 'support', 'system']),
      id: Type.String({
        description:
          'The app_id of the account, or the id of the member of staff or of the access of support',
      }),
    }),
    request_id: described(NullableString, 'The request id of the call that made the change'),
  },
  { title: 'Event' },
)

export type Event = Static<typeof Event>

export function eventOf({ actor_kind, actor_id, ...event }: StoredEvent): Event {
  return {
    ...event,
    type: event.type as EventTypeName,
    actor: { kind: actor_kind as Event['actor']['kind'], id: actor_id },
  }
}

export const exampleEvent: Event = {
  event_id: `${exampleIds.audit_entry_id}-1`,
  type: 'user.updated',
  seq: 4711,
  at: '2026-11-15T01:30:05.123456Z',
  record_type: 'user',
  record_id: exampleIds.user_id,
  version: 4,
  changed: ['pool', 'owner_ids'],
  related: {},
  actor: { kind: 'staff', id: exampleIds.staff_id },
  request_id: exampleIds.request_id,
}

const relatedExamples: Record<RelatedName, string> = {
  user_id: exampleIds.user_id,
  order_id: '01a00491d4087169b3c88f8f9813ae4a',
  to_order_id: '01a00491d408759aa7e124d4a9581a85',
  tags_group_id: exampleIds.tags_group_id,
  payer_id: '019672b93ea877f0b98a30ed5184dccd',
  course_code: 'DA-101',
}

/** An event of the type. */
export function exampleOf(type: EventTypeName): Event {
  if (type === exampleEvent.type) return exampleEvent
  const { record_type, related } = eventTypes[type]
  return {
    ...exampleEvent,
    type,
    record_type,
    record_id: record_type === 'order' ? relatedExamples.order_id : '0198c0de5a3b7c41a2f0d8e6b4937801',
    version: record_type === 'order' || record_type === 'user' ? 1 : null,
    changed: [],
    related: Object.fromEntries(related.map((name) => [name, relatedExamples[name]])),
  }
}
