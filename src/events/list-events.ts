import { timed } from '../contract/call-times.ts'
import type { Account } from '../contract/caller.ts'
import { endpoint, exampleIds } from '../contract/endpoint.ts'
import { OrganizationId, optionalLine } from '../contract/fields.ts'
import { type Static, Type } from '../contract/type.ts'
import type { Queryable } from '../database/database.ts'
import { cursorAt, positionOf } from './cursor.ts'
import { Event, eventOf, exampleEvent } from './event.ts'
import { type Feed, findEvents, findFeed } from './feed-store.ts'
import './feed-waiters.ts'
import { readableTypes, selectTypes } from './types-filter.ts'

const feedParameters = {
  after: optionalLine(200, 'The cursor to continue after. Absent: from the oldest event'),
  types: optionalLine(2000, 'Types with commas in between, such as order.*,user.created. Absent: all'),
}

const Input = Type.Object({
  corp_id: OrganizationId,
  ...feedParameters,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Events per page' }),
  ),
  wait_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: 'How long to wait if there is no event yet',
    }),
  ),
})

const Page = Type.Object({
  list: Type.Array(Event),
  next_cursor: Type.String({
    description: 'Send it as `after` next, once the events of this page are processed',
  }),
  has_more: Type.Boolean({ description: 'Whether there are events after next_cursor now' }),
  newest_cursor: Type.String({
    description: 'The end of the feed: where a reader starts that has read the lists',
  }),
  oldest_cursor: Type.String({ description: 'Before the oldest event that is kept' }),
})

/** The feed: all changes, in order. */
export const listEvents = endpoint({
  id: 'listEvents',
  method: 'GET',
  path: '/api/v5/entity/event/list',
  group: 'Events',
  permission: 'read',
  staffPermission: 'admin',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Read the event feed',
  description:
    'Every change of the organization once, in the order of the commits. Events hold ids and names of changed members, ' +
    'nothing personal: fetch the record for its values. Events about money need the permission finance. To keep a copy: ' +
    'take `newest_cursor`, read the lists, then follow the feed from that cursor, and store `next_cursor` after each page.',
  input: Input,
  data: Page,
  example: {
    input: { corp_id: exampleIds.corp_id, types: 'user.*,order.*', limit: 100 },
    data: {
      list: [exampleEvent],
      next_cursor: 'NDcxMS4wLjFmMGUyZDNj',
      has_more: false,
      newest_cursor: 'NDcxMS4wLjFmMGUyZDNj',
      oldest_cursor: 'MC4wLjFmMGUyZDNj',
    },
  },
  errors: ['cursorExpired', 'tooManyRequests'],

  async handle(
    { db, account, waiters, closed, newId, times },
    { corp_id, after, types, limit = 100, wait_seconds = 0 },
  ) {
    const query = { after, types: typesOf(types, account), limit }
    const endsAtMs = performance.now() + wait_seconds * 1000
    const reader = newId()
    let signal: AbortSignal | undefined
    let hasWaited = false
    try {
      for (;;) {
        const { page, feed } =
          waiters && wait_seconds > 0
            ? await readSharedFeed(db, corp_id, query, waiters)
            : await readFeed(db, corp_id, query)
        const leftMs = endsAtMs - performance.now()
        const isOver = page.list.length > 0 || page.has_more || leftMs <= 0
        if (isOver || !waiters) return page
        signal ??= closed?.()
        if (waiters.isStopping) {
          if (!hasWaited) await timed(times, 'events', waiters.linger(signal))
          return page
        }
        hasWaited = true
        const place = { corp_id, account: account.app_id, reader, length: feed.length }
        await timed(times, 'events', waiters.wait(place, leftMs, signal))
        if (signal?.aborted) return page
        // Scanned events need not be scanned again.
        query.after = page.next_cursor
      }
    } finally {
      if (hasWaited) await waiters?.leave(account.app_id, reader)
    }
  },
})

export function typesOf(types: string | undefined, account: Pick<Account, 'permissions'>) {
  return types === undefined
    ? readableTypes(account)
    : selectTypes(
        types.split(',').map((each) => each.trim()),
        account,
      )
}

/** Events that one call scans. A page of rare types may therefore be empty and still not be the last one. */
const maxScanned = 20_000

interface FeedQuery {
  after: string | undefined
  types: string[]
  limit: number
}

interface FeedPage {
  page: Static<typeof Page>
  feed: Feed
}

const underWay = new Map<string, Promise<FeedPage>>()

/**
 * The page of a reader that waits for events. One event wakes many readers at the same cursor: those that read the same page at
 * the same moment share one read, so that they do not crowd out other calls of the organization.
 */
export function readSharedFeed(
  db: Queryable,
  corp_id: string,
  query: FeedQuery,
  { generation }: { generation: number },
): Promise<FeedPage> {
  const key = JSON.stringify([corp_id, generation, query])
  const known = underWay.get(key)
  if (known) return known
  const read = readFeed(db, corp_id, query).finally(() => underWay.delete(key))
  underWay.set(key, read)
  return read
}

export async function readFeed(
  db: Queryable,
  corp_id: string,
  { after, types, limit }: FeedQuery,
): Promise<FeedPage> {
  const feed = await findFeed(db, corp_id)
  const start = after === undefined ? feed.pruned : positionOf(corp_id, feed, after)
  const until = Math.min(start + maxScanned, feed.length)
  const found = start < until ? await findEvents(db, corp_id, { after: start, until, types, limit }) : []
  const end = found.length === limit ? found.at(-1)!.seq : until
  return {
    feed,
    page: {
      list: found.map(eventOf),
      next_cursor: cursorAt(corp_id, feed, end),
      has_more: end < feed.length,
      newest_cursor: cursorAt(corp_id, feed, feed.length),
      oldest_cursor: cursorAt(corp_id, feed, feed.pruned),
    },
  }
}
