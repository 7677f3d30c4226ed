import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Months after which users without orders are erased; undefined means never. */
export async function findLeadMonths(on: Queryable, corp_id: string): Promise<number | undefined> {
  const [row] = await on.query<{ lead_months: number }>(sql`
    select lead_months from retention_rules where corp_id = ${corp_id}`)
  return row?.lead_months
}

export async function storeLeadMonths(on: Queryable, corp_id: string, months: number | null): Promise<void> {
  await on.transaction(async (tx) => {
    const before = { lead_months: (await findLeadMonths(tx, corp_id)) ?? null }
    await tx.query(
      months === null
        ? sql`delete from retention_rules where corp_id = ${corp_id}`
        : sql`
            insert into retention_rules (corp_id, lead_months) values (${corp_id}, ${months})
            on conflict (corp_id) do update set lead_months = excluded.lead_months`,
    )
    tx.note({ record_type: 'retention_rules', record_id: corp_id, before, after: { lead_months: months } })
  })
}

/** Users without orders and without activity since then, oldest first. */
export async function findForgettable(
  on: Queryable,
  corp_id: string,
  since: Date,
  limit: number,
): Promise<{ user_id: string; ctime: Date }[]> {
  return on.query(sql`
    select u.user_id, u.ctime from users u
     where u.corp_id = ${corp_id} and u.ctime < ${since} and u.mtime < ${since}
       and not exists (select from orders o where o.corp_id = ${corp_id} and o.user_id = u.user_id)
       and not exists (select from leads l
                        where l.corp_id = ${corp_id} and l.user_id = u.user_id and l.ctime >= ${since})
       and not exists (select from user_follow_ups f
                        where f.corp_id = ${corp_id} and f.user_id = u.user_id and f.ctime >= ${since})
     order by u.ctime, u.user_id limit ${limit}`)
}
