import type { Caller } from '../../access/caller.ts'
import type { Organization } from '../../contract/caller.ts'
import { ApiError } from '../../contract/errors.ts'

/** The organization of a call. One that is not granted looks the same whether it exists or not. */
export function grantedOrganization({ organizations }: Caller, corpId: unknown): Organization {
  const organization = organizations.find(({ corp_id }) => corp_id === corpId)
  if (!organization) throw new ApiError('organizationNotGranted')
  return organization
}
