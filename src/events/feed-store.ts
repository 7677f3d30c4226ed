import { type ChainedEntry, chainedEntry } from '../access/audit/audit-chain-store.ts'
import type { Database, Queryable, Surveyor } from '../database/database.ts'
import { firstRow } from '../database/first-row.ts'
import { insertingRows } from '../database/insert-rows.ts'
import { microseconds, type Statement, sql } from '../database/sql.ts'
import { survey } from '../database/survey.ts'
import type { ModifiedRecord } from '../search/modified-record-store.ts'
import type { AuditedChange, DerivedEvent, OrderVersion } from './derive-events.ts'

/** The state of an organization's feed. */
export interface Feed {
  epoch: string
  /** The number of the newest event. */
  length: number
  /** Events up to this number were deleted for their age. */
  pruned: number
}

/** The epoch of a feed that no restore has interrupted. */
const firstEpoch = '0'

/** A linked entry of the audit that is not in the feed yet. */
export type LinkedChange = AuditedChange & Omit<ChainedEntry, 'personal'>

/** An event as the feed stores it. */
export interface StoredEvent extends Omit<DerivedEvent, 'type'> {
  seq: number
  event_id: string
  type: string
  at: string
  actor_kind: string
  actor_id: string
  request_id: string | null
}

/** Whether the audit chain has links that the feed does not cover. */
export async function isFeedBehind(on: Queryable, corp_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select 1 from audit_heads h
     where h.corp_id = ${corp_id}
       and h.length > coalesce((select f.linked from event_feeds f where f.corp_id = ${corp_id}), 0)`)
  return rows.length > 0
}

/** The chains with entries to link, or with links that the feed of their organization has not followed. */
export async function findChainsWithWork(on: Surveyor): Promise<string[]> {
  return on.corpIds(survey`
    select w.corp_id from audit_waiting w
    union
    select h.corp_id
      from audit_heads h
      left join event_feeds f on f.corp_id = h.corp_id
     where h.corp_id <> '' and h.length > coalesce(f.linked, 0)`)
}

/** Entries of all audit chains that wait to be linked, and links that the feeds have not followed. */
export async function countBacklog(on: Surveyor): Promise<{ unlinked: number; behind: number }> {
  const [found] = await on.ask<{ waiting: number }>(survey`select count(*) as waiting from audit_waiting w`)
  const [links] = await on.ask<{ lag: number }>(survey`
    select coalesce(sum(h.length - coalesce(f.linked, 0)), 0)::bigint as lag
      from audit_heads h
      left join event_feeds f on f.corp_id = h.corp_id
     where h.corp_id <> ''`)
  return { unlinked: found!.waiting, behind: links!.lag }
}

/** The age of the oldest entry of the audit that is not in the feed yet, in seconds; 0 if there is none. */
export async function oldestOutsideFeed(on: Queryable, corp_id: string): Promise<number> {
  const [found] = await on.query<{ seconds: number }>(sql`
    select extract(epoch from clock_timestamp() - min(waiting.at))::double precision as seconds
      from (select min(w.at) as at from audit_waiting w where w.corp_id = ${corp_id}
            union all
            (select e.at from audit_links l
               join audit_entries e on e.corp_id = ${corp_id} and e.entry_id = l.entry_id
              where l.corp_id = ${corp_id}
                and l.seq > coalesce((select f.linked from event_feeds f where f.corp_id = ${corp_id}), 0)
              order by l.seq limit 1)) waiting`)
  return Math.max(0, found?.seconds ?? 0)
}

/** Locks the feed, so that one process adds events at a time. */
export async function lockFeed(tx: Queryable, corp_id: string): Promise<LockedFeed> {
  const { feeds } = await tx.pipeline<{ created: object; feeds: LockedFeed }>({
    created: sql`
      insert into event_feeds (corp_id, epoch, length, linked) values (${corp_id}, ${firstEpoch}, 0, 0)
      on conflict (corp_id) do nothing`,
    feeds: sql`
      select length, linked, ${microseconds('modified_at')} as modified_at from event_feeds
       where corp_id = ${corp_id} for update`,
  })
  return firstRow(feeds)
}

export interface LockedFeed {
  length: number
  linked: number
  modified_at: string
}

/** The next entries in the order of the chain. */
export function findingLinkedEntries(corp_id: string, after: number, limit: number): Statement {
  return sql`
    select l.seq, ${chainedEntry('e', 'p')}
      from (select seq, entry_id from audit_links
             where corp_id = ${corp_id} and seq > ${after}::bigint order by seq limit ${limit}) l
     -- The offsets keep the joins by key: a plan from the time of small tables would read all entries.
     cross join lateral (
       select e.* from audit_entries e where e.corp_id = ${corp_id} and e.entry_id = l.entry_id offset 0) e
      left join lateral (
        select p.content from audit_personal p
         where p.corp_id = ${corp_id} and p.person_id = e.person_id and p.entry_id = e.entry_id offset 0) p on true
     order by l.seq`
}

/** The entries with the versions of orders that they name. A version holds the changes of the order. */
export async function readChanges(
  tx: Queryable,
  corp_id: string,
  entries: ChainedEntry[],
): Promise<LinkedChange[]> {
  const ofOrders = entries.filter(({ record_type, version }) => record_type === 'orders' && version !== null)
  const versions =
    ofOrders.length === 0 ? [] : await tx.query<FoundVersion>(findingVersions(corp_id, ofOrders))
  const found = new Map(versions.map(({ entry_id, version_of }) => [entry_id, version_of]))
  return entries.map(({ personal, ...entry }) => ({
    ...entry,
    personal: namesOfPersonal(personal),
    order: found.get(entry.entry_id) ?? null,
  }))
}

interface FoundVersion {
  entry_id: string
  version_of: OrderVersion
}

function findingVersions(corp_id: string, entries: ChainedEntry[]): Statement {
  return sql`
    select given.entry_id, v.version_of
      from unnest(${entries.map(({ entry_id }) => entry_id)}::text[], ${entries.map(({ record_id }) => record_id)}::text[],
                  ${entries.map(({ version }) => version)}::integer[]) given (entry_id, order_id, version)
     cross join lateral (
        select jsonb_build_object('change', v.change, 'from_status', v.from_status, 'to_status', v.to_status,
                                  'subject_id', v.subject_id, 'before', b.record -> 'order', 'after', orders.after,
                                  'facts', orders.facts) as version_of
          from order_versions v
          left join order_versions b
            on b.corp_id = ${corp_id} and b.order_id = v.order_id and b.version = v.version - 1
         -- The offset keeps this apart: every other mention of a record would decompress all of it once more.
         cross join lateral (select v.record -> 'order' as after, v.record -> 'facts' as facts offset 0) orders
         where v.corp_id = ${corp_id} and v.order_id = given.order_id and v.version = given.version
         limit 1) v`
}

/** The names of the personal members. Their values go no further. */
function namesOfPersonal(personal: string | null): string[] {
  if (personal === null) return []
  const { before, after } = JSON.parse(personal) as { before?: object | null; after?: object | null }
  return Object.keys({ ...before, ...after }).toSorted()
}

const eventColumns = {
  seq: 'bigint',
  event_id: 'text',
  type: 'text',
  at: 'timestamptz',
  record_type: 'text',
  record_id: 'text',
  version: 'integer',
  changed: 'jsonb',
  related: 'jsonb',
  actor_kind: 'text',
  actor_id: 'text',
  request_id: 'text',
} as const

/** Adds events, and notes the link that the feed covers now. The caller holds the lock of the feed. */
export async function appendEvents(
  tx: Queryable,
  corp_id: string,
  events: StoredEvent[],
  { length, linked, modified_at }: LockedFeed,
  noting: Statement[],
): Promise<void> {
  await tx.runLast([
    ...insertingRows('events', eventColumns, corp_id, events),
    ...noting,
    sql`
      update event_feeds
         set length = ${length}::bigint, linked = ${linked}::bigint, modified_at = ${modified_at}::timestamptz
       where corp_id = ${corp_id}`,
  ])
}

/** Distinguishes existing from removed records. */
export async function findPresent(
  tx: Queryable,
  corp_id: string,
  records: ModifiedRecord[],
): Promise<{ present: ModifiedRecord[]; gone: ModifiedRecord[] }> {
  if (records.length === 0) return { present: [], gone: [] }
  const idsOf = (list: string) => records.filter((record) => record.list === list).map(({ id }) => id)
  const found = await tx.pipeline<{ users: { id: string }; leads: { id: string } }>({
    // The offsets keep the search by key: a plan from the time of small tables would read all records.
    users: sql`
      select u.user_id as id from unnest(${idsOf('users')}::text[]) given (id)
       cross join lateral (select user_id from users where corp_id = ${corp_id} and user_id = given.id offset 0) u`,
    leads: sql`
      select l.lead_id as id from unnest(${idsOf('leads')}::text[]) given (id)
       cross join lateral (select lead_id from leads where corp_id = ${corp_id} and lead_id = given.id offset 0) l`,
  })
  const known = {
    users: new Set(found.users.map(({ id }) => id)),
    leads: new Set(found.leads.map(({ id }) => id)),
  }
  const { true: present = [], false: gone = [] } = Object.groupBy(records, ({ list, id }) =>
    String(known[list].has(id)),
  )
  return { present, gone }
}

export async function findFeed(on: Queryable, corp_id: string): Promise<Feed> {
  const [feed] = await on.query<Feed>(sql`
    select epoch, length, pruned from event_feeds where corp_id = ${corp_id}`)
  return feed ?? { epoch: firstEpoch, length: 0, pruned: 0 }
}

export async function feedLength(db: Database, corp_id: string): Promise<number> {
  return (await findFeed(db.of(corp_id), corp_id)).length
}

/** A window of the feed: events after a number, of some types, up to a number. */
export interface FeedWindow {
  after: number
  until: number
  types: string[]
  limit: number
}

export async function findEvents(
  on: Queryable,
  corp_id: string,
  { after, until, types, limit }: FeedWindow,
): Promise<StoredEvent[]> {
  return on.query<StoredEvent>(sql`
    select ${storedEvent} from events
     where corp_id = ${corp_id} and seq > ${after}::bigint and seq <= ${until}::bigint and type = any(${types})
     order by seq limit ${limit}`)
}

export async function findEvent(
  on: Queryable,
  corp_id: string,
  event_id: string,
): Promise<StoredEvent | undefined> {
  const [event] = await on.query<StoredEvent>(sql`
    select ${storedEvent} from events where corp_id = ${corp_id} and event_id = ${event_id}`)
  return event
}

/** The columns of a stored event. */
export const storedEvent = sql`
  seq, event_id, type, ${microseconds('at')} as at, record_type, record_id,
  version, changed, related, actor_kind, actor_id, request_id`

const defaultDays = 90

/** How many days events are kept. */
export async function findEventDays(on: Queryable, corp_id: string): Promise<number> {
  const [feed] = await on.query<{ days: number }>(sql`
    select days from event_feeds where corp_id = ${corp_id}`)
  return feed?.days ?? defaultDays
}

export async function storeEventDays(on: Queryable, corp_id: string, days: number): Promise<void> {
  await on.query(sql`
    insert into event_feeds (corp_id, epoch, length, linked, days) values (${corp_id}, ${firstEpoch}, 0, 0, ${days})
    on conflict (corp_id) do update set days = excluded.days returning 1`)
}

/** The organizations whose oldest event has been kept long enough. */
export async function findCorpIdsWithOldEvents(on: Surveyor, now: Date): Promise<string[]> {
  return on.corpIds(survey`
    select f.corp_id
      from event_feeds f
      join events e on e.corp_id = f.corp_id and e.seq = f.pruned + 1
     where e.at < ${now}::timestamptz - f.days * interval '1 day'`)
}

/** Deletes a step of the events that are older than the feed keeps them. Returns their number. */
export async function pruneEvents(on: Queryable, corp_id: string, now: Date, limit: number): Promise<number> {
  return on.transaction(async (tx) => {
    const rows = await tx.query<{ seq: number }>(sql`
      select seq from events
       where corp_id = ${corp_id}
         and at < ${now}::timestamptz - (select f.days from event_feeds f where f.corp_id = ${corp_id}) * interval '1 day'
         and seq <= (select f.pruned + ${limit}::bigint from event_feeds f where f.corp_id = ${corp_id})
       order by seq limit ${limit}`)
    const last = rows.at(-1)
    if (!last) return 0
    await tx.query(
      sql`delete from events where corp_id = ${corp_id} and seq <= ${last.seq}::bigint returning 1`,
    )
    await tx.query(sql`
      update event_feeds set pruned = ${last.seq}::bigint where corp_id = ${corp_id} returning 1`)
    return rows.length
  })
}

/** Starts a new epoch: cursors of the old one are refused from now on. */
export async function startEpoch(on: Queryable, corp_id: string, epoch: string): Promise<void> {
  await on.query(sql`update event_feeds set epoch = ${epoch} where corp_id = ${corp_id} returning 1`)
}
