import type { Database } from '../database/database.ts'
import { createDirectory, type Directory } from '../organizations/directory.ts'
import type { Keyring } from '../organizations/keyring.ts'
import { type AccessTokens, createAccessTokens } from './access-token.ts'
import { createFailureThrottle, type FailureThrottle } from './failure-throttle.ts'

/** Everything that decides who a caller is. */
export interface Authority {
  accounts: Database['shared']
  directory: Directory
  keyring: Keyring
  accessTokens: AccessTokens
  failures: FailureThrottle
}

export function createAuthority(db: Database, keyring: Keyring): Authority {
  return {
    accounts: db.shared,
    directory: createDirectory(db.shared),
    keyring,
    accessTokens: createAccessTokens(keyring),
    failures: createFailureThrottle(),
  }
}
