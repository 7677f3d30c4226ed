import type { CheckedFrom, CheckRange } from '../access/audit/verified-heads.ts'
import { fullCheckDays, noteVerified } from '../access/audit/verified-heads.ts'
import type { Session } from './session.ts'

export const fullOption = [
  '--full',
  `check everything (default: from the last verified head on, and everything if ${fullCheckDays} days have passed)`,
] as const

/** The range of a check by command. Verified heads are noted in the same database. */
export async function rangeOf({ db, findKeyring, now }: Session, full: boolean): Promise<CheckRange> {
  const keyring = await findKeyring()
  return {
    extent: full ? 'full' : 'due',
    keyring,
    now,
    keep: async (corp_id, chain, verified) => {
      if (keyring) await noteVerified(db.of(corp_id), corp_id, chain, verified, keyring)
    },
  }
}

/** Describes the unchecked part. Empty if everything was checked. */
export function describeRange(chains: CheckedFrom[], what: string): string {
  const continued = chains.filter(({ is_full }) => !is_full)
  if (continued.length === 0) return ''
  const since = continued.map(({ verified_at }) => verified_at ?? '').reduce(earlier)
  const full = continued.map(({ full_at }) => full_at ?? '').reduce(earlier)
  return (
    `${continued.length} of ${chains.length} chains were checked from the head that was verified at ${since} on. ` +
    `Changes of ${what} before that head would not be detected: the last full check was at ${full}, and --full does one now.`
  )
}

function earlier(one: string, other: string): string {
  return one < other ? one : other
}
