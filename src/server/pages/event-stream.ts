import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Caller } from '../../access/caller.ts'
import type { TrustProxy } from '../../access/client-address.ts'
import { faulty } from '../../contract/errors.ts'
import { cursorAt } from '../../events/cursor.ts'
import { listEvents, readFeed, typesOf } from '../../events/list-events.ts'
import type { Services } from '../call.ts'
import { identify } from '../steps/identify.ts'
import { grantedOrganization, requirePermission } from '../steps/permission.ts'
import type { Pages } from './pages.ts'

/** A comment is sent in this interval, so that proxies keep the connection open and the token is checked. */
const heartbeatMs = 15_000
const pageSize = 500

interface StreamOptions {
  trustProxy: TrustProxy
  publicUrl: URL | undefined
}

/** The feed as server-sent events. `id` is the cursor, so a reader that connects again continues where it was. */
export function addEventStream(pages: Pages, services: Services, options: StreamOptions): void {
  pages.get('/api/v5/entity/event/stream', async (_, request) => {
    const caller = await callerOf(services, request, options)
    const query = new URL(request.url!, 'http://localhost').searchParams
    const corp_id = query.get('corp_id')
    if (!corp_id) throw faulty([{ param: 'corp_id', reason: 'is missing', missing: true }])
    grantedOrganization(caller, corp_id)
    const types = typesOf(query.get('types') ?? undefined, caller)
    const resumed = request.headers['last-event-id']
    const after = typeof resumed === 'string' && resumed !== '' ? resumed : (query.get('after') ?? undefined)
    // Before the first byte: a cursor that is refused has a status and an envelope.
    await readFeed(services.db.of(corp_id), corp_id, { after, types, limit: 1 })
    const isAllowed = () =>
      callerOf(services, request, options).then(
        (now) => now.organizations.some((each) => each.corp_id === corp_id),
        () => false,
      )
    const stream = streamOf(services, request, { corp_id, account: caller.app_id, after, types }, isAllowed)
    return {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // A proxy must not collect the stream.
        'x-accel-buffering': 'no',
      },
      body: Readable.from(stream),
    }
  })
}

async function callerOf(
  { auth, now }: Services,
  request: IncomingMessage,
  options: StreamOptions,
): Promise<Caller> {
  const caller = await identify(auth, request, options, now())
  requirePermission(listEvents, caller)
  return caller
}

interface Reading {
  corp_id: string
  account: string
  after: string | undefined
  types: string[]
}

async function* streamOf(
  { db, waiters, newId, isLeaving }: Services,
  request: IncomingMessage,
  { corp_id, account, after, types }: Reading,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<string> {
  const left = new AbortController()
  const leave = () => left.abort()
  request.socket.once('close', leave)
  const reader = newId()
  const query = { after, types, limit: pageSize }
  try {
    // Tells the reader at once that it is connected.
    yield ': connected\n\n'
    while (!isLeaving() && !left.signal.aborted && (await isAllowed())) {
      const { page, feed } = await readFeed(db.of(corp_id), corp_id, query)
      query.after = page.next_cursor
      for (const event of page.list)
        yield `id: ${cursorAt(corp_id, feed, event.seq)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
      if (page.has_more) continue
      // An id without data moves the reader on past events of other types.
      yield `: heartbeat\nid: ${page.next_cursor}\n\n`
      if (!waiters || waiters.isStopping) return
      await waiters.wait({ corp_id, account, reader, length: feed.length }, heartbeatMs, left.signal)
    }
  } finally {
    request.socket.off('close', leave)
    await waiters?.leave(account, reader)
  }
}
