import { endpoint, exampleIds } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { described, Id, OrganizationId, oneOf } from '../contract/fields.ts'
import { Type } from '../contract/type.ts'
import { Event, eventOf, exampleEvent, exampleOf } from './event.ts'
import { eventTypeNames, eventTypes } from './event-types.ts'
import { findEvent } from './feed-store.ts'
import { readableTypes } from './types-filter.ts'

export const fetchEvent = endpoint({
  id: 'fetchEvent',
  method: 'GET',
  path: '/api/v5/entity/event/fetch',
  group: 'Events',
  permission: 'read',
  staffPermission: 'admin',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Fetch an event',
  input: Type.Object({ corp_id: OrganizationId, event_id: described(Id, 'As in the feed or in webhook-id') }),
  data: Event,
  example: { input: { corp_id: exampleIds.corp_id, event_id: exampleEvent.event_id }, data: exampleEvent },
  errors: ['eventNotFound'],

  async handle({ db, account }, { corp_id, event_id }) {
    const found = await findEvent(db, corp_id, event_id)
    const event = found && eventOf(found)
    // A type that the account may not read is as absent as in the feed.
    if (!event || !readableTypes(account).includes(event.type)) throw new ApiError('eventNotFound')
    return event
  },
})

const ListedType = Type.Object({
  type: oneOf(eventTypeNames),
  record_type: Type.String(),
  permission: oneOf(['read', 'finance'], 'The permission that readers of these events need'),
  description: Type.String(),
  example: Event,
})

export const listEventTypes = endpoint({
  id: 'listEventTypes',
  method: 'GET',
  path: '/api/v5/entity/event/type/list',
  group: 'Events',
  permission: 'read',
  staffPermission: 'admin',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List the event types',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ list: Type.Array(ListedType) }),
  example: {
    input: { corp_id: exampleIds.corp_id },
    data: {
      list: [
        {
          type: 'user.updated',
          record_type: 'user',
          permission: 'read',
          description: eventTypes['user.updated'].says,
          example: exampleEvent,
        },
      ],
    },
  },

  async handle() {
    return {
      list: eventTypeNames.map((type) => ({
        type,
        record_type: eventTypes[type].record_type,
        permission: eventTypes[type].permission,
        description: eventTypes[type].says,
        example: exampleOf(type),
      })),
    }
  },
})
