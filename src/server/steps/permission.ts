import type { Caller } from '../../access/caller.ts'
import { confirmationMs } from '../../access/staff/sessions.ts'
import type { Organization } from '../../contract/caller.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'

/** Refuses callers without the permission of the operation, and programs where only staff may call. */
export function requirePermission(endpoint: Endpoint, caller: Caller): void {
  const isStaff = caller.kind === 'staff'
  const permission = isStaff ? (endpoint.staffPermission ?? endpoint.permission) : endpoint.permission
  if (permission !== undefined && !caller.permissions.includes(permission))
    throw new ApiError('permissionMissing', { msg: `The caller lacks the permission ${permission}.` })
  if (endpoint.group === 'Console' && !isStaff) throw new ApiError('sessionEnded')
}

/** The organization of a call. One that is not granted looks the same whether it exists or not. */
export function grantedOrganization({ organizations }: Caller, corpId: unknown): Organization {
  const organization = organizations.find(({ corp_id }) => corp_id === corpId)
  if (!organization) throw new ApiError('organizationNotGranted')
  return organization
}

/**
 * Staff must have confirmed their identity within the last minutes: a browser left unattended must not do everything.
 * Programs prove theirs with every call.
 */
export function requireConfirmation(caller: Caller, now: Date): void {
  if (caller.kind === 'program') return
  if (now.getTime() - caller.session.confirmed_at.getTime() > confirmationMs)
    throw new ApiError('confirmationNeeded')
}
