import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** A master key, by its id, and the number of stored secrets that it seals. */
export interface SealingKey {
  key_id: string
  secrets: number
}

/** The keys that seal the secrets of accounts. */
export async function sealingAccounts(on: Queryable): Promise<SealingKey[]> {
  return on.query<SealingKey>(sql`
    select secret_key_id as key_id, count(*) as secrets from account_secrets
     group by secret_key_id order by secret_key_id`)
}

/** The keys that seal the other secrets of an organization: provider, checkout, webhooks, waiting mails, and the key of its erasures. */
export async function sealingOrganization(on: Queryable, corp_id: string): Promise<SealingKey[]> {
  return on.query<SealingKey>(sql`
    select sealed.key_id, count(*) as secrets
      from (select secret_key_id as key_id from sign_in_providers where corp_id = ${corp_id}
             union all
            select secret_key_id from issuers where corp_id = ${corp_id} and secret_key_id is not null
             union all
            select secret_key_id from webhook_secrets where corp_id = ${corp_id}
             union all
            select secret_key_id from mails where corp_id = ${corp_id} and secret_key_id is not null
             union all
            select secret_key_id from erasure_registers where corp_id = ${corp_id} and secret_key_id is not null) sealed
     group by sealed.key_id order by sealed.key_id`)
}
