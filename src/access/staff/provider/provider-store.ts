import type { Queryable } from '../../../database/database.ts'
import { raw, sql } from '../../../database/sql.ts'
import type { SealedSecret } from '../../organizations/secret-store.ts'
import type { Role } from '../roles.ts'

/** The OpenID Connect provider of an organization. */
export interface Provider {
  corp_id: string
  issuer: string
  client_id: string
  /** Allowed e-mail domains, verified or not. Empty: every invited address. */
  email_domains: string[]
  /** Whether an address counts as verified if the provider does not say so. */
  trusts_emails: boolean
  /** The role of people with an address of a verified domain and no invitation; null: they are not admitted. */
  default_role: Exclude<Role, 'admin'> | null
}

/** The name that seals the secret. No account has it. */
export function sealNameOf(corp_id: string): string {
  return `provider:${corp_id}`
}

const columns = raw('corp_id, issuer, client_id, email_domains, trusts_emails, default_role')

export async function findProvider(on: Queryable, corp_id: string): Promise<Provider | undefined> {
  const [row] = await on.query<Provider>(sql`
    select ${columns} from sign_in_providers where corp_id = ${corp_id}`)
  return row
}

export async function findProviderSecret(on: Queryable, corp_id: string): Promise<SealedSecret | undefined> {
  const [row] = await on.query<SealedSecret>(sql`
    select secret_box, secret_key_id from sign_in_providers where corp_id = ${corp_id}`)
  return row
}

export async function putProvider(
  on: Queryable,
  provider: Provider & SealedSecret,
  now: Date,
): Promise<void> {
  await on.query(sql`
    insert into sign_in_providers (corp_id, issuer, client_id, secret_box, secret_key_id, email_domains,
                                   trusts_emails, default_role, ctime, mtime)
    values (${provider.corp_id}, ${provider.issuer}, ${provider.client_id}, ${provider.secret_box},
            ${provider.secret_key_id}, ${provider.email_domains}, ${provider.trusts_emails},
            ${provider.default_role}, ${now}, ${now})
    on conflict (corp_id) do update
       set issuer = excluded.issuer, client_id = excluded.client_id, secret_box = excluded.secret_box,
           secret_key_id = excluded.secret_key_id, email_domains = excluded.email_domains,
           trusts_emails = excluded.trusts_emails, default_role = excluded.default_role, mtime = excluded.mtime
    returning ${columns}`)
}

export async function deleteProvider(on: Queryable, corp_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    delete from sign_in_providers where corp_id = ${corp_id} returning corp_id`)
  return rows.length === 1
}
