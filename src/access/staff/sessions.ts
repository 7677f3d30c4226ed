import { type Organization, programAccount } from '../../contract/caller.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import type { GrantedAccount } from '../organizations/account-store.ts'
import { refuseSuspended } from '../organizations/suspend-organization.ts'
import { type Role, roles } from './roles.ts'
import { hashOfToken, newSecretToken, organizationOf } from './secret-token.ts'
import {
  deleteSession,
  deleteSessionsOf,
  type FoundSession,
  findSession,
  insertSession,
  noteSeen,
  replaceSession,
  type SessionKey,
} from './session-store.ts'
import { type AccountKey, canSignIn, lockForSession, type Proof } from './staff-store.ts'
import { deleteSupportSession, findSupportSession, noteSupportSeen } from './support/support-store.ts'

/** A session ends after this time without a call, … */
export const idleLimitMs = 12 * 60 * 60 * 1000
/** … and at the latest after this time. */
export const sessionLimitMs = 7 * 24 * 60 * 60 * 1000
/** How long a confirmation is valid for sensitive operations. */
export const confirmationMs = 10 * 60 * 1000
/** `seen_at` is updated at most this often. */
const seenEveryMs = 60_000

/** The ways to confirm a session. */
export const waysToConfirm = ['password', 'passkey', 'provider'] as const
type WayToConfirm = (typeof waysToConfirm)[number]

/** A signed-in member of staff. */
export interface StaffCaller extends GrantedAccount {
  kind: 'staff'
  /** The one organization that the staff account belongs to. */
  organizations: [Organization]
  role: Role
  session: {
    corp_id: string
    hash: string
    email: string
    confirmed_at: Date
    /** Whether the provider of the organization vouched for them. */
    is_vouched: boolean
    waysToConfirm: WayToConfirm[]
    /** The access of a support person. Absent: a member of staff. */
    support?: { grant_id: string; ends_at: Date }
  }
}

export function accountOf({ app_id, session }: StaffCaller): AccountKey {
  return { corp_id: session.corp_id, staff_id: app_id }
}

export interface Sessions {
  /** Throws sessionEnded or organizationSuspended. Reads the session each time, so that its end takes effect at once. */
  find(token: string, now: Date): Promise<StaffCaller>
  /** Confirms a session, and returns its new token. */
  confirm(session: StaffCaller['session'], now: Date): Promise<string>
  end(session: StaffCaller['session']): Promise<void>
  /** Ends all sessions of an account. */
  endAll(account: AccountKey): Promise<void>
}

export function createSessions(of: (corp_id: string) => Queryable): Sessions {
  return {
    async find(token, now) {
      const corp_id = organizationOf(token)
      if (corp_id === undefined) throw new ApiError('sessionEnded')
      const key = { corp_id, session_hash: hashOfToken(token) }
      const session = await findSession(of(corp_id), key)
      if (!session) return findSupport(of(corp_id), key, now)
      if (!canSignIn(session) || isOver(session, now)) throw new ApiError('sessionEnded')
      if (session.organization.is_suspended) throw new ApiError('organizationSuspended')
      if (now.getTime() - session.seen_at.getTime() > seenEveryMs) await noteSeen(of(corp_id), key, now)
      return callerOf(session, key.session_hash)
    },
    async confirm({ corp_id, hash: session_hash }, now) {
      const token = newSecretToken(corp_id)
      const isKnown = await replaceSession(of(corp_id), { corp_id, session_hash }, hashOfToken(token), now)
      if (!isKnown) throw new ApiError('sessionEnded')
      return token
    },
    end({ corp_id, hash: session_hash, support }) {
      const remove = support ? deleteSupportSession : deleteSession
      return remove(of(corp_id), { corp_id, session_hash })
    },
    endAll: (account) => deleteSessionsOf(of(account.corp_id), account),
  }
}

/** The session of a support person, while the school lets them in. */
async function findSupport(on: Queryable, key: SessionKey, now: Date): Promise<StaffCaller> {
  const found = await findSupportSession(on, key, now)
  if (!found || isOver(found, now)) throw new ApiError('sessionEnded')
  if (found.organization.is_suspended) throw new ApiError('organizationSuspended')
  if (now.getTime() - found.seen_at.getTime() > seenEveryMs) await noteSupportSeen(on, key, now)
  const { grant_id, name, email, role, ends_at, organization } = found
  return {
    ...programAccount(grant_id, name),
    kind: 'staff',
    permissions: [...roles[role]],
    rate_limit_per_minute: staffRateLimit,
    organizations: [organization],
    role,
    session: {
      ...{ corp_id: key.corp_id, hash: key.session_hash, email, is_vouched: false, waysToConfirm: [] },
      // Never: support cannot confirm anything.
      confirmed_at: new Date(0),
      support: { grant_id, ends_at },
    },
  }
}

/** The proof that starts a session. */
export interface SessionProof extends Proof {
  /** When the person authenticated at the provider of the organization, if they did. */
  vouched_at?: Date
}

/** Starts a session and returns its token. Throws if the proof is no longer valid for the account. */
export async function beginSession(
  tx: Queryable,
  account: AccountKey,
  { vouched_at, ...proof }: SessionProof,
  now: Date,
): Promise<string> {
  if (!(await lockForSession(tx, account, proof))) throw new ApiError('sessionEnded')
  await refuseSuspended(tx, account.corp_id)
  const token = newSecretToken(account.corp_id)
  await insertSession(
    tx,
    {
      ...account,
      session_hash: hashOfToken(token),
      is_vouched: vouched_at !== undefined,
      confirmed_at: vouched_at ?? now,
      oldest: new Date(now.getTime() - sessionLimitMs),
    },
    now,
  )
  return token
}

function isOver({ ctime, seen_at }: Pick<FoundSession, 'ctime' | 'seen_at'>, now: Date): boolean {
  const since = (time: Date) => now.getTime() - time.getTime()
  return since(seen_at) > idleLimitMs || since(ctime) > sessionLimitMs
}

function callerOf(found: FoundSession & { role: Role }, hash: string): StaffCaller {
  const { corp_id, staff_id, name, email, role, confirmed_at, is_vouched } = found
  return {
    ...programAccount(staff_id, name),
    kind: 'staff',
    permissions: [...roles[role]],
    rate_limit_per_minute: staffRateLimit,
    organizations: [found.organization],
    role,
    session: { corp_id, hash, email, confirmed_at, is_vouched, waysToConfirm: waysOf(found) },
  }
}

function waysOf({ has_password, has_passkey, is_vouched }: FoundSession): WayToConfirm[] {
  const open = { password: has_password, passkey: has_passkey, provider: is_vouched }
  return waysToConfirm.filter((way) => open[way])
}

/** Enough for a person with several browser tabs. */
const staffRateLimit = 6000
