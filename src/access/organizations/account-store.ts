import type { Account, Organization } from '../../contract/caller.ts'
import type { Queryable } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'
import type { SealedSecret } from './secret-store.ts'

/** An account with the organizations it is granted. */
export interface GrantedAccount extends Account {
  organizations: Organization[]
}

/** A secret whose tokens are valid until it ends. Null: until it is replaced. */
interface WorkingSecret {
  secret_id: string
  ends_at_ms: number | null
}

/** An account that calls with a token, with the secrets that may have signed the request for the token. */
export interface ProgramCaller extends GrantedAccount {
  kind: 'program'
  secrets: WorkingSecret[]
}

/** The account, epoch and secret that a token carries. */
export interface TokenClaims {
  app_id: string
  epoch: number
  /** The secret that signed the request for the token. Absent in tokens of earlier versions. */
  secret_id?: string | undefined
}

/** Whether a token is valid: its epoch is the current one, and its secret has not ended. */
export function isInForce(account: ProgramCaller, { epoch, secret_id }: TokenClaims, now: Date): boolean {
  if (account.token_epoch !== epoch) return false
  if (secret_id === undefined) return true
  const secret = account.secrets.find((each) => each.secret_id === secret_id)
  return secret !== undefined && (secret.ends_at_ms === null || secret.ends_at_ms > now.getTime())
}

/** Whether the account is disabled or expired. */
export function hasEnded({ is_disabled, expires_at }: Account, now: Date): boolean {
  return is_disabled || (expires_at !== null && expires_at.getTime() <= now.getTime())
}

/** Whether the account has organizations, and all of them are suspended. */
export function isSuspendedEverywhere({ organizations }: Pick<GrantedAccount, 'organizations'>): boolean {
  return organizations.length > 0 && organizations.every(({ is_suspended }) => is_suspended)
}

const accountColumns = raw(`
  a.app_id, a.name, a.permissions, a.token_epoch, a.is_disabled, a.time_stamps, a.rate_limit_per_minute,
  a.expires_at, a.allowed_networks, a.signs_money`)

const organizationsOfAccount = raw(`
  coalesce((select json_agg(json_build_object('corp_id', o.corp_id, 'name', o.name, 'time_zone', o.time_zone,
                                              'currency', o.currency, 'country', o.country, 'pools', o.pools,
                                              'is_suspended', o.suspended_at is not null, 'over_quota', o.over_quota) order by o.ctime, o.corp_id)
              from account_organizations g join organizations o on o.corp_id = g.corp_id
             where g.app_id = a.app_id), '[]') as organizations`)

export async function findAccount(on: Queryable, app_id: string): Promise<GrantedAccount | undefined> {
  const [row] = await on.query<GrantedAccount>(sql`
    select ${accountColumns}, ${organizationsOfAccount} from accounts a where a.app_id = ${app_id}`)
  return row
}

const secretsOfAccount = raw(`
  coalesce((select json_agg(json_build_object('secret_id', s.secret_id,
                                              'ends_at_ms', floor(extract(epoch from s.expires_at) * 1000)::bigint))
              from account_secrets s where s.app_id = a.app_id), '[]') as secrets`)

export async function findCallingAccount(on: Queryable, app_id: string): Promise<ProgramCaller | undefined> {
  const [row] = await on.query<ProgramCaller>(sql`
    select 'program' as kind, ${accountColumns}, ${organizationsOfAccount}, ${secretsOfAccount}
      from accounts a where a.app_id = ${app_id}`)
  return row
}

export async function listAccounts(on: Queryable): Promise<GrantedAccount[]> {
  return on.query<GrantedAccount>(sql`
    select ${accountColumns}, ${organizationsOfAccount} from accounts a order by a.ctime, a.app_id`)
}

/** Accounts that are granted an organization. */
export async function listAccountsOf(on: Queryable, corp_id: string): Promise<GrantedAccount[]> {
  return on.query<GrantedAccount>(sql`
    select ${accountColumns}, ${organizationsOfAccount} from accounts a
     where a.app_id in (select app_id from account_organizations where corp_id = ${corp_id})
     order by a.ctime, a.app_id`)
}

