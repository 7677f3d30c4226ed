import type { Caller } from '../../access/caller.ts'
import { confirmationMs } from '../../access/staff/sessions.ts'
import type { Organization } from '../../contract/caller.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { isOpenToSupport } from '../../contract/guard.ts'

/** Refuses callers without the permission of the operation, and programs where only staff may call. */
export function requirePermission(endpoint: Endpoint, caller: Caller): void {
  const isStaff = caller.kind === 'staff'
  const permission = isStaff ? (endpoint.staffPermission ?? endpoint.permission) : endpoint.permission
  if (permission !== undefined && !caller.permissions.includes(permission))
    throw new ApiError('permissionMissing', { msg: `The caller lacks the permission ${permission}.` })
  if (endpoint.group === 'Console' && !isStaff) throw new ApiError('sessionEnded')
  if (isStaff && caller.session.support && !isOpenToSupport(endpoint))
    throw new ApiError('permissionMissing', {
      msg: 'Support may not call this operation.',
      extra: { reason: 'not_for_support' },
    })
}

/** The organization of a call. One that is not granted looks the same whether it exists or not. */
export function grantedOrganization({ organizations }: Caller, corpId: unknown): Organization {
  const organization = organizations.find(({ corp_id }) => corp_id === corpId)
  if (!organization) throw new ApiError('organizationNotGranted')
  if (organization.is_suspended) throw new ApiError('organizationSuspended')
  return organization
}

/** Operations that make a school larger. Money that has arrived is never refused, nor is anything that removes records. */
const growing = new Set([
  'createUser',
  'importLead',
  'importLeads',
  'createOrder',
  'createLeadFile',
  'commitLeadFile',
])
const importing = new Set(['createLeadFile'])

/** Refuses what a used-up quota refuses. Staff can always work: calls are counted for programs only. */
export function requireQuota({ id }: Endpoint, { kind }: Caller, { over_quota }: Organization): void {
  if (over_quota.length === 0 || id === 'fetchUsage') return
  const refused = over_quota.find(
    (quota) =>
      (quota === 'calls_per_day' && kind === 'program') ||
      ((quota === 'rows' || quota === 'bytes') && growing.has(id)) ||
      (quota === 'imports_per_day' && importing.has(id)),
  )
  if (refused)
    throw new ApiError('quotaUsedUp', { msg: `The organization has used up its quota ${refused}.` })
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
