import type { Queryable } from '../../../database/database.ts'
import { raw, sql } from '../../../database/sql.ts'
import type { UserKey } from '../user-store.ts'

export const claimColumns = {
  user_id: 'text',
  owner_id: 'text',
  claimed_at: 'timestamptz',
  active_at: 'timestamptz',
} as const

/** Who holds a user, and since when somebody did something about it. */
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

/** Ends the claim on a user: whosever it is, or only that of one owner. Answers whose it was. */
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
 * Counts one more claim of an owner on a day, and holds the owner's other claims back until the commit. A server whose
 * clock is behind does not begin an earlier day anew.
 */
export async function countClaim(
  tx: Queryable,
  { corp_id, owner_id, day }: { corp_id: string; owner_id: string; day: string },
): Promise<number> {
  const [row] = await tx.query<{ claims: number }>(sql`
    insert into claim_days as counted (corp_id, owner_id, day, claims) values (${corp_id}, ${owner_id}, ${day}::date, 1)
    on conflict (corp_id, owner_id) do update
       set day = greatest(counted.day, excluded.day),
           claims = case when counted.day >= excluded.day then counted.claims + 1 else 1 end
    returning claims`)
  return row!.claims
}

export async function countHeld(tx: Queryable, corp_id: string, owner_id: string): Promise<number> {
  const [row] = await tx.query<{ held: number }>(sql`
    select count(*) as held from user_claims where corp_id = ${corp_id} and owner_id = ${owner_id}`)
  return row!.held
}

/** Holds back the claims of owners until the commit; answers how many users each holds. */
export async function holdClaimers(
  tx: Queryable,
  corp_id: string,
  owners: string[],
): Promise<Map<string, number>> {
  const [, counted] = await tx.pipeline<[object, { owner_id: string; held: number }]>([
    sql`
      select owner_id from claim_days
       where corp_id = ${corp_id} and owner_id = any(${owners}::text[])
       order by owner_id
         for update`,
    sql`
      select owner_id, count(*) as held from user_claims
       where corp_id = ${corp_id} and owner_id = any(${owners}::text[])
       group by owner_id`,
  ])
  const held = new Map(owners.map((owner) => [owner, 0]))
  for (const { owner_id, held: users } of counted) held.set(owner_id, users)
  return held
}

/** Users that nobody has done anything about since; a page of them, behind the last of the page before. */
export async function findIdle(
  on: Queryable,
  corp_id: string,
  {
    since,
    behind,
    limit,
  }: { since: Date; behind: Pick<Claim, 'active_at' | 'user_id'> | undefined; limit: number },
): Promise<Claim[]> {
  return on.query<Claim>(sql`
    select user_id, owner_id, claimed_at, active_at from user_claims
     where corp_id = ${corp_id} and active_at <= ${since}
       and (active_at, user_id) > (${behind?.active_at ?? '-infinity'}::timestamptz, ${behind?.user_id ?? ''})
     order by active_at, user_id limit ${limit}`)
}
