import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'
import { archivedLength } from './archive-store.ts'
import { findEnd } from './audit-chain-store.ts'
import type { StoredEntry } from './audit-entry.ts'

/** The filter of a list of entries. */
export interface AuditFilter {
  from?: Date | undefined
  until?: Date | undefined
  actor_id?: string | undefined
  operation?: string | undefined
  action?: string | undefined
  record_type?: string | undefined
  record_id?: string | undefined
  person_id?: string | undefined
}

/** An entry with the person that it is about. */
export interface ListedEntry extends StoredEntry {
  /** "" if it is about no person. */
  subject_id: string
  /** "" if the person has no name, or was erased. */
  subject_name: string
}

export interface EntryWindow {
  offset: number
  limit: number
  isNewestFirst: boolean
  /** Leaves out the views of the audit by this person. */
  viewer?: string | undefined
}

/**
 * A page of entries in the order of their links, or the other way round. The order never changes and has no gaps: a page of
 * the oldest always holds the same entries, until the first ones are archived. Without a filter, the offset is the position
 * in the chain, which takes the same time everywhere.
 */
export async function findEntryPage(
  on: Queryable,
  corp_id: string,
  filter: AuditFilter,
  { offset, limit, isNewestFirst, viewer }: EntryWindow,
  timeZone: string,
): Promise<{ total: number; entries: ListedEntry[] }> {
  const order = raw(isNewestFirst ? 'l.seq desc' : 'l.seq')
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const views = viewer === undefined ? 0 : await countViews(on, corp_id, viewer)
  if (!isFiltered && views === 0) {
    const archived = await archivedLength(on, corp_id)
    const { length } = await findEnd(on, corp_id)
    const last = isNewestFirst ? length - offset : archived + offset + limit
    const after = Math.max(archived, last - limit)
    const entries = await on.query<ListedEntry>(sql`
      select ${listedColumns(timeZone)} ${listedEntries(corp_id, filter)}
         and l.seq > ${after}::bigint and l.seq <= ${last}::bigint
       order by ${order}`)
    return { total: length - archived, entries }
  }
  const seen = viewer === undefined ? raw('') : sql`and not (${viewsOf(viewer)})`
  const { totals, entries } = await on.pipeline<{ totals: { total: number }; entries: ListedEntry }>({
    totals: isFiltered
      ? sql`select count(*) as total ${linkedEntries(corp_id, filter)} ${seen}`
      : sql`select count(*) - ${views}::bigint as total from audit_links where corp_id = ${corp_id}`,
    entries: sql`
      select ${listedColumns(timeZone)} ${listedEntries(corp_id, filter)} ${seen}
       order by ${order} limit ${limit} offset ${offset}`,
  })
  return { total: totals[0]?.total ?? 0, entries }
}

function viewsOf(viewer: string): Statement {
  return sql`e.record_id = '' and e.record_type = 'audit_entries' and e.action = 'revealed' and e.actor_id = ${viewer}`
}

async function countViews(on: Queryable, corp_id: string, viewer: string): Promise<number> {
  const [found] = await on.query<{ views: number }>(sql`
    select count(*) as views ${linkedEntries(corp_id, {})} and ${viewsOf(viewer)}`)
  return found?.views ?? 0
}

/** The next entries after a link. */
export async function entriesAfter(
  on: Queryable,
  corp_id: string,
  filter: AuditFilter,
  { after, limit }: { after: number; limit: number },
  timeZone: string,
): Promise<StoredEntry[]> {
  return on.query<StoredEntry>(sql`
    select ${columns(timeZone)} ${linkedEntries(corp_id, filter)} and l.seq > ${after}::bigint
     order by l.seq limit ${limit}`)
}

function linkedEntries(corp_id: string, filter: AuditFilter): Statement {
  return sql`
      from audit_links l
      join audit_entries e on e.corp_id = ${corp_id} and e.entry_id = l.entry_id
      left join audit_personal p
        on p.corp_id = ${corp_id} and p.person_id = e.person_id and p.entry_id = e.entry_id
     where l.corp_id = ${corp_id} ${conditions(filter)}`
}

/** The person of an entry is its record, or whom the record belongs to. */
function listedEntries(corp_id: string, filter: AuditFilter): Statement {
  return sql`
      from audit_links l
      join audit_entries e on e.corp_id = ${corp_id} and e.entry_id = l.entry_id
      left join audit_personal p
        on p.corp_id = ${corp_id} and p.person_id = e.person_id and p.entry_id = e.entry_id
      left join orders o on o.corp_id = ${corp_id} and o.order_id = e.record_id and e.record_type = 'orders'
      left join users u on u.corp_id = ${corp_id} and u.user_id = coalesce(e.person_id, o.user_id)
     where l.corp_id = ${corp_id} ${conditions(filter)}`
}

function conditions(filter: AuditFilter): Statement {
  const { from, until, ...members } = filter
  const only = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .reduce((all, [name, value]) => sql`${all} and e.${raw(name)} = ${value}`, raw(''))
  return sql`${only}
           ${from === undefined ? raw('') : sql`and e.at >= ${from}`}
           ${until === undefined ? raw('') : sql`and e.at < ${until}`}`
}

function listedColumns(timeZone: string): Statement {
  return sql`${columns(timeZone)},
    coalesce(e.person_id, o.user_id, '') as subject_id, coalesce(u.name, '') as subject_name`
}

function columns(timeZone: string): Statement {
  return sql`
    l.seq, e.entry_id, ${timestamp('e.at', timeZone)} as time, e.actor_kind, e.actor_id, e.address, e.request_id,
    e.operation, e.action, e.record_type, e.record_id, e.version, e.before, e.after, p.content as personal,
    e.digest is not null and p.content is null as is_erased`
}
