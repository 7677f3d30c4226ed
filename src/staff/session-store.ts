import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { type Staff, type Workplace, workplacesOfStaff } from './staff-store.ts'

export interface StoredSession {
  ctime: Date
  seen_at: Date
  confirmed_at: Date
  /** Where a provider vouched for them, the only organization that the session holds in. */
  corp_id: string | null
  has_password: boolean
  has_passkey: boolean
}

/** A session with whose it is, and where they work. */
export type FoundSession = StoredSession & Staff & { workplaces: Workplace[] }

export async function findSession(on: Queryable, session_hash: string): Promise<FoundSession | undefined> {
  const [row] = await on.query<FoundSession>(sql`
    select n.ctime, n.seen_at, n.confirmed_at, n.corp_id, s.staff_id, s.email, s.name, s.is_disabled,
           s.password_hash is not null as has_password,
           exists (select 1 from staff_passkeys k where k.staff_id = s.staff_id) as has_passkey, ${workplacesOfStaff}
      from staff_sessions n join staff s on s.staff_id = n.staff_id
     where n.session_hash = ${session_hash}`)
  return row
}

/** Begins a session; those of the same person that are over are forgotten on the way. */
export async function insertSession(
  on: Queryable,
  session: {
    session_hash: string
    staff_id: string
    corp_id: string | null
    confirmed_at: Date
    oldest: Date
  },
  now: Date,
): Promise<void> {
  await on.pipeline([
    sql`delete from staff_sessions where staff_id = ${session.staff_id} and ctime < ${session.oldest}`,
    sql`insert into staff_sessions (session_hash, staff_id, corp_id, ctime, seen_at, confirmed_at)
        values (${session.session_hash}, ${session.staff_id}, ${session.corp_id}, ${now}, ${now}, ${session.confirmed_at})`,
  ])
}

export async function noteSeen(on: Queryable, session_hash: string, now: Date): Promise<void> {
  await on.query(sql`update staff_sessions set seen_at = ${now} where session_hash = ${session_hash}`)
}

/** The person has proved to be there: the session goes on under another hash. */
export async function replaceSession(
  on: Queryable,
  { before, after }: { before: string; after: string },
  now: Date,
): Promise<boolean> {
  const rows = await on.query(sql`
    update staff_sessions set session_hash = ${after}, confirmed_at = ${now}, seen_at = ${now}
     where session_hash = ${before} returning session_hash`)
  return rows.length === 1
}

export async function deleteSession(on: Queryable, session_hash: string): Promise<void> {
  await on.query(sql`delete from staff_sessions where session_hash = ${session_hash}`)
}

export async function deleteSessionsOf(on: Queryable, staff_id: string): Promise<void> {
  await on.query(sql`delete from staff_sessions where staff_id = ${staff_id}`)
}

/** Those that hold in this organization only. */
export async function deleteSessionsIn(on: Queryable, staff_id: string, corp_id: string): Promise<void> {
  await on.query(sql`delete from staff_sessions where staff_id = ${staff_id} and corp_id = ${corp_id}`)
}

/** Those that the provider of an organization vouched for. */
export async function deleteSessionsBy(on: Queryable, corp_id: string): Promise<void> {
  await on.query(sql`delete from staff_sessions where corp_id = ${corp_id}`)
}
