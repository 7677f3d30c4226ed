import { type Account, type Permission, permissions } from '../../contract/caller.ts'
import { newId } from '../../contract/new-id.ts'
import { type TimeStampRule, timeStampRuleNames } from '../../contract/time-stamps.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { readNetworks } from '../client-address.ts'
import {
  type AccountSettings,
  disableAccount,
  enableAccount,
  findAccount,
  type GrantedAccount,
  grantOrganizations,
  insertAccount,
  listAccounts,
  listAccountsOf,
  raiseEpoch,
  revokeOrganizations,
  storeSettings,
} from './account-store.ts'
import { type Keyring, newSecret } from './keyring.ts'
import { readName } from './manage-organizations.ts'
import { findOrganizations } from './organization-store.ts'
import {
  endNewestAt,
  endOlderSecrets,
  endSecrets,
  findSecretEnds,
  insertSecret,
  type SecretEnd,
} from './secret-store.ts'

/** Accounts span organizations. */
type Shared = Pick<Database, 'shared'>

/** An account as administrators see it, without its secret. */
export interface AccountRecord extends Omit<Account, 'token_epoch'> {
  corp_ids: string[]
}

/** Shown once, when the secret is created. */
export type AccountWithSecret = AccountRecord & { user_api_secret: string }

export interface WantedAccount {
  name: string
  corp_ids: string[]
  permissions?: string[]
  /** Null: no limit. Absent: the default limit. */
  rate_limit_per_minute?: number | null
  /** Default: any, as the interface says. */
  time_stamps?: string | undefined
  /** When the account and its secret expire; null: never. */
  expires_at?: Date | null
  secret_expires_at?: Date | null
  allowed_networks?: string[]
  signs_money?: boolean
}

/** Generous: it limits accidents such as an endless loop of calls. */
export const defaultRateLimit = 60_000
export const maxRateLimit = 1_000_000

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
    time_stamps: readTimeStampRule(wanted.time_stamps ?? 'any'),
    rate_limit_per_minute: readRateLimit(wanted.rate_limit_per_minute),
    expires_at: readEnd(wanted.expires_at, now),
    allowed_networks: readAllowed(wanted.allowed_networks),
    signs_money: wanted.signs_money ?? false,
    secret_id: newId(),
    secret_expires_at: readEnd(wanted.secret_expires_at, now),
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

/** Creation and expiry of the valid secrets of accounts, newest first. */
export async function findWorkingSecrets(db: Shared, app_ids: string[], now: Date): Promise<SecretEnd[]> {
  return findSecretEnds(db.shared, app_ids, now)
}

/** Disables an account and revokes its tokens. Idempotent. */
export async function endAccount(db: Shared, app_id: string, now: Date): Promise<AccountRecord> {
  await disableAccount(db.shared, app_id, now)
  return knownAccount(db.shared, app_id)
}

/** Enables an account. Its earlier tokens stay revoked. */
export async function resumeAccount(db: Shared, app_id: string, now: Date): Promise<AccountRecord> {
  await enableAccount(db.shared, app_id, now)
  return knownAccount(db.shared, app_id)
}

type AccountChange = Partial<Omit<AccountSettings, 'permissions' | 'time_stamps'>> & {
  time_stamps?: string | undefined
}

/** Changes the given settings. Takes effect on all servers within a second, the lifetime of cached accounts. */
export async function changeAccount(
  db: Shared,
  app_id: string,
  wanted: AccountChange,
  now: Date,
): Promise<AccountRecord> {
  const { time_stamps, rate_limit_per_minute, expires_at, allowed_networks } = wanted
  const change = {
    ...wanted,
    ...(time_stamps !== undefined && { time_stamps: readTimeStampRule(time_stamps) }),
    ...(rate_limit_per_minute !== undefined && {
      rate_limit_per_minute: readRateLimit(rate_limit_per_minute),
    }),
    ...(expires_at !== undefined && { expires_at: readEnd(expires_at, now) }),
    ...(allowed_networks !== undefined && { allowed_networks: readAllowed(allowed_networks) }),
  }
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  if (given.length === 0) throw new Error('No change was given.')
  return changeAndNote(db, app_id, async (tx, before) =>
    storeSettings(tx, app_id, { ...before, ...Object.fromEntries(given) }, now),
  )
}

/** Organizations and permissions to grant or revoke. */
export interface Grants {
  corp_ids: string[]
  permissions: string[]
}

export async function grantAccount(
  db: Shared,
  app_id: string,
  { corp_ids, permissions: more }: Grants,
  now: Date,
): Promise<AccountRecord> {
  if (corp_ids.length > 0) await readOrganizations(db.shared, corp_ids)
  return changeAndNote(db, app_id, async (tx, before) => {
    await grantOrganizations(tx, app_id, corp_ids, now)
    const granted = readPermissions([...before.permissions, ...more])
    await storeSettings(tx, app_id, { ...before, permissions: granted }, now)
  })
}

