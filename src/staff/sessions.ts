import { type Permission, programAccount } from '../contract/caller.ts'
import { ApiError } from '../contract/errors.ts'
import type { Queryable } from '../database/database.ts'
import type { GrantedAccount, GrantedOrganization } from '../organizations/account-store.ts'
import { type Role, roles } from './roles.ts'
import { hashOfToken, newSecretToken } from './secret-token.ts'
import {
  deleteSession,
  deleteSessionsIn,
  deleteSessionsOf,
  type FoundSession,
  findSession,
  insertSession,
  noteSeen,
  replaceSession,
} from './session-store.ts'

/** A session ends when nobody has used it for so long … */
export const idleLimitMs = 12 * 60 * 60 * 1000
/** … and after this time in any case. */
export const sessionLimitMs = 7 * 24 * 60 * 60 * 1000
/** For what is asked for once more: how long ago one may have proved to be there. */
export const confirmationMs = 10 * 60 * 1000
/** Not every call is written down. */
const seenEveryMs = 60_000

/** How somebody can prove once more to be there. */
export const waysToConfirm = ['password', 'passkey', 'provider'] as const
type WayToConfirm = (typeof waysToConfirm)[number]

/** What the provider of an organization says of somebody who comes from there. */
export interface Vouched {
  corp_id: string
  /** When they proved to the provider to be there. */
  confirmed_at: Date
}

/** Somebody who is signed in, as operations take callers. */
export interface StaffCaller extends GrantedAccount {
  organizations: (GrantedOrganization & { role: Role })[]
  session: {
    hash: string
    email: string
    confirmed_at: Date
    /** The only organization that it holds in, where that one's provider vouched for them. */
    corp_id: string | null
    waysToConfirm: WayToConfirm[]
  }
}

export interface Sessions {
  /** What the cookie is to hold. */
  begin(staff_id: string, now: Date, vouched?: Vouched): Promise<string>
  /** Who is signed in; throws from the catalogue. Read every time, so that whatever ends a session ends it at once. */
  find(token: string, now: Date): Promise<StaffCaller>
  /** Proved to be there: the same session, under another token. */
  confirm(hash: string, now: Date): Promise<string>
  end(hash: string): Promise<void>
  /** All of this person, or those that hold in one organization only. */
  endAll(staff_id: string, corp_id: string | null): Promise<void>
}

export function createSessions(on: Queryable): Sessions {
  return {
    async begin(staff_id, now, vouched) {
      const token = newSecretToken()
      const oldest = new Date(now.getTime() - sessionLimitMs)
      const { corp_id, confirmed_at } = vouched ?? { corp_id: null, confirmed_at: now }
      const session_hash = hashOfToken(token)
      await insertSession(on, { session_hash, staff_id, corp_id, confirmed_at, oldest }, now)
      return token
    },
    async find(token, now) {
      const hash = hashOfToken(token)
      const session = await findSession(on, hash)
      if (!session || session.is_disabled || isOver(session, now)) throw new ApiError('sessionEnded')
      if (now.getTime() - session.seen_at.getTime() > seenEveryMs) await noteSeen(on, hash, now)
      return callerOf(session, hash)
    },
    async confirm(hash, now) {
      const token = newSecretToken()
      if (!(await replaceSession(on, { before: hash, after: hashOfToken(token) }, now)))
        throw new ApiError('sessionEnded')
      return token
    },
    end: (hash) => deleteSession(on, hash),
    endAll: (staff_id, corp_id) =>
      corp_id === null ? deleteSessionsOf(on, staff_id) : deleteSessionsIn(on, staff_id, corp_id),
  }
}

function isOver({ ctime, seen_at }: FoundSession, now: Date): boolean {
  const since = (time: Date) => now.getTime() - time.getTime()
  return since(seen_at) > idleLimitMs || since(ctime) > sessionLimitMs
}

function callerOf(found: FoundSession, hash: string): StaffCaller {
  const { staff_id, name, email, workplaces, confirmed_at, corp_id } = found
  const organizations = workplaces
    .filter((workplace) => corp_id === null || workplace.corp_id === corp_id)
    .map(({ role, ...organization }) => ({
      ...organization,
      role,
      permissions: [...roles[role]] as Permission[],
    }))
  return {
    ...programAccount(staff_id, name),
    permissions: [...new Set(organizations.flatMap(({ permissions }) => permissions))],
    rate_limit_per_minute: staffRateLimit,
    organizations,
    session: { hash, email, confirmed_at, corp_id, waysToConfirm: waysOf(found) },
  }
}

function waysOf({ has_password, has_passkey, corp_id }: FoundSession): WayToConfirm[] {
  const open = { password: has_password, passkey: has_passkey, provider: corp_id !== null }
  return waysToConfirm.filter((way) => open[way])
}

/** A person with a browser, and several tabs of it. */
const staffRateLimit = 6000
