import type { TimeStampRule } from './time-stamps.ts'

/** What accounts may be permitted. */
export const permissions = ['read', 'write', 'finance'] as const
/** Staff may be permitted to manage their organization, too. */
export type Permission = (typeof permissions)[number] | 'admin'

/** Who may call: the interface's user_id / app_id. */
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
  /** That it may be used from, as CIDR; none: from everywhere. */
  allowed_networks: string[]
  /** Whether its calls that move money must be signed. */
  signs_money: boolean
}

/** The account of a part of the service itself, in whose name it works. */
export function programAccount(app_id: string, name: string): Account {
  return {
    ...{ app_id, name, permissions: [...permissions], token_epoch: 0, is_disabled: false },
    ...{ time_stamps: 'any', rate_limit_per_minute: null },
    ...{ expires_at: null, allowed_networks: [], signs_money: false },
  }
}

/** What an account is granted, and what every record belongs to. */
export interface Organization {
  corp_id: string
  name: string
  time_zone: string
  currency: string
  /** ISO 3166: whose numbers are meant where one is written without a calling code. */
  country: string
  pools: string[]
}
