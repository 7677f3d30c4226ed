import type { Organization } from '../../contract/caller.ts'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { type AccountKey, canSignIn, lockStaff, type Staff } from './staff-store.ts'

/** The key of a session: its organization and the hash of its token. */
export interface SessionKey {
  corp_id: string
  session_hash: string
}

/** A session, with its account and its organization. */
export interface FoundSession extends Omit<Staff, 'password_hash'> {
  ctime: Date
  seen_at: Date
  confirmed_at: Date
  /** Whether the provider of the organization identified the person. */
  is_vouched: boolean
  has_password: boolean
  has_passkey: boolean
  organization: Organization
}

export async function findSession(
  on: Queryable,
  { corp_id, session_hash }: SessionKey,
): Promise<FoundSession | undefined> {
  const [row] = await on.query<FoundSession>(sql`
    select n.ctime, n.seen_at, n.confirmed_at, n.is_vouched, s.corp_id, s.staff_id, s.email, s.name, s.role,
           s.is_disabled, s.password_hash is not null as has_password,
           exists (select 1 from staff_passkeys k where k.corp_id = ${corp_id} and k.staff_id = s.staff_id) as has_passkey,
           json_build_object('corp_id', o.corp_id, 'name', o.name, 'time_zone', o.time_zone, 'currency', o.currency,
                             'country', o.country, 'pools', o.pools, 'is_suspended', o.suspended_at is not null,
                             'over_quota', o.over_quota) as organization
      from staff_sessions n
      join staff s on s.corp_id = n.corp_id and s.staff_id = n.staff_id
      join organizations o on o.corp_id = n.corp_id
     where n.corp_id = ${corp_id} and n.session_hash = ${session_hash}`)
  return row
}

/** Stores a session, and deletes expired ones of the same account. */
export async function insertSession(
  on: Queryable,
  session: SessionKey & { staff_id: string; is_vouched: boolean; confirmed_at: Date; oldest: Date },
  now: Date,
): Promise<void> {
  const { corp_id, staff_id } = session
  await on.pipeline([
    sql`delete from staff_sessions
         where corp_id = ${corp_id} and staff_id = ${staff_id} and ctime < ${session.oldest}`,
    sql`insert into staff_sessions (corp_id, session_hash, staff_id, is_vouched, ctime, seen_at, confirmed_at)
        values (${corp_id}, ${session.session_hash}, ${staff_id}, ${session.is_vouched}, ${now}, ${now},
                ${session.confirmed_at})`,
  ])
}

export async function noteSeen(
  on: Queryable,
  { corp_id, session_hash }: SessionKey,
  now: Date,
): Promise<void> {
  await on.query(sql`
    update staff_sessions set seen_at = ${now} where corp_id = ${corp_id} and session_hash = ${session_hash}`)
}

/** Confirms a session, which continues under another hash. */
export async function replaceSession(
  on: Queryable,
  { corp_id, session_hash }: SessionKey,
  after: string,
  now: Date,
): Promise<boolean> {
  const rows = await on.query(sql`
    update staff_sessions set session_hash = ${after}, confirmed_at = ${now}, seen_at = ${now}
     where corp_id = ${corp_id} and session_hash = ${session_hash} returning session_hash`)
  return rows.length === 1
}

export async function deleteSession(on: Queryable, { corp_id, session_hash }: SessionKey): Promise<void> {
  await on.query(sql`
    delete from staff_sessions where corp_id = ${corp_id} and session_hash = ${session_hash}`)
}

export async function deleteSessionsOf(on: Queryable, { corp_id, staff_id }: AccountKey): Promise<void> {
  await on.query(sql`delete from staff_sessions where corp_id = ${corp_id} and staff_id = ${staff_id}`)
}

/** Deletes the sessions that began at the provider of the organization. */
export async function deleteVouchedSessions(on: Queryable, corp_id: string): Promise<void> {
  await on.query(sql`delete from staff_sessions where corp_id = ${corp_id} and is_vouched`)
}

export type LinkPurpose = 'password' | 'sign_in'

interface Link {
  corp_id: string
  link_hash: string
  purpose: LinkPurpose
}

/** Stores a link. Deletes earlier links of the same account and purpose. */
export async function insertLink(
  on: Queryable,
  link: Link & { staff_id: string; expires_at: Date },
  now: Date,
): Promise<void> {
  const { corp_id, staff_id, purpose } = link
  await on.pipeline([
    sql`delete from staff_links where corp_id = ${corp_id} and staff_id = ${staff_id} and purpose = ${purpose}`,
    sql`insert into staff_links (corp_id, link_hash, staff_id, purpose, expires_at, ctime)
        values (${corp_id}, ${link.link_hash}, ${staff_id}, ${purpose}, ${link.expires_at}, ${now})`,
  ])
}

/** Whether the link exists, for any purpose. */
export async function isLink(on: Queryable, { corp_id, link_hash }: Link): Promise<boolean> {
  return (await findOwner(on, { corp_id, link_hash })) !== undefined
}

/**
 * Consumes a link and returns its account, which stays locked until the transaction ends. Of two concurrent uses one
 * succeeds. Fails for an account that cannot sign in.
 */
export async function takeLink(tx: Queryable, link: Link, now: Date): Promise<AccountKey | undefined> {
  const { corp_id, link_hash, purpose } = link
  const staff_id = await findOwner(tx, link)
  // All changes of an account lock it first.
  const staff = staff_id && (await lockStaff(tx, { corp_id, staff_id }))
  if (!staff || !canSignIn(staff)) return undefined
  const [taken] = await tx.query<{ staff_id: string }>(sql`
    delete from staff_links
     where corp_id = ${corp_id} and link_hash = ${link_hash} and purpose = ${purpose} and expires_at > ${now}
    returning staff_id`)
  return taken && { corp_id, staff_id: taken.staff_id }
}

async function findOwner(
  on: Queryable,
  { corp_id, link_hash }: Omit<Link, 'purpose'>,
): Promise<string | undefined> {
  const [row] = await on.query<{ staff_id: string }>(sql`
    select staff_id from staff_links where corp_id = ${corp_id} and link_hash = ${link_hash}`)
  return row?.staff_id
}

export async function deleteLinksOf(on: Queryable, { corp_id, staff_id }: AccountKey): Promise<void> {
  await on.query(sql`delete from staff_links where corp_id = ${corp_id} and staff_id = ${staff_id}`)
}

/** Returns true for the first use of a ticket. Deletes records of expired tickets. */
export async function noteSpent(
  on: Queryable,
  corp_id: string,
  ticket: { ticket_hash: string; ends_at: Date },
  now: Date,
): Promise<boolean> {
  const { spent } = await on.pipeline<{ expired: object; spent: object }>({
    expired: sql`delete from spent_tickets where corp_id = ${corp_id} and ends_at < ${now}`,
    spent: sql`insert into spent_tickets (corp_id, ticket_hash, ends_at)
        values (${corp_id}, ${ticket.ticket_hash}, ${ticket.ends_at})
        on conflict (corp_id, ticket_hash) do nothing
        returning ticket_hash`,
  })
  return spent.length === 1
}
