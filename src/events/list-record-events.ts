import { endpoint, exampleIds } from '../contract/endpoint.ts'
import { described, Id, OrganizationId } from '../contract/fields.ts'
import { Type } from '../contract/type.ts'
import { Event, eventOf, exampleEvent } from './event.ts'
import { findRecordEvents } from './record-event-store.ts'
import { readableTypes } from './types-filter.ts'

/** The events that a timeline names. */
export const listRecordEvents = endpoint({
  id: 'listRecordEvents',
  method: 'GET',
  path: '/api/v5/entity/event/record/list',
  group: 'Events',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List the events of a record',
  description:
    'The newest first, as far as the feed keeps them. With each event, the events of the same change: those of the money ' +
    'of an order, for example. A person has the events of their leads, follow-ups, tags and orders, too. `version` is the ' +
    'version that user/history and order/history name.',
  input: Type.Object({
    corp_id: OrganizationId,
    record_id: described(Id, 'The id of a person, an order or another record'),
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000_000,
        description: 'Only events before this `seq`',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 100,
        description: 'The most events of these records. Other events of the same changes come on top',
      }),
    ),
  }),
  data: Type.Object({ list: Type.Array(Event) }),
  example: {
    input: { corp_id: exampleIds.corp_id, record_id: exampleIds.user_id },
    data: { list: [exampleEvent] },
  },

  async handle({ db, account }, { corp_id, record_id, before, limit = 100 }) {
    const types = readableTypes(account)
    const found = await findRecordEvents(db, corp_id, record_id, { before, limit, types })
    return { list: found.map(eventOf) }
  },
})
