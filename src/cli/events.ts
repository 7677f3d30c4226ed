import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Command } from 'commander'
import { linkEntries } from '../access/audit/link-entries.ts'
import type { Keyring } from '../access/organizations/keyring.ts'
import type { Database } from '../database/database.ts'
import { addEvents } from '../events/add-events.ts'
import { cursorAt } from '../events/cursor.ts'
import type { Event } from '../events/event.ts'
import { changeEventDays } from '../events/event-retention.ts'
import { findFeed } from '../events/feed-store.ts'
import { readFeed, typesOf } from '../events/list-events.ts'
import { signedHeaders, webhookSecret } from '../events/standard-webhooks.ts'
import { triggerEvent } from '../events/trigger-event.ts'
import { bodyOf } from '../events/webhooks/payload.ts'
import { contextOf } from './import-command.ts'
import { type Answer, print, readCount } from './output.ts'
import { answering, type Session, type Settings, withDatabase, withoutTimeouts } from './session.ts'

interface FollowOptions {
  org: string
  types?: string
  json?: boolean
}

export function createCommand(settings: Settings): Command {
  const events = new Command('events')
  const selecting = (command: Command) =>
    command
      .requiredOption('--org <corp_id>', 'the organization')
      .option('--types <list>', 'types with commas in between, such as order.*,user.created (default: all)')
  selecting(events.command('tail').description('Show the newest events of the feed.'))
    .option('--last <n>', 'number of events (default: 10)', readCount)
    .option('--follow', 'continue with events as they happen, until interrupted')
    .action((options) => tail(settings, options))
  selecting(
    events
      .command('listen')
      .description('Forward events as they happen to a program on this machine, signed like a webhook.'),
  )
    .requiredOption('--forward-to <url>', 'where to post them, such as http://localhost:4242/webhooks')
    .action((options) => listen(settings, options))
  events
    .command('trigger')
    .description('Add a test event to the feed. Its record does not exist.')
    .argument('<type>', 'the type, such as order.created')
    .requiredOption('--org <corp_id>', 'the organization')
    .action(answering(settings, trigger))
  events
    .command('retention')
    .description('Show or change how long events are kept.')
    .requiredOption('--org <corp_id>', 'the organization')
    .option('--days <n>', '7 to 730', readCount)
    .action(answering(settings, retention))
  return events
}

interface TailOptions extends FollowOptions {
  last?: number
  follow?: boolean
}

async function tail(settings: Settings, options: TailOptions): Promise<void> {
  const { last = 10, follow, json } = options
  if (!Number.isInteger(last) || last < 0 || last > 1000)
    throw new Error('The number of events must be a whole number from 0 to 1000.')
  await withDatabase(
    settings,
    async (session) => {
      const { list, cursor } = await newestEvents(session, options, last)
      if (!follow)
        return print({ json: { list, next_cursor: cursor }, text: list.map(lineOf).join('\n') }, json)
      const show = (event: Event) => print({ json: event, text: lineOf(event) }, json)
      list.forEach(show)
      await followFeed(session, options, cursor, async (event) => show(event))
    },
    withoutTimeouts,
  )
}

/** The last events of the selected types, and the end of the feed. Reads backwards in steps. */
async function newestEvents(
  session: Session,
  { org, types }: FollowOptions,
  count: number,
): Promise<{ list: Event[]; cursor: string }> {
  const { db: on, account } = await contextOf(session, org)
  await sequence(session.db, org)
  const wanted = typesOf(types, account)
  const feed = await findFeed(on, org)
  let list: Event[] = []
  for (let end = feed.length; end > feed.pruned && list.length < count; end -= backwards) {
    const start = Math.max(feed.pruned, end - backwards)
    const query = { after: cursorAt(org, feed, start), types: wanted, limit: end - start }
    const { page } = await readFeed(on, org, query)
    list = [...page.list.filter(({ seq }) => seq <= end), ...list]
  }
  return { list: list.slice(Math.max(0, list.length - count)), cursor: cursorAt(org, feed, feed.length) }
}

const backwards = 1000
const pollMs = 500

/** Passes on events as they happen, until interrupted. */
async function followFeed(
  session: Session,
  { org, types }: FollowOptions,
  start: string,
  pass: (event: Event) => Promise<void>,
): Promise<void> {
  const { db: on, account } = await contextOf(session, org)
  const query = { after: start, types: typesOf(types, account), limit: 500 }
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  const { signal } = interrupted
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, interrupt)
  while (!signal.aborted) {
    await sequence(session.db, org)
    const { page } = await readFeed(on, org, query)
    for (const event of page.list) if (!signal.aborted) await pass(event)
    query.after = page.next_cursor
    if (!page.has_more) await pause(pollMs, undefined, { signal }).catch(() => undefined)
  }
}

interface ListenOptions extends FollowOptions {
  forwardTo: string
}

/** Long enough for a breakpoint in the program that is tested. */
const answerMs = 120_000

/** A failure is shown and not retried: this is a test by a person. */
async function listen(settings: Settings, options: ListenOptions): Promise<void> {
  const { org, forwardTo, json } = options
  if (!/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? ''))
    throw new Error('--forward-to takes an address that begins with http:// or https://.')
  await withDatabase(
    settings,
    async (session) => {
      const { cursor } = await newestEvents(session, options, 0)
      const secret = listeningSecret(await session.openKeyring(), org)
      const text = `Forwarding events to ${forwardTo}. They are signed with ${secret}, the same each time.`
      print({ json: { forward_to: forwardTo, secret }, text }, json)
      await followFeed(session, options, cursor, async (event) => {
        const outcome = await forward(event, forwardTo, secret)
        const { event_id, type, record_id } = event
        print({ json: { event_id, type, outcome }, text: `${outcome}  ${type}  ${record_id}` }, json)
      })
    },
    withoutTimeouts,
  )
}

/** The same each time, for this purpose only. A new master key gives another secret. */
function listeningSecret({ tokenKeys }: Keyring, corp_id: string): string {
  const [newest] = tokenKeys
  return webhookSecret(createHmac('sha256', newest!.key).update(`events listen ${corp_id}`).digest())
}

/** The status of the answer, or the reason why there is none. */
async function forward(event: Event, url: string, secret: string): Promise<string> {
  const body = bodyOf(event)
  const signed = signedHeaders([secret], { id: event.event_id, body, now: new Date() })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    })
    await response.body?.cancel()
    return String(response.status)
  } catch (error) {
    const { cause, message } = error as Error
    return String((cause as NodeJS.ErrnoException | undefined)?.code ?? message)
  }
}

/** Adds what is committed to the feed. A running server does this by itself. */
async function sequence(db: Database, corp_id: string): Promise<void> {
  await linkEntries(db, corp_id)
  await addEvents(db, corp_id)
}

function lineOf({ seq, at, type, record_id, changed, actor }: Event): string {
  const what = changed.length > 0 ? `${record_id} (${changed.join(', ')})` : record_id
  return `${seq}  ${at}  ${type}  ${what}  by ${actor.kind} ${actor.id}`
}

async function trigger(session: Session, type: string, { org }: { org: string }): Promise<Answer> {
  const { db: on } = await contextOf(session, org)
  const record_id = await triggerEvent(on, type)
  await sequence(session.db, org)
  return { json: { type, record_id }, text: `Added ${type} of ${record_id}.` }
}

async function retention({ db }: Session, { org, days }: { org: string; days?: number }): Promise<Answer> {
  const event_days = await changeEventDays(db, org, days)
  return { json: { event_days }, text: `Events are kept for ${event_days} days.` }
}
