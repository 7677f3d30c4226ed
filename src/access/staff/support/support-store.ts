import type { Organization } from '../../../contract/caller.ts'
import type { Queryable } from '../../../database/database.ts'
import { raw, sql, timestamp, timestampOrEmpty } from '../../../database/sql.ts'
import type { SessionKey } from '../session-store.ts'
import type { SupportRole } from './support-roles.ts'

interface GrantKey {
  corp_id: string
  grant_id: string
}

export interface NewGrant extends GrantKey {
  email: string
  name: string
  role: SupportRole
  granted_by: string
  ends_at: Date
}

/** Fails with a violation of support_grants_open if the person has an open grant. */
export async function insertGrant(tx: Queryable, grant: NewGrant, now: Date): Promise<void> {
  const { corp_id, grant_id, email, name, role, granted_by, ends_at } = grant
  await tx.query(sql`
    update support_grants set revoked_at = ends_at
     where corp_id = ${corp_id} and email_key = lower(${email}) and revoked_at is null and ends_at <= ${now}
    returning grant_id`)
  await tx.query(sql`
    insert into support_grants (corp_id, grant_id, email, name, role, granted_by, ctime, ends_at)
    values (${corp_id}, ${grant_id}, ${email}, ${name}, ${role}, ${granted_by}, ${now}, ${ends_at})
    returning grant_id`)
}

/** Ends a grant and its sessions. Returns false if it had ended before; undefined if there is none. */
export async function revokeGrant(
  tx: Queryable,
  { corp_id, grant_id }: GrantKey,
  { revoked_by, now }: { revoked_by: string; now: Date },
): Promise<boolean | undefined> {
  const rows = await tx.query(sql`
    update support_grants set revoked_at = ${now}, revoked_by = ${revoked_by}, link_hash = null, link_ends_at = null
     where corp_id = ${corp_id} and grant_id = ${grant_id} and revoked_at is null and ends_at > ${now}
    returning grant_id`)
  await tx.query(sql`delete from support_sessions where corp_id = ${corp_id} and grant_id = ${grant_id}`)
  if (rows.length === 1) return true
  const known = await tx.query(sql`
    select 1 from support_grants where corp_id = ${corp_id} and grant_id = ${grant_id}`)
  return known.length === 1 ? false : undefined
}

/** A grant as the school sees it. */
export interface ListedGrant {
  grant_id: string
  email: string
  name: string
  role: SupportRole
  is_open: boolean
  granted_by: string
  ctime: string
  ends: string
  revoked: string
  revoked_by: string
}

const listed = (now: Date, timeZone: string) => sql`
  grant_id, email, name, role, (revoked_at is null and ends_at > ${now}) as is_open, granted_by,
  ${timestamp('ctime', timeZone)} as ctime, ${timestamp('ends_at', timeZone)} as ends,
  ${timestampOrEmpty('revoked_at', timeZone)} as revoked, coalesce(revoked_by, '') as revoked_by`

/** The newest grants. */
export async function listGrants(
  on: Queryable,
  corp_id: string,
  { now, timeZone, limit, grant_id }: { now: Date; timeZone: string; limit: number; grant_id?: string },
): Promise<ListedGrant[]> {
  const only = grant_id === undefined ? raw('') : sql`and grant_id = ${grant_id}`
  return on.query<ListedGrant>(sql`
    select ${listed(now, timeZone)} from support_grants g where g.corp_id = ${corp_id} ${only}
     order by g.ctime desc, g.grant_id desc limit ${limit}`)
}

/** Sets the link of the open grant of an address. Returns the grant; undefined if there is none. */
export async function setLink(
  tx: Queryable,
  {
    corp_id,
    email,
    link_hash,
    link_ends_at,
  }: { corp_id: string; email: string; link_hash: string; link_ends_at: Date },
  now: Date,
): Promise<{ grant_id: string; name: string; role: SupportRole; ends_at: Date } | undefined> {
  const [grant] = await tx.query<{ grant_id: string; name: string; role: SupportRole; ends_at: Date }>(sql`
    update support_grants set link_hash = ${link_hash}, link_ends_at = ${link_ends_at}
     where corp_id = ${corp_id} and email_key = lower(${email}) and revoked_at is null and ends_at > ${now}
    returning grant_id, name, role, ends_at`)
  return grant
}

/** Whether an open grant has this link. */
export async function hasLink(on: Queryable, corp_id: string, link_hash: string): Promise<boolean> {
  const rows = await on.query(sql`
    select 1 from support_grants where corp_id = ${corp_id} and link_hash = ${link_hash}`)
  return rows.length === 1
}

/** Consumes a link. Of two concurrent uses one succeeds. The grant stays locked until the transaction ends. */
export async function takeLink(
  tx: Queryable,
  corp_id: string,
  link_hash: string,
  now: Date,
): Promise<string | undefined> {
  const [grant] = await tx.query<{ grant_id: string }>(sql`
    update support_grants set link_hash = null, link_ends_at = null
     where corp_id = ${corp_id} and link_hash = ${link_hash} and link_ends_at > ${now} and revoked_at is null
       and ends_at > ${now}
    returning grant_id`)
  return grant?.grant_id
}

export async function insertSupportSession(
  tx: Queryable,
  { corp_id, session_hash }: SessionKey,
  grant_id: string,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    insert into support_sessions (corp_id, session_hash, grant_id, ctime, seen_at)
    values (${corp_id}, ${session_hash}, ${grant_id}, ${now}, ${now})`)
}

export interface FoundSupport {
  grant_id: string
  name: string
  email: string
  role: SupportRole
  ends_at: Date
  ctime: Date
  seen_at: Date
  organization: Organization
}

/** A session whose grant is open. */
export async function findSupportSession(
  on: Queryable,
  { corp_id, session_hash }: SessionKey,
  now: Date,
): Promise<FoundSupport | undefined> {
  const [row] = await on.query<FoundSupport>(sql`
    select g.grant_id, g.name, g.email, g.role, g.ends_at, n.ctime, n.seen_at,
           json_build_object('corp_id', o.corp_id, 'name', o.name, 'time_zone', o.time_zone, 'currency', o.currency,
                             'country', o.country, 'pools', o.pools, 'is_suspended', o.suspended_at is not null,
                             'over_quota', o.over_quota) as organization
      from support_sessions n
      join support_grants g on g.corp_id = n.corp_id and g.grant_id = n.grant_id
      join organizations o on o.corp_id = n.corp_id
     where n.corp_id = ${corp_id} and n.session_hash = ${session_hash} and g.corp_id = ${corp_id}
       and g.revoked_at is null and g.ends_at > ${now}`)
  return row
}

export async function noteSupportSeen(
  on: Queryable,
  { corp_id, session_hash }: SessionKey,
  now: Date,
): Promise<void> {
  await on.query(sql`
    update support_sessions set seen_at = ${now} where corp_id = ${corp_id} and session_hash = ${session_hash}`)
}

export async function deleteSupportSession(
  on: Queryable,
  { corp_id, session_hash }: SessionKey,
): Promise<void> {
  await on.query(sql`
    delete from support_sessions where corp_id = ${corp_id} and session_hash = ${session_hash}`)
}
