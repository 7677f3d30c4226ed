import type { Database } from '../database/database.ts'
import { createDirectory, type Directory } from '../organizations/directory.ts'
import type { Keyring } from '../organizations/keyring.ts'
import { createWindows, type Windows } from '../throttling/windows.ts'
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

export function createAuthority(
  db: Database,
  keyring: Keyring,
  windows: Windows = createWindows(),
): Authority {
  return {
    accounts: db.shared,
    directory: createDirectory(db.shared),
    keyring,
    accessTokens: createAccessTokens(keyring),
    failures: createFailureThrottle(windows),
  }
}
