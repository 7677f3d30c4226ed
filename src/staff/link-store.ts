import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

export type LinkPurpose = 'password' | 'sign_in'

/** Makes a link; earlier ones of the same person for the same purpose work no more. */
export async function insertLink(
  on: Queryable,
  link: { link_hash: string; staff_id: string; purpose: LinkPurpose; expires_at: Date },
  now: Date,
): Promise<void> {
  await on.pipeline([
    sql`delete from staff_links where staff_id = ${link.staff_id} and purpose = ${link.purpose}`,
    sql`insert into staff_links (link_hash, staff_id, purpose, expires_at, ctime)
        values (${link.link_hash}, ${link.staff_id}, ${link.purpose}, ${link.expires_at}, ${now})`,
  ])
}

/** Whose link it is; it works no more from here on, so of two who use it at once one does. */
export async function takeLink(
  on: Queryable,
  link_hash: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<string | undefined> {
  const [row] = await on.query<{ staff_id: string }>(sql`
    delete from staff_links
     where link_hash = ${link_hash} and purpose = ${purpose} and expires_at > ${now}
    returning staff_id`)
  return row?.staff_id
}
