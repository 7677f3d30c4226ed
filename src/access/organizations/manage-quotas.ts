import type { Database } from '../../database/database.ts'
import { knownOrganization } from './organization-store.ts'
import { findQuotas, type Quotas, storeQuotas } from './usage-store.ts'

/** Omitted members keep their values; null removes a quota. */
export async function changeQuotas(
  db: Database,
  corp_id: string,
  wanted: Partial<Quotas>,
  now: Date,
): Promise<Quotas> {
  await knownOrganization(db.shared, corp_id)
  const given = Object.entries(wanted).filter(([, most]) => most !== undefined)
  if (given.some(([, most]) => most !== null && !(Number.isSafeInteger(most) && most > 0)))
    throw new Error('A quota must be a whole number above 0, or none.')
  return db.of(corp_id).transaction(async (tx) => {
    const before = await findQuotas(tx, corp_id)
    const after: Quotas = { ...before, ...Object.fromEntries(given) }
    if (given.length === 0) return before
    await storeQuotas(tx, corp_id, after, now)
    tx.note({ record_type: 'quotas', record_id: corp_id, before, after })
    return after
  })
}
