import { findIssuer, findLogo } from '../../access/organizations/issuer-store.ts'
import { findOrganizations } from '../../access/organizations/organization-store.ts'
import { ApiError } from '../../contract/errors.ts'
import { longest } from '../../contract/lengths.ts'
import type { Services } from '../call.ts'
import type { Pages } from './pages.ts'

/** How a school looks on its sign-in page. */
export interface SchoolLook {
  corp_id: string
  name: string
  color: string
  logo_id: string
}

/**
 * The look of a school that has set a logo or a colour. Any other school looks exactly like none, so that the page does not
 * tell which schools exist.
 */
export async function findSchoolLook({ db }: Services, corp_id: string): Promise<SchoolLook | undefined> {
  if (corp_id === '' || corp_id.length > longest.id || corp_id.includes('\0')) return undefined
  const { color, logo_id } = await findIssuer(db.of(corp_id), corp_id)
  if (color === '' && logo_id === '') return undefined
  const [organization] = await findOrganizations(db.shared, [corp_id])
  return organization && !organization.is_suspended
    ? { corp_id, name: organization.name, color, logo_id }
    : undefined
}

/** Logos at addresses that hold a hash of their content, which only the session and the sign-in page of the school tell. */
export function addLogos(pages: Pages, { db }: Services): void {
  pages.get('/schools/:corp_id/logo/:logo_id', async ({ corp_id = '', logo_id = '' }) => {
    const isAddress =
      corp_id.length <= longest.id && !corp_id.includes('\0') && /^[0-9a-f]{64}$/.test(logo_id)
    const logo = isAddress ? await findLogo(db.of(corp_id), corp_id, logo_id) : undefined
    if (!logo) throw new ApiError('routeNotFound')
    return {
      headers: {
        'content-type': logo.type,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
      },
      body: logo.content,
    }
  })
}
