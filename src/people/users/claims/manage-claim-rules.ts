import { knownOrganization } from '../../../access/organizations/organization-store.ts'
import type { Database } from '../../../database/database.ts'
import { type ClaimRules, findClaimRules, storeClaimRules } from './claim-store.ts'

export const largestRule = 1_000_000

/** Changes the given rules, where null removes a limit. Returns all rules. */
export async function changeClaimRules(
  db: Pick<Database, 'of'>,
  corp_id: string,
  wanted: Partial<ClaimRules>,
): Promise<ClaimRules> {
  for (const [name, value] of Object.entries(wanted)) {
    if (value === null || value === undefined) continue
    if (!Number.isInteger(value) || value < 1 || value > largestRule)
      throw new Error(`The rule ${name} must be a whole number from 1 to ${largestRule}, or none.`)
  }
  return db.of(corp_id).transaction(async (tx) => {
    await knownOrganization(tx, corp_id)
    const given = Object.entries(wanted).filter(([, value]) => value !== undefined)
    const rules = { ...(await findClaimRules(tx, corp_id)), ...Object.fromEntries(given) }
    if (given.length > 0) await storeClaimRules(tx, corp_id, rules)
    return rules
  })
}
