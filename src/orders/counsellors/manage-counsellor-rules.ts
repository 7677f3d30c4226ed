import { knownOrganization } from '../../access/organizations/organization-store.ts'
import type { Database } from '../../database/database.ts'
import { type CounsellorRules, findCounsellorRules, storeCounsellorRules } from './counsellor-rules-store.ts'

/** Changes the given rules, and returns all rules. */
export async function changeCounsellorRules(
  db: Pick<Database, 'of'>,
  corp_id: string,
  wanted: Partial<CounsellorRules>,
): Promise<CounsellorRules> {
  const { discount_basis_points: share } = wanted
  if (share !== undefined && !(Number.isInteger(share) && share >= 0 && share <= 10_000))
    throw new Error('The discount must be a whole number of basis points from 0 to 10000.')
  return db.of(corp_id).transaction(async (tx) => {
    await knownOrganization(tx, corp_id)
    const given = Object.entries(wanted).filter(([, value]) => value !== undefined)
    const rules = { ...(await findCounsellorRules(tx, corp_id)), ...Object.fromEntries(given) }
    if (given.length > 0) await storeCounsellorRules(tx, corp_id, rules)
    return rules
  })
}
