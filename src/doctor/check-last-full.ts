import { findVerified, fullCheckDays } from '../access/audit/verified-heads.ts'
import { listOrganizations } from '../access/organizations/organization-store.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { findKeyring } from '../open-keyring.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Checks by command are full when one is due. An older full check means that nobody runs them. */
const lateMs = 2 * fullCheckDays * 86_400_000

/** Whether every chain had a full check recently. Other checks do not find changes before the head that they start from. */
export async function checkLastFull(db: Database, config: Config, now: Date): Promise<Finding> {
  const check = 'full check'
  const fix = 'matricula finance check --full && matricula audit verify --full, every week.'
  const keyring = await findKeyring(config)
  const corpIds = (await listOrganizations(db.shared)).map(({ corp_id }) => corp_id)
  const late = new Set<string>()
  let oldest = now.toISOString()
  for (const corp_id of corpIds)
    for (const chain of ['ledger', 'audit'] as const) {
      const verified = await findVerified(db.of(corp_id), corp_id, chain, keyring)
      if (!verified || now.getTime() - Date.parse(verified.full_at) > lateMs) late.add(corp_id)
      else if (verified.full_at < oldest) oldest = verified.full_at
    }
  if (late.size === 0)
    return ok(check, `Ledger and audit of every organization were checked as a whole since ${oldest}.`)
  return warning(
    check,
    `Ledger or audit of ${late.size} of ${corpIds.length} organizations were not checked as a whole for ${2 * fullCheckDays} days.`,
    fix,
  )
}
