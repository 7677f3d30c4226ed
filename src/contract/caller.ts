export const permissions = ['read', 'write', 'finance'] as const
export type Permission = (typeof permissions)[number]

/** Who may call: the interface's user_id / app_id. */
export interface Account {
  app_id: string
  name: string
  permissions: Permission[]
  token_epoch: number
  is_disabled: boolean
  strict_time_stamps: boolean
  rate_limit_per_minute: number | null
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
