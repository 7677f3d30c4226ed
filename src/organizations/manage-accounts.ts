import { type Account, type Permission, permissions } from '../contract/caller.ts'
import { newId } from '../contract/new-id.ts'
import type { Database, Queryable } from '../database/database.ts'
import {
  disableAccount,
  enableAccount,
  findAccount,
  type GrantedAccount,
  insertAccount,
  listAccounts,
  listAccountsOf,
  replaceSecret,
  setRateLimit,
} from './account-store.ts'
import { type Keyring, newSecret } from './keyring.ts'
import { readName } from './manage-organizations.ts'
import { findOrganizations } from './organization-store.ts'

/** Accounts span organizations. */
type Shared = Pick<Database, 'shared'>

/** What an administrator sees of an account; its secret never. */
export interface AccountRecord extends Omit<Account, 'token_epoch'> {
  corp_ids: string[]
}

/** Shown once, when the secret is made. */
export type AccountWithSecret = AccountRecord & { user_api_secret: string }

export interface WantedAccount {
  name: string
  corp_ids: string[]
  permissions?: string[]
  /** Null lifts the limit; without it, the account has that of everybody. */
  rate_limit_per_minute?: number | null
  strict_time_stamps?: boolean
}

/** Generous: it bounds accidents, such as a loop that calls without end. */
export const defaultRateLimit = 60_000
const maxRateLimit = 1_000_000

export async function createAccount(
  db: Shared,
  keyring: Keyring,
  wanted: WantedAccount,
  now: Date,
): Promise<AccountWithSecret> {
  const app_id = newId()
  const secret = newSecret()
  const account = {
    app_id,
    name: readName('The name of the account', wanted.name),
    permissions: readPermissions(wanted.permissions ?? [...permissions]),
    corp_ids: await readOrganizations(db.shared, wanted.corp_ids),
    strict_time_stamps: wanted.strict_time_stamps ?? false,
    rate_limit_per_minute: readRateLimit(wanted.rate_limit_per_minute),
  }
  await insertAccount(db.shared, { ...account, ...keyring.seal(app_id, secret) }, now)
  return { ...(await knownAccount(db.shared, app_id)), user_api_secret: secret }
}

export async function listAccountRecords(db: Shared): Promise<AccountRecord[]> {
  return (await listAccounts(db.shared)).map(recordOf)
}

export async function listAccountRecordsOf(db: Shared, corp_id: string): Promise<AccountRecord[]> {
  return (await listAccountsOf(db.shared, corp_id)).map(recordOf)
}

/** Ends the tokens of the account too; disabling twice is no error. */
export async function endAccount(db: Shared, app_id: string, now: Date): Promise<AccountRecord> {
  await disableAccount(db.shared, app_id, now)
  return knownAccount(db.shared, app_id)
}

/** Lets an account call again that was disabled; tokens that it had stay ended. */
export async function resumeAccount(db: Shared, app_id: string, now: Date): Promise<AccountRecord> {
  await enableAccount(db.shared, app_id, now)
  return knownAccount(db.shared, app_id)
}

export async function limitAccount(
  db: Shared,
  wanted: { app_id: string; rate_limit_per_minute: number | null },
  now: Date,
): Promise<AccountRecord> {
  await setRateLimit(db.shared, wanted.app_id, readRateLimit(wanted.rate_limit_per_minute), now)
  return knownAccount(db.shared, wanted.app_id)
}

/** Tokens that were issued before stay valid until they expire, unless they are revoked. */
export async function rotateSecret(
  db: Shared,
  keyring: Keyring,
  wanted: { app_id: string; revokeTokens: boolean },
  now: Date,
): Promise<AccountWithSecret> {
  const secret = newSecret()
  await replaceSecret(db.shared, { ...wanted, ...keyring.seal(wanted.app_id, secret) }, now)
  return { ...(await knownAccount(db.shared, wanted.app_id)), user_api_secret: secret }
}

async function knownAccount(on: Queryable, app_id: string): Promise<AccountRecord> {
  const account = await findAccount(on, app_id)
  if (!account) throw new Error(`There is no account ${app_id}.`)
  return recordOf(account)
}

function recordOf({ organizations, token_epoch: _internal, ...account }: GrantedAccount): AccountRecord {
  return { ...account, corp_ids: organizations.map(({ corp_id }) => corp_id) }
}

/** Managing the organization is granted to an account by name only. */
const grantable: Permission[] = [...permissions, 'admin']

function readPermissions(texts: string[]): Permission[] {
  const wanted = texts.map((text) => text.trim())
  const unknown = wanted.find((text) => !grantable.some((permission) => permission === text))
  if (wanted.length === 0 || unknown !== undefined) {
    throw new Error(`The permissions must be among ${grantable.join(', ')}, which "${unknown ?? ''}" is not.`)
  }
  return grantable.filter((permission) => wanted.includes(permission))
}

async function readOrganizations(on: Queryable, corp_ids: string[]): Promise<string[]> {
  const wanted = [...new Set(corp_ids)]
  if (wanted.length === 0) throw new Error('An account needs at least one organization.')
  const found = await findOrganizations(on, wanted)
  const missing = wanted.find((corp_id) => !found.some((organization) => organization.corp_id === corp_id))
  if (missing !== undefined) throw new Error(`There is no organization ${missing}.`)
  return wanted
}

function readRateLimit(perMinute: number | null = defaultRateLimit): number | null {
  if (perMinute === null) return null
  if (Number.isInteger(perMinute) && perMinute >= 1 && perMinute <= maxRateLimit) return perMinute
  throw new Error(
    `The rate limit must be a whole number of calls a minute, from 1 to ${maxRateLimit}, or none.`,
  )
}
