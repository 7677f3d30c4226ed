import { createHash } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { insertRows } from '../database/insert-rows.ts'
import { raw, type Statement, sql } from '../database/sql.ts'

/** Where the chain of an organization ends. */
export interface AuditEnd {
  head: string
  length: number
}

/** An entry that is in no link yet, with the hash of its content. */
export interface LooseEntry {
  entry_id: string
  content_hash: string
}

/** What a link's hash is made of. The first one follows an empty text. */
export function auditLinkHash(previous: string, { entry_id, content_hash }: LooseEntry): string {
  return createHash('sha256').update(`${previous} ${entry_id} ${content_hash}`).digest('hex')
}

/**
 * The hash of a whole entry. Nothing in it depends on the settings of a session. Backslashes are doubled, since text
 * becomes bytes by their escapes.
 */
function entryHash(entry: string): Statement {
  const texts = [
    ...['entry_id', 'actor_kind', 'actor_id', 'address', 'request_id', 'operation', 'action', 'record_type'],
    ...['record_id', 'version::text', 'before::text', 'after::text', 'person_id', 'digest'],
  ]
  const parts = [
    ...texts.map((name) => `quote_nullable(${entry}.${name})`),
    `encode(timestamptz_send(${entry}.at), 'hex')`,
  ]
  return raw(`encode(sha256(decode(replace(${parts.join(` || ' ' || `)}, '\\', '\\\\'), 'escape')), 'hex')`)
}

/** Holds the end of the chain until the transaction is over. */
export async function holdEnd(tx: Queryable, corp_id: string): Promise<AuditEnd & { newest: string }> {
  const [, [end]] = await tx.pipeline<[object, AuditEnd & { newest: string }]>([
    sql`
      insert into audit_heads (corp_id, head, length, newest) values (${corp_id}, '', 0, '')
      on conflict (corp_id) do nothing`,
    sql`select head, length, newest from audit_heads where corp_id = ${corp_id} for update`,
  ])
  return end!
}

export async function findEnd(on: Queryable, corp_id: string): Promise<AuditEnd> {
  const [end] = await on.query<AuditEnd>(sql`
    select head, length from audit_heads where corp_id = ${corp_id}`)
  return end ?? { head: '', length: 0 }
}

/** Whether anything waits to be linked, so that nobody is held up where nothing does. */
export async function hasLooseEntries(on: Queryable, corp_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select 1 from audit_entries e
     where e.corp_id = ${corp_id}
       -- Behind row-level security an index is searched for what a subselect says, not for what is made of that.
       and e.entry_id > (select coalesce(max(h.newest), '') from audit_heads h where h.corp_id = ${corp_id})
     order by e.entry_id limit 1`)
  return rows.length > 0
}

/**
 * Entries behind an id that are in no link, in the order of their ids. Two ranges of ids are compared: to look every entry
 * up among the links took longest where none was loose, by a plan that was made while there were few.
 */
export async function looseEntries(
  tx: Queryable,
  corp_id: string,
  { after, limit }: { after: string; limit: number },
): Promise<LooseEntry[]> {
  return tx.query<LooseEntry>(sql`
    select e.entry_id, ${entryHash('e')} as content_hash
      from audit_entries e
     where e.corp_id = ${corp_id} and e.entry_id = any(array(
             (select entry_id from audit_entries where corp_id = ${corp_id} and entry_id > ${after}
              except
              select entry_id from audit_links where corp_id = ${corp_id} and entry_id > ${after})
              order by entry_id limit ${limit}))
     order by e.entry_id`)
}

const linkColumns = { seq: 'bigint', entry_id: 'text', content_hash: 'text', hash: 'text' } as const

/** Links entries behind the end, in this order. Whoever does it holds the end. */
export async function appendAuditLinks(
  tx: Queryable,
  corp_id: string,
  end: AuditEnd & { newest: string },
  entries: LooseEntry[],
): Promise<void> {
  let { head, length, newest } = end
  const links = entries.map((entry) => {
    head = auditLinkHash(head, entry)
    if (entry.entry_id > newest) newest = entry.entry_id
    return { ...entry, seq: ++length, hash: head }
  })
  await insertRows(tx, 'audit_links', linkColumns, corp_id, links)
  await tx.query(sql`
    update audit_heads set head = ${head}, length = ${length}::bigint, newest = ${newest}
     where corp_id = ${corp_id}`)
}

/** A link, and what its entry comes to today. */
export interface FoundAuditLink extends LooseEntry {
  seq: number
  hash: string
  /** Null where there is no such entry. */
  content_now: string | null
  digest: string | null
  /** Of what the entry tells of a person: null where that is gone. */
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

export async function countLooseEntries(on: Queryable, corp_id: string): Promise<number> {
  const [row] = await on.query<{ total: number }>(sql`
    select count(*) as total from audit_entries e
     where e.corp_id = ${corp_id}
       and not exists (select from audit_links l where l.corp_id = ${corp_id} and l.entry_id = e.entry_id)`)
  return row!.total
}
