import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { SealedSecret } from './secret-store.ts'

/** A sealed secret, wherever it is kept: of an account, or of the provider of an organization. */
export interface Kept extends SealedSecret {
  kind: 'account' | 'provider'
  /** app_id or corp_id. */
  owner_id: string
  /** Of an account only. */
  secret_id: string
}

/** How many secrets each master key has sealed. */
export async function countByKey(on: Queryable): Promise<{ key_id: string; secrets: number }[]> {
  return on.query<{ key_id: string; secrets: number }>(sql`
    select key_id, count(*) as secrets
      from (select secret_key_id as key_id from account_secrets
            union all select secret_key_id from sign_in_providers) as sealed
     group by key_id order by key_id`)
}

/** Some of those that another key than this one has sealed. */
export async function findSealedByOthers(on: Queryable, key_id: string, most: number): Promise<Kept[]> {
  return on.query<Kept>(sql`
    select 'account' as kind, app_id as owner_id, secret_id, secret_box, secret_key_id
      from account_secrets where secret_key_id <> ${key_id}
    union all
    select 'provider', corp_id, '', secret_box, secret_key_id
      from sign_in_providers where secret_key_id <> ${key_id}
     limit ${most}`)
}

/** Puts a secret into another box; one that was replaced meanwhile is left as it is. */
export async function reseal(on: Queryable, before: Kept, after: SealedSecret): Promise<void> {
  const { owner_id, secret_id, secret_box } = before
  await on.query(
    before.kind === 'account'
      ? sql`update account_secrets set secret_box = ${after.secret_box}, secret_key_id = ${after.secret_key_id}
             where app_id = ${owner_id} and secret_id = ${secret_id} and secret_box = ${secret_box}
            returning app_id, secret_id, secret_key_id`
      : sql`update sign_in_providers set secret_box = ${after.secret_box}, secret_key_id = ${after.secret_key_id}
             where corp_id = ${owner_id} and secret_box = ${secret_box}
            returning corp_id, secret_key_id`,
  )
}
