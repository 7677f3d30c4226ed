import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { type AccountKey, canSignIn, lockStaff } from './staff-store.ts'

export type LinkPurpose = 'password' | 'sign_in'

export interface Link {
  corp_id: string
  link_hash: string
  purpose: LinkPurpose
}

/** Stores a link. Deletes earlier links of the same account and purpose. */
export async function insertLink(
  on: Queryable,
  link: Link & { staff_id: string; expires_at: Date },
  now: Date,
): Promise<void> {
  const { corp_id, staff_id, purpose } = link
  await on.pipeline([
    sql`delete from staff_links where corp_id = ${corp_id} and staff_id = ${staff_id} and purpose = ${purpose}`,
    sql`insert into staff_links (corp_id, link_hash, staff_id, purpose, expires_at, ctime)
        values (${corp_id}, ${link.link_hash}, ${staff_id}, ${purpose}, ${link.expires_at}, ${now})`,
  ])
}

/** Whether the link exists, for any purpose. */
export async function isLink(on: Queryable, { corp_id, link_hash }: Link): Promise<boolean> {
  return (await findOwner(on, { corp_id, link_hash })) !== undefined
}

/**
 * Consumes a link and returns its account, which stays locked until the transaction ends. Of two concurrent uses one
 * succeeds. Fails for an account that cannot sign in.
 */
export async function takeLink(tx: Queryable, link: Link, now: Date): Promise<AccountKey | undefined> {
  const { corp_id, link_hash, purpose } = link
  const staff_id = await findOwner(tx, link)
  // All changes of an account lock it first.
  const staff = staff_id && (await lockStaff(tx, { corp_id, staff_id }))
  if (!staff || !canSignIn(staff)) return undefined
  const [taken] = await tx.query<{ staff_id: string }>(sql`
    delete from staff_links
     where corp_id = ${corp_id} and link_hash = ${link_hash} and purpose = ${purpose} and expires_at > ${now}
    returning staff_id`)
  return taken && { corp_id, staff_id: taken.staff_id }
}

async function findOwner(
  on: Queryable,
  { corp_id, link_hash }: Omit<Link, 'purpose'>,
): Promise<string | undefined> {
  const [row] = await on.query<{ staff_id: string }>(sql`
    select staff_id from staff_links where corp_id = ${corp_id} and link_hash = ${link_hash}`)
  return row?.staff_id
}

export async function deleteLinksOf(on: Queryable, { corp_id, staff_id }: AccountKey): Promise<void> {
  await on.query(sql`delete from staff_links where corp_id = ${corp_id} and staff_id = ${staff_id}`)
}