/** Refuses to revoke the last organization or permission: disable the account instead. */
export async function revokeAccount(
  db: Shared,
  app_id: string,
  { corp_ids, permissions: less }: Grants,
  now: Date,
): Promise<AccountRecord> {
  if (less.length > 0) readPermissions(less)
  return changeAndNote(db, app_id, async (tx, before) => {
    const left = before.permissions.filter((permission) => !less.includes(permission))
    if (left.length === 0 || before.corp_ids.every((corp_id) => corp_ids.includes(corp_id)))
      throw new Error('This would revoke the last organization or permission: disable the account instead.')
    // The database role of the server cannot delete grants of organizations, only change permissions.
    if (corp_ids.length > 0) await revokeOrganizations(tx, app_id, corp_ids)
    await storeSettings(tx, app_id, { ...before, permissions: left }, now)
  })
}

export interface Rotation {
  app_id: string
  /** When the old secret expires; absent: now. */
  oldUntil?: Date
  /** Whether to revoke all tokens, also those of a secret that stays valid. */
  revokesTokens?: boolean
  secret_expires_at?: Date | null
}

/** Tokens expire with the secret that obtained them. At most two secrets are valid: the new one and the previous one. */
export async function rotateSecret(
  db: Shared,
  keyring: Keyring,
  wanted: Rotation,
  now: Date,
): Promise<AccountWithSecret> {
  const { app_id, oldUntil } = wanted
  const secret = newSecret()
  const expires_at = readEnd(wanted.secret_expires_at, now)
  const until = readEnd(oldUntil, now)
  const rotated = await changeAndNote(db, app_id, async (tx) => {
    await endOlderSecrets(tx, app_id)
    if (until) await endNewestAt(tx, app_id, until)
    else await endSecrets(tx, app_id)
    await insertSecret(tx, { app_id, secret_id: newId(), expires_at, ...keyring.seal(app_id, secret) }, now)
    if (wanted.revokesTokens) await raiseEpoch(tx, app_id, now)
  })
  return { ...rotated, user_api_secret: secret }
}

/** Ends the previous secret and its tokens, if it is still valid. */
export async function endOldSecret(
  db: Shared,
  app_id: string,
): Promise<AccountRecord & { had_old_secret: boolean }> {
  let had_old_secret = false
  const account = await changeAndNote(db, app_id, async (tx) => {
    had_old_secret = await endOlderSecrets(tx, app_id)
  })
  return { ...account, had_old_secret }
}

async function changeAndNote(
  db: Shared,
  app_id: string,
  change: (tx: Queryable, before: AccountRecord) => Promise<void>,
): Promise<AccountRecord> {
  return db.shared.transaction(async (tx) => {
    const before = await knownAccount(tx, app_id)
    await change(tx, before)
    const after = await knownAccount(tx, app_id)
    tx.note({ record_type: 'accounts', record_id: app_id, action: 'changed', before, after })
    return after
  })
}

async function knownAccount(on: Queryable, app_id: string): Promise<AccountRecord> {
  const account = await findAccount(on, app_id)
  if (!account) throw new Error(`There is no account ${app_id}.`)
  return recordOf(account)
}

function recordOf({ organizations, token_epoch: _internal, ...account }: GrantedAccount): AccountRecord {
  return { ...account, corp_ids: organizations.map(({ corp_id }) => corp_id) }
}

/** `admin` is granted only explicitly. */
const grantable: Permission[] = [...permissions, 'admin']

function readPermissions(texts: string[]): Permission[] {
  const wanted = texts.map((text) => text.trim())
  const unknown = wanted.find((text) => !grantable.some((permission) => permission === text))
  if (wanted.length === 0 || unknown !== undefined) {
    throw new Error(`The permission "${unknown ?? ''}" is unknown: use ${grantable.join(', ')}.`)
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

function readTimeStampRule(text: string): TimeStampRule {
  const rule = timeStampRuleNames.find((name) => name === text)
  if (rule) return rule
  throw new Error(`The rule for time stamps "${text}" is unknown: use ${timeStampRuleNames.join(', ')}.`)
}

function readRateLimit(perMinute: number | null = defaultRateLimit): number | null {
  if (perMinute === null) return null
  if (Number.isInteger(perMinute) && perMinute >= 1 && perMinute <= maxRateLimit) return perMinute
  throw new Error(
    `The rate limit must be a whole number of calls per minute, from 1 to ${maxRateLimit}, or none.`,
  )
}

function readEnd(at: Date | null | undefined, now: Date): Date | null {
  if (at === null || at === undefined) return null
  if (at.getTime() > now.getTime()) return at
  throw new Error('The expiry must be in the future.')
}

export const maxNetworks = 100

function readAllowed(texts: string[] = []): string[] {
  const networks = texts.map((text) => text.trim())
  if (networks.length <= maxNetworks && readNetworks(networks)) return networks
  throw new Error(
    `The allowed addresses must be at most ${maxNetworks} addresses or networks such as 203.0.113.0/24 or 2001:db8::/32.`,
  )
}
