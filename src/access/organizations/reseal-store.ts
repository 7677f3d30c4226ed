import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { SealedSecret } from './secret-store.ts'

/** A sealed secret of an account. */
export interface AccountSecret extends SealedSecret {
  app_id: string
  secret_id: string
}

/** The number of secrets of accounts by master key. */
export async function countByKey(on: Queryable): Promise<{ key_id: string; secrets: number }[]> {
  return on.query<{ key_id: string; secrets: number }>(sql`
    select secret_key_id as key_id, count(*) as secrets from account_secrets
     group by secret_key_id order by secret_key_id`)
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
