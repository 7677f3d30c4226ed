import { createRateCounter, type RateCounter } from '../../contract/limits/rate-counter.ts'
import type { Database } from '../../database/database.ts'
import { createDirectory, type Directory } from '../organizations/directory.ts'
import type { Keyring } from '../organizations/keyring.ts'
import { createSessions, type Sessions } from '../staff/sessions.ts'
import { type AccessTokens, createAccessTokens } from './access-token.ts'
import { createFailureThrottle, type FailureThrottle } from './failure-throttle.ts'

/** Dependencies of authentication. */
export interface Auth {
  accounts: Database['shared']
  directory: Directory
  keyring: Keyring
  accessTokens: AccessTokens
  failures: FailureThrottle
  /** The sessions of staff. */
  sessions: Sessions
  /** Whether sign-in providers may be in private networks, and on this machine without TLS. */
  allowsPrivateProviders: boolean
  /** The name servers for domain lookups; empty: those of the system. */
  dnsServers: string[]
}

declare module '../../contract/endpoint.ts' {
  interface PublicContext {
    auth: Auth
  }
}

export function createAuth(
  db: Database,
  keyring: Keyring,
  rateCounter: RateCounter = createRateCounter(),
  allowsPrivateProviders = false,
  dnsServers: string[] = [],
): Auth {
  return {
    accounts: db.shared,
    directory: createDirectory(db.shared),
    keyring,
    accessTokens: createAccessTokens(keyring),
    failures: createFailureThrottle(rateCounter),
    sessions: createSessions(db.forStrangers),
    allowsPrivateProviders,
    dnsServers,
  }
}
