import type { TimeStampRule } from './time-stamps.ts'

/** Permissions of accounts. */
export const permissions = ['read', 'write', 'finance'] as const
/** Staff may also have `admin`: managing their organization. */
export type Permission = (typeof permissions)[number] | 'admin'

/** An account that calls operations: `user_id` / `app_id` of the interface. */
export interface Account {
  app_id: string
  name: string
  permissions: Permission[]
  token_epoch: number
  is_disabled: boolean
  time_stamps: TimeStampRule
  rate_limit_per_minute: number | null
  /** Null: never. */
  expires_at: Date | null
  /** Networks that may use the account, as CIDR. Empty: all. */
  allowed_networks: string[]
  /** Whether calls that move money must be signed. */
  signs_money: boolean
}

/** The account of a part of the service itself, such as maintenance. */
export function programAccount(app_id: string, name: string): Account {
  return {
    app_id,
    name,
    permissions: [...permissions],
    token_epoch: 0,
    is_disabled: false,
    time_stamps: 'any',
    rate_limit_per_minute: null,
    expires_at: null,
    allowed_networks: [],
    signs_money: false,
  }
}

/** The tenant: accounts are granted organizations, and every record belongs to one. */
export interface Organization {
  corp_id: string
  name: string
  time_zone: string
  currency: string
  /** ISO 3166. Telephone numbers without a calling code belong to this country. */
  country: string
  pools: string[]
  /** Whether sign-in and calls are refused, and background work pauses. */
  is_suspended: boolean
  /** The quotas that are used up. */
  over_quota: string[]
}
