import type { Permission } from '../../contract/caller.ts'
import { namesOf } from '../../contract/record-of.ts'

/** The roles of staff. A role is a set of permissions. Programs have permissions too. */
export const roles = {
  counsellor: ['read', 'write'],
  finance: ['read', 'write', 'finance'],
  admin: ['read', 'write', 'finance', 'admin'],
  viewer: ['read'],
} as const satisfies Record<string, readonly Permission[]>

export type Role = keyof typeof roles

export const roleNames = namesOf(roles)
