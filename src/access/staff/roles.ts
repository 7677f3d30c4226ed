import type { Permission } from '../../contract/caller.ts'

/** What staff may be in an organization: a role is a set of the permissions that accounts have, too. */
export const roles = {
  counsellor: ['read', 'write'],
  finance: ['read', 'write', 'finance'],
  admin: ['read', 'write', 'finance', 'admin'],
  viewer: ['read'],
} as const satisfies Record<string, readonly Permission[]>

export type Role = keyof typeof roles

export const roleNames = Object.keys(roles) as Role[]
