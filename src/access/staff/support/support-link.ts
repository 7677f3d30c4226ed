import type { PublicContext } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import type { Queryable } from '../../../database/database.ts'
import { refuseSuspended } from '../../organizations/suspend-organization.ts'
import '../console-context.ts'
import { hashOfToken, newSecretToken, organizationOf } from '../secret-token.ts'
import type { SupportRole } from './support-roles.ts'
import { hasLink, insertSupportSession, setLink, takeLink } from './support-store.ts'

const linkLifeMs = 10 * 60 * 1000

export interface SupportLink {
  grant_id: string
  name: string
  role: SupportRole
  ends_at: Date
  /** The last part of the link. */
  link: string
  link_ends_at: Date
}

/** Creates a link by which a support person signs in once. Throws if the school has granted no access. */
export async function makeSupportLink(
  on: Queryable,
  { corp_id, email }: { corp_id: string; email: string },
  now: Date,
): Promise<SupportLink> {
  return on.transaction(async (tx) => {
    const link = newSecretToken(corp_id)
    const link_ends_at = new Date(now.getTime() + linkLifeMs)
    const grant = await setLink(tx, { corp_id, email, link_hash: hashOfToken(link), link_ends_at }, now)
    if (!grant)
      throw new Error(
        'The school has granted no access to this address, or not any more. An administrator grants it in Settings › Support.',
      )
    tx.note({ record_type: 'support_grants', record_id: grant.grant_id, after: { link: 'made' } })
    return { ...grant, link, link_ends_at }
  })
}

/** Signs in a support person with a link. Returns the token of the session; undefined if it is no link of support. */
export async function enterAsSupport(
  { access, now }: Pick<PublicContext, 'access' | 'now'>,
  link: string,
): Promise<string | undefined> {
  const corp_id = organizationOf(link)
  if (corp_id === undefined) return undefined
  const link_hash = hashOfToken(link)
  const on = access.of(corp_id)
  // Read first: a wrong link opens no transaction.
  if (!(await hasLink(on, corp_id, link_hash))) return undefined
  return on.transaction(async (tx) => {
    const grant_id = await takeLink(tx, corp_id, link_hash, now)
    if (grant_id === undefined) throw new ApiError('linkInvalid')
    await refuseSuspended(tx, corp_id)
    const token = newSecretToken(corp_id)
    await insertSupportSession(tx, { corp_id, session_hash: hashOfToken(token) }, grant_id, now)
    const origin = { ...tx.origin, actor_kind: 'support' as const, actor_id: grant_id }
    tx.note({ record_type: 'staff_sessions', record_id: grant_id, after: { grant_id }, origin })
    return token
  })
}
