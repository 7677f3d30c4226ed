import type { Exchange, Row } from '../caller.ts'
import { type Check, expect, expectEqual, Skipped } from '../check.ts'
import { type Kit, shortOf } from '../kit.ts'
import { makeGroup, makeUser, rowsOf } from '../subjects.ts'
import type { Fields } from '../tables/field-types.ts'
import { isOfType, typeOf } from '../types.ts'
import { expectFailure } from './failures.ts'

const list = 'entity/event/list'
const gap = 'events'

const pageFields: Fields = {
  list: 'List',
  next_cursor: 'String',
  has_more: 'Boolean',
  newest_cursor: 'String',
  oldest_cursor: 'String',
}
const eventFields: Fields = {
  ...{
    event_id: 'String',
    type: 'String',
    seq: 'Integer',
    at: 'String',
    record_type: 'String',
    record_id: 'String',
  },
  ...{ version: 'Integer?', changed: 'List', related: 'Dict', actor: 'Dict', request_id: 'String?' },
}
/** How long changes may take to reach the feed. */
const patienceMs = 30_000

/** The event feed: an addition, and how Matricula fills the gap of events. */
export function feedChecks(): Check[] {
  const written = { level: 'feed', gap, operation: list, writes: true } as const
  return [
    {
      ...{ id: 'event/list page', level: 'feed', gap, operation: list },
      row: `Page: ${Object.keys(pageFields).join(', ')}`,
      async run(kit) {
        const exchange = await kit.take('GET', list, { limit: 1 })
        expectFields(exchange.data, pageFields, exchange)
        expect(rowsOf(exchange).length <= 1, 'at most 1 event', rowsOf(exchange).length, exchange)
      },
    },
    {
      ...written,
      id: 'event/list events',
      row: `Event: ${Object.keys(eventFields).join(', ')}`,
      async run(kit) {
        const { events, exchange } = await story(kit)
        for (const event of events) expectFields(event, eventFields, exchange)
      },
    },
    {
      ...written,
      id: 'event/list every change once',
      row: 'Every change of the organization once',
      async run(kit) {
        const { events, made, exchange } = await story(kit)
        for (const [type, record_id] of made) {
          const found = events.filter((event) => event.type === type && event.record_id === record_id)
          expectEqual(found.length, 1, `number of events ${type} of ${record_id}:`, exchange)
        }
        const ids = events.map(({ event_id }) => event_id)
        expectEqual(ids.length, new Set(ids).size, 'number of events, each id once:', exchange)
      },
    },
    {
      ...written,
      id: 'event/list order',
      row: 'In the order of the commits: seq ascends, at does not go back',
      async run(kit) {
        const { events, made, exchange } = await story(kit)
        const seqs = events.map(({ seq }) => Number(seq))
        expect(
          seqs.every((seq, index) => index === 0 || seq > seqs[index - 1]!),
          'seq ascending',
          seqs,
          exchange,
        )
        const times = events.map(({ at }) => String(at))
        expectEqual(times, times.toSorted(), 'at, ascending:', exchange)
        const types = events.filter(({ type, record_id }) =>
          made.some(([one, id]) => one === type && id === record_id),
        )
        expectEqual(
          types.map(({ type }) => type),
          made.map(([type]) => type),
          'types in the order of the calls:',
          exchange,
        )
      },
    },
    {
      ...written,
      id: 'event/list at',
      row: 'at: ISO 8601, UTC, with microseconds: when the change was committed',
      async run(kit) {
        const { events, exchange } = await story(kit)
        for (const { at } of events) {
          expect(
            /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(String(at)),
            'at as YYYY-MM-DDTHH:MM:SS.ssssssZ',
            at,
            exchange,
          )
          const offMs = Math.abs(Date.parse(String(at)) - kit.startedAt.getTime())
          expect(offMs < 600_000, 'at: a time of this run', at, exchange)
        }
      },
    },
    {
      ...written,
      id: 'event/list what an event says',
      row: 'changed: names of the members; actor: the account; request_id: of the call. Nothing personal',
      async run(kit) {
        const { events, made, moved, email, exchange } = await story(kit)
        const [, user_id] = made[0]!
        const event = events.find(({ type, record_id }) => type === 'user.updated' && record_id === user_id)
        expect(
          event !== undefined,
          'the event user.updated',
          events.map(({ type }) => type),
          exchange,
        )
        expectEqual(event.changed, ['pool'], 'changed', exchange)
        expectEqual(event.actor, { kind: 'account', id: kit.options.appId }, 'actor', exchange)
        expectEqual(
          event.request_id,
          moved.headers.get('x-request-id'),
          'request_id, as the call was answered:',
          exchange,
        )
        expect(
          !JSON.stringify(events).includes(email),
          'no e-mail address',
          'the address of the user',
          exchange,
        )
      },
    },
    {
      ...written,
      id: 'event/list page by page',
      row: 'after: the cursor to continue after; next_cursor follows the last event of the page',
      async run(kit) {
        const { events, start } = await story(kit)
        const found: unknown[] = []
        let after = start
        for (const wanted of events) {
          const page = await kit.take('GET', list, { after, limit: 1 })
          found.push(...rowsOf(page).map(({ event_id }) => event_id))
          expectEqual(found.at(-1), wanted.event_id, `event ${found.length} of pages of one:`, page)
          after = String(page.data.next_cursor)
          if (found.length < events.length) expectEqual(page.data.has_more, true, 'has_more', page)
        }
      },
    },
    {
      ...written,
      id: 'event/list types',
      row: 'types: types with commas in between, such as order.*,user.created',
      async run(kit) {
        const { events, start } = await story(kit)
        for (const [types, pattern] of [
          ['user.created', /^user\.created$/],
          ['user.*,tag_group.*', /^(user|tag_group)\./],
        ] as const) {
          const page = await kit.take('GET', list, { after: start, types, limit: 1000 })
          const last = events.at(-1)!.event_id
          const found = rowsOf(page).map(({ event_id }) => event_id)
          const known = found.includes(last)
            ? found.slice(0, found.indexOf(last) + 1)
            : found.filter((id) => events.some(({ event_id }) => event_id === id))
          expectEqual(
            rowsOf(page).every(({ type }) => pattern.test(String(type))),
            true,
            `only ${types}:`,
            page,
          )
          expectEqual(
            known,
            events.filter(({ type }) => pattern.test(String(type))).map(({ event_id }) => event_id),
            `events ${types}:`,
            page,
          )
        }
        expectFailure(await kit.get(list, { types: 'no.such' }), 40002, ['types'])
      },
    },
    {
      ...{ id: 'event/list cursor that leads nowhere', level: 'feed', gap, operation: list },
      row: '41001: the cursor does not lead into the current feed',
      async run(kit) {
        const { data } = await kit.take('GET', list, { limit: 1 })
        const [position, epoch] = Buffer.from(String(data.newest_cursor), 'base64url').toString().split('.')
        const foreign = Buffer.from(`${position}.${epoch}.ffffffff`).toString('base64url')
        expectFailure(await kit.get(list, { after: foreign }), 41001)
      },
    },
    {
      ...{ id: 'event/list limit', level: 'feed', gap, operation: list },
      row: 'limit: 1 to 1,000; wait_seconds: 0 to 30',
      async run(kit) {
        expectFailure(await kit.get(list, { limit: 1001, wait_seconds: 31 }), 40002, [
          'limit',
          'wait_seconds',
        ])
        const { data } = await kit.take('GET', list, { limit: 1 })
        const waited = await kit.take('GET', list, {
          after: data.newest_cursor,
          types: 'ping',
          wait_seconds: 1,
        })
        expectEqual(waited.data.list, [], 'list', waited)
      },
    },
    {
      ...written,
      id: 'event/fetch',
      operation: 'entity/event/fetch',
      row: 'An event is the same in the feed and alone',
      async run(kit) {
        const { events } = await story(kit)
        const exchange = await kit.take('GET', 'entity/event/fetch', { event_id: events[0]!.event_id })
        expectEqual(exchange.data, events[0], 'the event', exchange)
        expectFailure(await kit.get('entity/event/fetch', { event_id: 'none' }), 40470)
      },
    },
    {
      ...written,
      id: 'event/type/list',
      operation: 'entity/event/type/list',
      row: 'event/type/list explains each type',
      async run(kit) {
        const { events } = await story(kit)
        const exchange = await kit.take('GET', 'entity/event/type/list')
        const known = rowsOf(exchange).map(({ type }) => type)
        for (const { type } of events) expect(known.includes(type), `a row of ${type}`, known, exchange)
      },
    },
    {
      ...written,
      id: 'event/stream',
      operation: 'entity/event/stream',
      row: 'Server-sent events: id is the cursor, data the event; after continues behind a cursor',
      async run(kit) {
        const { events, start } = await story(kit)
        const streamed = await kit.caller.firstOfStream('entity/event/stream', {
          corp_id: kit.corp_id,
          after: start,
        })
        expectEqual(streamed.contentType?.split(';')[0], 'text/event-stream', 'Content-Type')
        expectEqual(streamed.data, events[0], 'data of the first message')
        const next = await kit.take('GET', list, { after: streamed.id, limit: 1 })
        expectEqual(
          rowsOf(next)[0]?.event_id,
          events[1]?.event_id,
          'the event after the id of the first message',
          next,
        )
      },
    },
  ]
}

