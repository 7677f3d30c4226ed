import type { Queryable } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'

/** The claim rules of an organization; null: no limit. */
export interface ClaimRules {
  /** Maximum number of users that an owner holds. */
  most_held: number | null
  /** Maximum number of claims of an owner per day. */
  most_per_day: number | null
  /** Days after the end of a claim before the owner can claim the user again. */
  hold_off_days: number | null
  /** Days without a follow-up after which a user returns to the public pool. */
  idle_days: number | null
  /** Maximum number of contacts that a member of staff reveals per hour. */
  reveals_per_hour: number | null
}

/** The rules of an organization without rules of its own. */
const defaultRules: ClaimRules = {
  most_held: null,
  most_per_day: null,
  hold_off_days: null,
  idle_days: null,
  reveals_per_hour: 60,
}

export async function findClaimRules(on: Queryable, corp_id: string): Promise<ClaimRules> {
  const [row] = await on.query<ClaimRules>(sql`
    select most_held, most_per_day, hold_off_days, idle_days, reveals_per_hour from claim_rules where corp_id = ${corp_id}`)
  return row ?? defaultRules
}

export async function storeClaimRules(on: Queryable, corp_id: string, rules: ClaimRules): Promise<void> {
  await on.transaction(async (tx) => {
    const before = await findClaimRules(tx, corp_id)
    await tx.query(sql`
      insert into claim_rules (corp_id, most_held, most_per_day, hold_off_days, idle_days, reveals_per_hour)
      values (${corp_id}, ${rules.most_held}, ${rules.most_per_day}, ${rules.hold_off_days}, ${rules.idle_days},
              ${rules.reveals_per_hour})
      on conflict (corp_id) do update
         set most_held = excluded.most_held, most_per_day = excluded.most_per_day,
             hold_off_days = excluded.hold_off_days, idle_days = excluded.idle_days,
             reveals_per_hour = excluded.reveals_per_hour`)
    tx.note({ record_type: 'claim_rules', record_id: corp_id, before, after: rules })
  })
}
