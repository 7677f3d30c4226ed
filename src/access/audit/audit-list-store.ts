import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'
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
}

/**
 * A page of entries in the order of their links. The order never changes and has no gaps: a page always holds the same
 * entries. Without a filter, the offset is the position in the chain.
 */
export async function findEntryPage(
  on: Queryable,
  corp_id: string,
  filter: AuditFilter,
  window: { offset: number; limit: number },
  timeZone: string,
): Promise<{ total: number; entries: StoredEntry[] }> {
  const { offset, limit } = window
  if (Object.values(filter).every((value) => value === undefined)) {
    const entries = await on.query<StoredEntry>(sql`
      select ${columns(timeZone)} ${linkedEntries(corp_id, filter)}
         and l.seq > ${offset}::bigint and l.seq <= ${offset + limit}::bigint
       order by l.seq`)
    return { total: (await findEnd(on, corp_id)).length, entries }
  }
  const { totals, entries } = await on.pipeline<{ totals: { total: number }; entries: StoredEntry }>({
    totals: sql`select count(*) as total ${linkedEntries(corp_id, filter)}`,
    entries: sql`
      select ${columns(timeZone)} ${linkedEntries(corp_id, filter)}
       order by l.seq limit ${limit} offset ${offset}`,
  })
  return { total: totals[0]?.total ?? 0, entries }
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
  const { from, until, ...members } = filter
  const only = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .reduce((all, [name, value]) => sql`${all} and e.${raw(name)} = ${value}`, raw(''))
  return sql`
      from audit_links l
      join audit_entries e on e.corp_id = ${corp_id} and e.entry_id = l.entry_id
      left join audit_personal p
        on p.corp_id = ${corp_id} and p.person_id = e.person_id and p.entry_id = e.entry_id
     where l.corp_id = ${corp_id} ${only}
           ${from === undefined ? raw('') : sql`and e.at >= ${from}`}
           ${until === undefined ? raw('') : sql`and e.at < ${until}`}`
}

function columns(timeZone: string): Statement {
  return sql`
    l.seq, e.entry_id, ${timestamp('e.at', timeZone)} as time, e.actor_kind, e.actor_id, e.address, e.request_id,
    e.operation, e.action, e.record_type, e.record_id, e.version, e.before, e.after, p.content as personal,
    e.digest is not null and p.content is null as is_erased`
}
