import type { Queryable } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'

export interface SealedSecret {
  secret_box: Buffer
  secret_key_id: string
}

export interface NewSecret extends SealedSecret {
  app_id: string
  secret_id: string
  expires_at: Date | null
}

/** A secret of an account, as it is stored. */
export interface StoredSecret extends SealedSecret {
  secret_id: string
  expires_at: Date | null
}

/** The valid secrets of an account, newest first. */
export async function findSecrets(on: Queryable, app_id: string, now: Date): Promise<StoredSecret[]> {
  return on.query<StoredSecret>(sql`
    select secret_id, secret_box, secret_key_id, expires_at from account_secrets
     where app_id = ${app_id} and (expires_at is null or expires_at > ${now})
     order by ctime desc, secret_id`)
}

export interface SecretEnd {
  app_id: string
  ctime: Date
  expires_at: Date | null
}

export async function findSecretEnds(on: Queryable, app_ids: string[], now: Date): Promise<SecretEnd[]> {
  return on.query<SecretEnd>(sql`
    select app_id, ctime, expires_at from account_secrets
     where app_id = any(${app_ids}::text[]) and (expires_at is null or expires_at > ${now})
     order by ctime desc, secret_id`)
}

export async function insertSecret(on: Queryable, secret: NewSecret, now: Date): Promise<void> {
  await on.query(sql`
    insert into account_secrets (app_id, secret_id, secret_box, secret_key_id, ctime, expires_at)
    values (${secret.app_id}, ${secret.secret_id}, ${secret.secret_box}, ${secret.secret_key_id}, ${now}, ${secret.expires_at})
    returning app_id, secret_id, expires_at`)
}

const newestOf = raw(`
  (select n.secret_id from account_secrets n where n.app_id = s.app_id order by n.ctime desc, n.secret_id limit 1)`)

/** Deletes all secrets but the newest. */
export async function endOlderSecrets(on: Queryable, app_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    delete from account_secrets s where s.app_id = ${app_id} and s.secret_id <> ${newestOf}
    returning s.app_id, s.secret_id`)
  return rows.length > 0
}

export async function endSecrets(on: Queryable, app_id: string): Promise<void> {
  await on.query(sql`delete from account_secrets where app_id = ${app_id} returning app_id, secret_id`)
}

/** Limits the validity of the newest secret; never extends it. */
export async function endNewestAt(on: Queryable, app_id: string, at: Date): Promise<void> {
  await on.query(sql`
    update account_secrets s set expires_at = least(s.expires_at, ${at})
     where s.app_id = ${app_id} and s.secret_id = ${newestOf}
    returning s.app_id, s.secret_id, s.expires_at`)
}

/** A sealed secret of an account. */
interface AccountSecret extends SealedSecret {
  app_id: string
  secret_id: string
}

/** Secrets that another key has sealed, up to a limit. */
export async function findSealedByOthers(
  on: Queryable,
  key_id: string,
  limit: number,
): Promise<AccountSecret[]> {
  return on.query<AccountSecret>(sql`
    select app_id, secret_id, secret_box, secret_key_id
      from account_secrets where secret_key_id <> ${key_id}
     limit ${limit}`)
}

/** Stores the resealed secret, unless the secret was replaced concurrently. */
export async function reseal(on: Queryable, before: AccountSecret, after: SealedSecret): Promise<void> {
  await on.query(sql`
    update account_secrets set secret_box = ${after.secret_box}, secret_key_id = ${after.secret_key_id}
     where app_id = ${before.app_id} and secret_id = ${before.secret_id} and secret_box = ${before.secret_box}
    returning app_id, secret_id, secret_key_id`)
}

/** The same for the secret of an organization's sign-in provider. */
export async function resealProvider(
  on: Queryable,
  before: SealedSecret & { corp_id: string },
  after: SealedSecret,
): Promise<void> {
  await on.query(sql`
    update sign_in_providers set secret_box = ${after.secret_box}, secret_key_id = ${after.secret_key_id}
     where corp_id = ${before.corp_id} and secret_box = ${before.secret_box}
    returning corp_id, secret_key_id`)
}