interface Story {
  start: string
  /** Types and records of the changes, in their order. */
  made: [type: string, record_id: string][]
  moved: Exchange
  email: string
  events: Row[]
  exchange: Exchange
}

/** Changes and their events. */
function story(kit: Kit): Promise<Story> {
  return kit.once('story', async () => {
    kit.requireWrites()
    const before = await kit.take('GET', list, { limit: 1 })
    const start = String(before.data.newest_cursor)
    const { user_id, email } = await makeUser(kit)
    const { entity_id } = await makeGroup(kit)
    const moved = await kit.take('POST', 'entity/user/pool/update', { user_id, pool: 'alive' })
    await kit.take('POST', 'entity/tags/group/deactivate', { entity_id })
    const made: Story['made'] = [
      ['user.created', user_id],
      ['tag_group.created', entity_id],
      ['user.updated', user_id],
      ['tag_group.deactivated', entity_id],
    ]
    const endsAt = Date.now() + patienceMs
    for (;;) {
      const exchange = await kit.take('GET', list, { after: start, limit: 1000, wait_seconds: 1 })
      const events = rowsOf(exchange)
      const isThere = events.some(
        ({ type, record_id }) => type === 'tag_group.deactivated' && record_id === entity_id,
      )
      if (isThere) return { start, made, moved, email, events, exchange }
      if (Date.now() > endsAt) {
        if (events.length === 0)
          throw new Skipped('No event arrived within 30 seconds: the server adds none.')
        expect(false, 'the events of four changes within 30 seconds', shortOf(exchange), exchange)
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
}

function expectFields(record: Row, fields: Fields, exchange: Exchange): void {
  for (const [name, type] of Object.entries(fields))
    expect(
      isOfType(record[name], type),
      `${name}: ${type.replace('?', ' or null')}`,
      record[name] === undefined
        ? 'no such member'
        : `${typeOf(record[name])} ${JSON.stringify(record[name])}`,
      exchange,
    )
}
