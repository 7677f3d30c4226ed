import type { Organization } from '../../contract/caller.ts'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { AccountKey, Staff } from './staff-store.ts'

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
                             'country', o.country, 'pools', o.pools) as organization
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
