import type { Caller } from '../../access/caller.ts'
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
