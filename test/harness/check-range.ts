import {
  type CheckExtent,
  type CheckRange,
  fullCheckDays,
  noteVerified,
} from '../../src/access/audit/verified-heads.ts'
import type { Keyring } from '../../src/access/organizations/keyring.ts'
import type { TestDatabase } from './database.ts'
import { testKeyring } from './keyring.ts'

/** The range of a check that stores its notes in the same database, as commands do. */
export function rangeIn(
  { app }: TestDatabase,
  extent: CheckExtent = 'due',
  { daysFromNow = 0, keyring = testKeyring }: { daysFromNow?: number; keyring?: Keyring } = {},
): CheckRange {
  return {
    extent,
    keyring,
    now: new Date(Date.now() + daysFromNow * 86_400_000),
    keep: (corp_id, chain, verified) => noteVerified(app.of(corp_id), corp_id, chain, verified, keyring),
  }
}

/** The first day on which a full check is due. */
export const dueDays = fullCheckDays