export type NewAccount = Omit<Account, 'token_epoch' | 'is_disabled'> &
  SealedSecret & { corp_ids: string[]; secret_id: string; secret_expires_at: Date | null }

export async function insertAccount(on: Queryable, account: NewAccount, now: Date): Promise<void> {
  await on.query(sql`
    with inserted as (
      insert into accounts (app_id, name, permissions, time_stamps, rate_limit_per_minute, expires_at,
                            allowed_networks, signs_money, ctime, mtime)
      values (${account.app_id}, ${account.name}, ${account.permissions}, ${account.time_stamps},
              ${account.rate_limit_per_minute}, ${account.expires_at}, ${account.allowed_networks},
              ${account.signs_money}, ${now}, ${now})
      returning app_id),
    stored as (
      insert into account_secrets (app_id, secret_id, secret_box, secret_key_id, ctime, expires_at)
      select inserted.app_id, ${account.secret_id}, ${account.secret_box}, ${account.secret_key_id}, ${now}::timestamptz,
             ${account.secret_expires_at}::timestamptz
        from inserted)
    insert into account_organizations (app_id, corp_id, ctime)
    select inserted.app_id, corp_id, ${now} from inserted, unnest(${account.corp_ids}::text[]) as corp_id`)
}

/** Disables the account and revokes all its tokens. */
export async function disableAccount(on: Queryable, app_id: string, now: Date): Promise<boolean> {
  const rows = await on.query(sql`
    update accounts set is_disabled = true, token_epoch = token_epoch + 1, mtime = ${now}
     where app_id = ${app_id} returning app_id`)
  return rows.length === 1
}

export async function enableAccount(on: Queryable, app_id: string, now: Date): Promise<void> {
  await on.query(sql`update accounts set is_disabled = false, mtime = ${now} where app_id = ${app_id}`)
}

export type AccountSettings = Pick<
  Account,
  'time_stamps' | 'rate_limit_per_minute' | 'expires_at' | 'allowed_networks' | 'signs_money' | 'permissions'
>

export async function storeSettings(
  on: Queryable,
  app_id: string,
  settings: AccountSettings,
  now: Date,
): Promise<void> {
  await on.query(sql`
    update accounts
       set time_stamps = ${settings.time_stamps}, rate_limit_per_minute = ${settings.rate_limit_per_minute},
           expires_at = ${settings.expires_at}, allowed_networks = ${settings.allowed_networks},
           signs_money = ${settings.signs_money}, permissions = ${settings.permissions}, mtime = ${now}
     where app_id = ${app_id}
    returning app_id`)
}

export async function grantOrganizations(
  on: Queryable,
  app_id: string,
  corp_ids: string[],
  now: Date,
): Promise<void> {
  await on.query(sql`
    insert into account_organizations (app_id, corp_id, ctime)
    select ${app_id}::text, corp_id, ${now}::timestamptz from unnest(${corp_ids}::text[]) as corp_id
    on conflict (app_id, corp_id) do nothing
    returning app_id, corp_id`)
}

export async function revokeOrganizations(on: Queryable, app_id: string, corp_ids: string[]): Promise<void> {
  await on.query(sql`
    delete from account_organizations where app_id = ${app_id} and corp_id = any(${corp_ids})
    returning app_id, corp_id`)
}

/** Revokes all tokens of the account. */
export async function raiseEpoch(on: Queryable, app_id: string, now: Date): Promise<void> {
  await on.query(sql`
    update accounts set token_epoch = token_epoch + 1, mtime = ${now} where app_id = ${app_id} returning app_id`)
}

/** True if the signature is new. Also deletes signatures older than `oldest`. */
export async function noteSignature(
  on: Queryable,
  seen: { app_id: string; signature: string; now: Date; oldest: Date },
): Promise<boolean> {
  const rows = await on.query(sql`
    with pruned as (delete from seen_signatures where app_id = ${seen.app_id} and seen_at < ${seen.oldest})
    insert into seen_signatures (app_id, signature, seen_at)
    values (${seen.app_id}, ${seen.signature}, ${seen.now})
    on conflict (app_id, signature) do nothing
    returning app_id`)
  return rows.length === 1
}
