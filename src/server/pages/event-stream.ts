import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Caller } from '../../access/caller.ts'
import type { TrustProxy } from '../../access/client-address.ts'
import { ApiError, faulty } from '../../contract/errors.ts'
import { cursorAt } from '../../events/cursor.ts'
import { listEvents, readFeed, readSharedFeed, typesOf } from '../../events/list-events.ts'
import type { Services } from '../call.ts'
import { identify } from '../steps/identify.ts'
import { grantedOrganization, requirePermission } from '../steps/permission.ts'
import type { RateLimit } from '../steps/rate-leases.ts'
import type { Pages } from './pages.ts'

/** A comment is sent in this interval, so that proxies keep the connection open and the token is checked. */
const heartbeatMs = 15_000
const pageSize = 500

/** A stream keeps its place this long, and renews it more often, whether or not its reader reads. */
const placeMs = 30_000
const renewalMs = 10_000

interface StreamOptions {
  limitRate: RateLimit
  trustProxy: TrustProxy
  publicUrl: URL | undefined
}

/** The feed as server-sent events. `id` is the cursor, so a reader that connects again continues where it was. */
export function addEventStream(pages: Pages, services: Services, options: StreamOptions): void {
  pages.getUncounted('/api/v5/entity/event/stream', async (_, request) => {
    const caller = await callerOf(services, request, options)
    const limits: string[] = []
    await options.limitRate(caller, limits, services.now())
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
        (now) => now.organizations.some((each) => each.corp_id === corp_id && !each.is_suspended),
        () => false,
      )
    const account = caller.app_id
    const reader = services.newId()
    const left = new AbortController()
    const reading = { corp_id, account, reader, after, types }
    await services.waiters?.enter(reading, placeMs)
    const renewal = setInterval(() => {
      services.waiters?.enter(reading, placeMs).catch(() => left.abort())
    }, renewalMs)
    const body = Readable.from(streamOf(services, reading, isAllowed, left.signal))
    const { socket } = request
    // The body closes once it waits no longer. A pipelined response gets no close event.
    const end = () => {
      left.abort()
      body.destroy()
    }
    socket.once('close', end)
    // Also if nothing was ever read from it.
    body.once('close', () => {
      left.abort()
      clearInterval(renewal)
      socket.off('close', end)
      void services.waiters?.leave(account, reader)
    })
    if (socket.destroyed) end()
    return {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // A proxy must not buffer the stream.
        'x-accel-buffering': 'no',
        ...headersOf(limits),
      },
      body,
    }
  })
}

/** From a list of names and values. */
function headersOf(list: string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let index = 0; index < list.length; index += 2) headers[list[index]!] = list[index + 1]!
  return headers
}

async function callerOf(
  { auth, now }: Services,
  request: IncomingMessage,
  options: StreamOptions,
): Promise<Caller> {
  const caller = await identify(auth, request, options, now())
  requirePermission(listEvents, caller)
  // A stream is not a call, so the activity log cannot show it.
  if (caller.kind === 'staff' && caller.session.support) throw new ApiError('permissionMissing')
  return caller
}

interface Reading {
  corp_id: string
  account: string
  reader: string
  after: string | undefined
  types: string[]
}

async function* streamOf(
  { db, waiters, isDraining, isLeaving }: Services,
  { corp_id, account, reader, after, types }: Reading,
  isAllowed: () => Promise<boolean>,
  left: AbortSignal,
): AsyncGenerator<string> {
  const query = { after, types, limit: pageSize }
  const on = db.of(corp_id)
  // Tells the reader at once that it is connected.
  yield ': connected\n\n'
  while (!isDraining() && !isLeaving() && !left.aborted && (await isAllowed())) {
    const { page, feed } = await (waiters
      ? readSharedFeed(on, corp_id, query, waiters)
      : readFeed(on, corp_id, query))
    query.after = page.next_cursor
    for (const event of page.list)
      yield `id: ${cursorAt(corp_id, feed, event.seq)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
    if (page.has_more) continue
    // An id without data moves the reader on past events of other types.
    yield `: heartbeat\nid: ${page.next_cursor}\n\n`
    if (!waiters || waiters.isStopping) return
    await waiters.wait({ corp_id, account, reader, length: feed.length }, heartbeatMs, left)
  }
}
