import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** The rules of an organization about counsellors and money. */
export interface CounsellorRules {
  /** Maximum discount from the list price, in basis points. */
  discount_basis_points: number
  records_payments: boolean
}

/** The rules of an organization that has set none. */
export const noCounsellorRules: CounsellorRules = { discount_basis_points: 0, records_payments: false }

export async function findCounsellorRules(on: Queryable, corp_id: string): Promise<CounsellorRules> {
  const [row] = await on.query<CounsellorRules>(sql`
    select discount_basis_points, records_payments from counsellor_rules where corp_id = ${corp_id}`)
  return row ?? noCounsellorRules
}

export async function storeCounsellorRules(
  on: Queryable,
  corp_id: string,
  rules: CounsellorRules,
): Promise<void> {
  await on.transaction(async (tx) => {
    const before = await findCounsellorRules(tx, corp_id)
    await tx.query(sql`
      insert into counsellor_rules (corp_id, discount_basis_points, records_payments)
      values (${corp_id}, ${rules.discount_basis_points}, ${rules.records_payments})
      on conflict (corp_id) do update
         set discount_basis_points = excluded.discount_basis_points, records_payments = excluded.records_payments`)
    tx.note({ record_type: 'counsellor_rules', record_id: corp_id, before, after: rules })
  })
}
