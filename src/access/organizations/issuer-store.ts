import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { SealedSecret } from './secret-store.ts'

/** The organization as its documents and payment requests name it. */
export interface Issuer {
  legal_name: string
  address: string
  tax_number: string
  bank_name: string
  bank_account_name: string
  bank_account_number: string
  bank_code: string
  /** "" without a logo. */
  logo_id: string
  /** "#rrggbb"; "" without a colour. Documents of before have none. */
  color: string
  /** "" without a checkout. */
  checkout_url: string
}

/** An organization that has set nothing. */
export const unnamedIssuer: Issuer = {
  legal_name: '',
  address: '',
  tax_number: '',
  bank_name: '',
  bank_account_name: '',
  bank_account_number: '',
  bank_code: '',
  logo_id: '',
  color: '',
  checkout_url: '',
}

export interface Logo {
  logo_id: string
  type: 'image/png' | 'image/jpeg'
  content: Buffer
}

export async function findIssuer(on: Queryable, corp_id: string): Promise<Issuer> {
  const [issuer] = await on.query<Issuer>(sql`
    select legal_name, address, tax_number, bank_name, bank_account_name, bank_account_number, bank_code, logo_id,
           color, checkout_url
      from issuers where corp_id = ${corp_id}`)
  return issuer ?? unnamedIssuer
}

/** Locks the issuer until the end of the transaction, so that concurrent changes of other members are kept. */
export async function lockIssuer(tx: Queryable, corp_id: string, now: Date): Promise<Issuer> {
  await tx.query(sql`
    insert into issuers (corp_id, legal_name, address, tax_number, bank_name, bank_account_name, bank_account_number,
                         bank_code, logo_id, mtime)
    values (${corp_id}, '', '', '', '', '', '', '', '', ${now})
    on conflict (corp_id) do update set mtime = excluded.mtime`)
  return findIssuer(tx, corp_id)
}

export async function storeIssuer(
  tx: Queryable,
  corp_id: string,
  issuer: Issuer,
  before: Issuer,
): Promise<void> {
  await tx.query(sql`
    update issuers
       set legal_name = ${issuer.legal_name}, address = ${issuer.address}, tax_number = ${issuer.tax_number},
           bank_name = ${issuer.bank_name}, bank_account_name = ${issuer.bank_account_name},
           bank_account_number = ${issuer.bank_account_number}, bank_code = ${issuer.bank_code},
           logo_id = ${issuer.logo_id}, color = ${issuer.color}, checkout_url = ${issuer.checkout_url}
     where corp_id = ${corp_id}`)
  tx.note({ record_type: 'issuers', record_id: corp_id, before, after: issuer })
}

/** Stores a logo unless it is stored already. */
export async function insertLogo(on: Queryable, corp_id: string, logo: Logo, now: Date): Promise<void> {
  await on.query(sql`
    insert into issuer_logos (corp_id, logo_id, type, content, ctime)
    values (${corp_id}, ${logo.logo_id}, ${logo.type}, ${logo.content}, ${now})
    on conflict (corp_id, logo_id) do nothing`)
}

export async function findLogo(on: Queryable, corp_id: string, logo_id: string): Promise<Logo | undefined> {
  const [logo] = await on.query<Logo>(sql`
    select logo_id, type, content from issuer_logos where corp_id = ${corp_id} and logo_id = ${logo_id}`)
  return logo
}

/** The name that seals the checkout secret. No account has it. */
export function checkoutSealName(corp_id: string): string {
  return `checkout:${corp_id}`
}

export async function findCheckoutSecret(on: Queryable, corp_id: string): Promise<SealedSecret | undefined> {
  const [secret] = await on.query<SealedSecret>(sql`
    select secret_box, secret_key_id from issuers where corp_id = ${corp_id} and secret_box is not null`)
  return secret
}

export async function storeCheckoutSecret(
  tx: Queryable,
  corp_id: string,
  { secret_box, secret_key_id }: SealedSecret,
): Promise<void> {
  await tx.query(sql`
    update issuers set secret_box = ${secret_box}, secret_key_id = ${secret_key_id} where corp_id = ${corp_id}`)
  tx.note({ record_type: 'issuers', record_id: corp_id, action: 'changed', after: { secret_key_id } })
}

/** Stores the resealed secret, unless the secret was replaced concurrently. */
export async function resealCheckout(
  on: Queryable,
  before: SealedSecret & { corp_id: string },
  after: SealedSecret,
): Promise<void> {
  await on.query(sql`
    update issuers set secret_box = ${after.secret_box}, secret_key_id = ${after.secret_key_id}
     where corp_id = ${before.corp_id} and secret_box = ${before.secret_box}
    returning corp_id, secret_key_id`)
}
