import type { Queryable, Surveyor } from '../../../database/database.ts'
import { firstRow } from '../../../database/first-row.ts'
import { raw, sql } from '../../../database/sql.ts'
import { survey } from '../../../database/survey.ts'
import type { UserKey } from '../user-store.ts'

export const claimColumns = {
  user_id: 'text',
  owner_id: 'text',
  claimed_at: 'timestamptz',
  active_at: 'timestamptz',
} as const

/** The claim of an owner on a user. `active_at` is the time of the last follow-up. */
export interface Claim {
  user_id: string
  owner_id: string
  claimed_at: Date
  active_at: Date
}

export async function findClaim(tx: Queryable, { corp_id, user_id }: UserKey): Promise<Claim | undefined> {
  const [row] = await tx.query<Claim>(sql`
    select user_id, owner_id, claimed_at, active_at from user_claims
     where corp_id = ${corp_id} and user_id = ${user_id}
       for update`)
  return row
}

export async function insertClaim(
  tx: Queryable,
  { corp_id, user_id, owner_id, now }: UserKey & { owner_id: string; now: Date },
): Promise<void> {
  await tx.query(sql`
    insert into user_claims (corp_id, user_id, owner_id, claimed_at, active_at)
    values (${corp_id}, ${user_id}, ${owner_id}, ${now}, ${now})`)
}

/** Ends the claim on a user, or only the claim of one owner. Returns the previous holder. */
export async function endClaim(
  tx: Queryable,
  claim: UserKey & { owner_id?: string },
): Promise<string | undefined> {
  const [ended] = await tx.query<{ owner_id: string }>(sql`
    delete from user_claims
     where corp_id = ${claim.corp_id} and user_id = ${claim.user_id}
       ${claim.owner_id === undefined ? raw('') : sql`and owner_id = ${claim.owner_id}`}
    returning owner_id`)
  return ended?.owner_id
}

/**
 * Counts a claim of an owner on a day. The row lock serializes the claims of the owner until the commit. A server whose
 * clock is behind does not reset the count to an earlier day.
 */
export async function countClaim(
  tx: Queryable,
  { corp_id, owner_id, day }: { corp_id: string; owner_id: string; day: string },
): Promise<number> {
  const rows = await tx.query<{ claims: number }>(sql`
    insert into claim_days as counted (corp_id, owner_id, day, claims) values (${corp_id}, ${owner_id}, ${day}::date, 1)
    on conflict (corp_id, owner_id) do update
       set day = greatest(counted.day, excluded.day),
           claims = case when counted.day >= excluded.day then counted.claims + 1 else 1 end
    returning claims`)
  return firstRow(rows).claims
}

export async function countHeld(tx: Queryable, corp_id: string, owner_id: string): Promise<number> {
  const rows = await tx.query<{ held: number }>(sql`
    select count(*) as held from user_claims where corp_id = ${corp_id} and owner_id = ${owner_id}`)
  return firstRow(rows).held
}

/** Locks the claims of owners until the commit. Returns the number of users that each holds. */
export async function holdClaimers(
  tx: Queryable,
  corp_id: string,
  owners: string[],
): Promise<Map<string, number>> {
  const { counted } = await tx.pipeline<{ locked: object; counted: { owner_id: string; held: number } }>({
    locked: sql`
      select owner_id from claim_days
       where corp_id = ${corp_id} and owner_id = any(${owners}::text[])
       order by owner_id
         for update`,
    counted: sql`
      select owner_id, count(*) as held from user_claims
       where corp_id = ${corp_id} and owner_id = any(${owners}::text[])
       group by owner_id`,
  })
  const held = new Map(owners.map((owner) => [owner, 0]))
  for (const { owner_id, held: users } of counted) held.set(owner_id, users)
  return held
}

/** The organizations with claims that end now for want of a follow-up. */
export async function findCorpIdsWithIdle(on: Surveyor, now: Date): Promise<string[]> {
  return on.corpIds(survey`
    select distinct r.corp_id
      from claim_rules r
      join user_claims c on c.corp_id = r.corp_id
     where r.idle_days is not null and c.active_at <= ${now}::timestamptz - r.idle_days * interval '1 day'`)
}

/** Claims without activity since an instant: the next page after a claim. */
export async function findIdle(
  on: Queryable,
  corp_id: string,
  {
    since,
    after,
    limit,
  }: { since: Date; after: Pick<Claim, 'active_at' | 'user_id'> | undefined; limit: number },
): Promise<Claim[]> {
  return on.query<Claim>(sql`
    select user_id, owner_id, claimed_at, active_at from user_claims
     where corp_id = ${corp_id} and active_at <= ${since}
       and (active_at, user_id) > (${after?.active_at ?? '-infinity'}::timestamptz, ${after?.user_id ?? ''})
     order by active_at, user_id limit ${limit}`)
}

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
