import type { Queryable } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'

/** What an organization allows its owners; null: no limit. */
export interface ClaimRules {
  /** How many users an owner may hold at a time. */
  most_held: number | null
  /** How many an owner may claim on a day. */
  most_per_day: number | null
  /** How long an owner who let go of a user waits before claiming it again. */
  hold_off_days: number | null
  /** After how long without a follow-up a user goes back. */
  idle_days: number | null
  /** How many contacts a member of staff may reveal in an hour. */
  reveals_per_hour: number | null
}

/** Of an organization that has set none. */
const noClaimRules: ClaimRules = {
  most_held: null,
  most_per_day: null,
  hold_off_days: null,
  idle_days: null,
  reveals_per_hour: 60,
}

export async function findClaimRules(on: Queryable, corp_id: string): Promise<ClaimRules> {
  const [row] = await on.query<ClaimRules>(sql`
    select most_held, most_per_day, hold_off_days, idle_days, reveals_per_hour from claim_rules where corp_id = ${corp_id}`)
  return row ?? noClaimRules
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
