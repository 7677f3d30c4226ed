import { createHash } from 'node:crypto'
import type { Queryable } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { insertingRows } from '../../database/insert-rows.ts'
import { microseconds, raw, type Statement, sql } from '../../database/sql.ts'

/** The end of an organization's chain. */
export interface AuditEnd {
  head: string
  length: number
}

/** An entry with the hash of its content. */
export interface HashedEntry {
  entry_id: string
  content_hash: string
}

/** An entry as those who follow the chain read it. */
export interface ChainedEntry {
  entry_id: string
  /** ISO 8601, UTC, with microseconds. */
  at: string
  actor_kind: string
  actor_id: string
  request_id: string | null
  operation: string
  action: string
  record_type: string
  record_id: string
  version: number | null
  person_id: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  /** The personal part, as JSON with the members `before` and `after`. */
  personal: string | null
}

const chainedColumns =
  'entry_id actor_kind actor_id request_id operation action record_type record_id version person_id before after'.split(
    ' ',
  )

/** The columns of a chained entry from an audit entry and its personal part. */
export function chainedEntry(entry: string, personal: string): Statement {
  const columns = chainedColumns.map((name) => `${entry}.${name}`).join(', ')
  return sql`${raw(columns)}, ${microseconds(`${entry}.at`)} as at, ${raw(`${personal}.content`)} as personal`
}

/** The hash of a link. The first link follows an empty text. */
export function auditLinkHash(previous: string, { entry_id, content_hash }: HashedEntry): string {
  return createHash('sha256').update(`${previous} ${entry_id} ${content_hash}`).digest('hex')
}

/** The hash of a whole entry, independent of session settings. Backslashes are doubled, since decode() reads escapes. */
function entryHash(entry: string): Statement {
  const columns =
    'entry_id actor_kind actor_id address request_id operation action record_type record_id version::text before::text ' +
    'after::text person_id digest'
  const parts = [
    ...columns.split(' ').map((name) => `quote_nullable(${entry}.${name})`),
    `encode(timestamptz_send(${entry}.at), 'hex')`,
  ]
  return raw(`encode(sha256(decode(replace(${parts.join(` || ' ' || `)}, '\\', '\\\\'), 'escape')), 'hex')`)
}

export type WaitingEntry = ChainedEntry & HashedEntry

/**
 * Locks the end of the chain, and reads the first waiting entries in their order. The lock comes first, so that no other
 * process links them. Tampered rows, without an entry or with a linked one, do not block others: `audit verify` reports them.
 */
export async function lockEnd(
  tx: Queryable,
  corp_id: string,
  limit: number,
): Promise<{ end: AuditEnd; entries: WaitingEntry[] }> {
  const { ends, entries } = await tx.pipeline<{ created: object; ends: AuditEnd; entries: WaitingEntry }>({
    created: sql`
      insert into audit_heads (corp_id, head, length) values (${corp_id}, '', 0)
      on conflict (corp_id) do nothing`,
    ends: sql`select head, length from audit_heads where corp_id = ${corp_id} for update`,
    // `offset 0` fixes the order of the joins: a plan from the time of small tables still uses the keys.
    entries: sql`
      select e.content_hash, ${chainedEntry('e', 'p')}
        from (select entry_id, at from audit_waiting where corp_id = ${corp_id} order by at, entry_id offset 0) w
       cross join lateral (select e.*, ${entryHash('e')} as content_hash from audit_entries e
                            where e.corp_id = ${corp_id} and e.entry_id = w.entry_id offset 0) e
        left join lateral (select p.content from audit_personal p
                            where p.corp_id = ${corp_id} and p.person_id = e.person_id
                              and p.entry_id = e.entry_id offset 0) p on true
        left join lateral (select true as is_linked from audit_links l
                            where l.corp_id = ${corp_id} and l.entry_id = w.entry_id offset 0) l on true
       where l.is_linked is null
       order by w.at, w.entry_id
       limit ${limit}`,
  })
  return { end: firstRow(ends), entries }
}

export async function findEnd(on: Queryable, corp_id: string): Promise<AuditEnd> {
  const [end] = await on.query<AuditEnd>(auditEndOf(corp_id))
  return end ?? { head: '', length: 0 }
}

/** Selects no row for an empty chain. */
export function auditEndOf(corp_id: string): Statement {
  return sql`select head, length from audit_heads where corp_id = ${corp_id}`
}

/** Whether entries wait to be linked. Checked before the end of the chain is locked. */
export async function hasWaitingEntries(on: Queryable, corp_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select 1 from audit_waiting where corp_id = ${corp_id} limit 1`)
  return rows.length > 0
}

const linkColumns = { seq: 'bigint', entry_id: 'text', content_hash: 'text', hash: 'text' } as const

/** Appends links for entries, in this order. The caller holds the lock of the end. */
export async function appendAuditLinks(
  tx: Queryable,
  corp_id: string,
  end: AuditEnd,
  entries: HashedEntry[],
): Promise<void> {
  let { head, length } = end
  const links = entries.map(({ entry_id, content_hash }) => {
    head = auditLinkHash(head, { entry_id, content_hash })
    return { entry_id, content_hash, seq: ++length, hash: head }
  })
  await tx.runLast([
    ...insertingRows('audit_links', linkColumns, corp_id, links),
    sql`update audit_heads set head = ${head}, length = ${length}::bigint where corp_id = ${corp_id}`,
    // Exactly these: an entry with an earlier time may have committed since.
    sql`
      delete from audit_waiting
       where corp_id = ${corp_id} and entry_id = any(${entries.map(({ entry_id }) => entry_id)})`,
  ])
}

/** A link with the current hash of its entry. */
export interface FoundAuditLink extends HashedEntry {
  seq: number
  hash: string
  /** Null if the entry does not exist. */
  content_now: string | null
  digest: string | null
  /** The digest of the personal part; null if it does not exist. */
  digest_now: string | null
  is_erased: boolean
}

export async function auditLinksAfter(
  tx: Queryable,
  corp_id: string,
  { after, limit }: { after: number; limit: number },
): Promise<FoundAuditLink[]> {
  return tx.query<FoundAuditLink>(sql`
    select l.seq, l.entry_id, l.content_hash, l.hash, ${entryHash('e')} as content_now, e.digest,
           encode(sha256(convert_to(p.salt || p.content, 'UTF8')), 'hex') as digest_now,
           x.user_id is not null as is_erased
      from (select seq, entry_id, content_hash, hash
              from audit_links where corp_id = ${corp_id} and seq > ${after}::bigint order by seq limit ${limit}) l
      left join audit_entries e on e.corp_id = ${corp_id} and e.entry_id = l.entry_id
      left join audit_personal p
        on p.corp_id = ${corp_id} and p.person_id = e.person_id and p.entry_id = e.entry_id
      left join erased_users x on x.corp_id = ${corp_id} and x.user_id = e.person_id
     order by l.seq`)
}

/** A link with its whole entry, without the personal part. */
export interface WholeLink extends FoundAuditLink {
  at: Date
  /** The entry as JSON. */
  entry: string
}

export async function wholeLinksAfter(
  tx: Queryable,
  corp_id: string,
  { after, limit }: { after: number; limit: number },
): Promise<WholeLink[]> {
  return tx.query<WholeLink>(sql`
    select l.seq, l.entry_id, l.content_hash, l.hash, ${entryHash('e')} as content_now, null as digest, null as digest_now,
           false as is_erased, e.at, (to_jsonb(e) - 'corp_id')::text as entry
      from (select seq, entry_id, content_hash, hash
              from audit_links where corp_id = ${corp_id} and seq > ${after}::bigint order by seq limit ${limit}) l
      left join audit_entries e on e.corp_id = ${corp_id} and e.entry_id = l.entry_id
     order by l.seq`)
}

/** The content hashes of entries outside the database, in their order. */
export async function hashesOfEntries(on: Queryable, entries: string[]): Promise<string[]> {
  const rows = await on.query<{ content_now: string }>(sql`
    select ${entryHash('e')} as content_now
      from unnest(${entries}::text[]) with ordinality as given (entry, place)
      cross join lateral jsonb_populate_record(null::audit_entries, given.entry::jsonb) e
     order by given.place`)
  return rows.map(({ content_now }) => content_now)
}

/** The stored hashes of some links. */
export async function auditHashesOf(
  tx: Queryable,
  corp_id: string,
  seqs: number[],
): Promise<{ seq: number; hash: string }[]> {
  return tx.query(sql`
    select seq, hash from audit_links where corp_id = ${corp_id} and seq = any(${seqs}::bigint[])`)
}

export async function countWaitingEntries(on: Queryable, corp_id: string): Promise<number> {
  const rows = await on.query<{ total: number }>(sql`
    select count(*) as total from audit_waiting where corp_id = ${corp_id}`)
  return firstRow(rows).total
}

/** An entry or waiting row that is inconsistent. */
export interface StrayEntry {
  entry_id: string
  fault: 'neither linked nor waiting' | 'waiting without an entry' | 'linked and waiting'
}

/**
 * Finds entries that are not either linked or waiting, up to a limit. Ids begin with their time, so that entries since an
 * instant are those from an id on.
 */
export async function findStrayEntries(
  tx: Queryable,
  corp_id: string,
  { fromId, limit }: { fromId: string; limit: number },
): Promise<StrayEntry[]> {
  const isLinked = (entry: string) =>
    sql`exists (select from audit_links l where l.corp_id = ${corp_id} and l.entry_id = ${raw(entry)}.entry_id)`
  const { strays } = await tx.pipeline<{ strays: StrayEntry }>({
    strays: [
      sql`
      select e.entry_id, 'neither linked nor waiting' as fault
        from audit_entries e
       where e.corp_id = ${corp_id} and e.entry_id >= ${fromId} and not ${isLinked('e')}
         and not exists (select from audit_waiting w where w.corp_id = ${corp_id} and w.entry_id = e.entry_id)
       order by e.entry_id limit ${limit}`,
      sql`
      select w.entry_id, 'waiting without an entry' as fault
        from audit_waiting w
       where w.corp_id = ${corp_id}
         and not exists (select from audit_entries e where e.corp_id = ${corp_id} and e.entry_id = w.entry_id)
       order by w.entry_id limit ${limit}`,
      sql`
      select w.entry_id, 'linked and waiting' as fault
        from audit_waiting w
       where w.corp_id = ${corp_id} and ${isLinked('w')}
       order by w.entry_id limit ${limit}`,
    ],
  })
  return strays
}
