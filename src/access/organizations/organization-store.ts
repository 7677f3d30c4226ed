import type { Organization } from '../../contract/caller.ts'
import type { Queryable } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'

const columns = raw(
  'corp_id, name, time_zone, currency, country, pools, suspended_at is not null as is_suspended, over_quota',
)

export async function insertOrganization(
  on: Queryable,
  organization: Organization,
  now: Date,
): Promise<boolean> {
  return on.transaction(async (tx) => {
    const rows = await tx.query(sql`
      insert into organizations (corp_id, name, time_zone, currency, country, pools, ctime, mtime)
      values (${organization.corp_id}, ${organization.name}, ${organization.time_zone}, ${organization.currency},
              ${organization.country}, ${organization.pools}, ${now}, ${now})
      on conflict (corp_id) do nothing
      returning corp_id`)
    if (rows.length === 1)
      tx.note({ record_type: 'organizations', record_id: organization.corp_id, after: organization })
    return rows.length === 1
  })
}

export type OrganizationChange = Partial<Omit<Organization, 'corp_id' | 'is_suspended' | 'over_quota'>>

/** Omitted members keep their values. */
export async function updateOrganization(
  on: Queryable,
  corp_id: string,
  change: OrganizationChange,
  now: Date,
): Promise<Organization | undefined> {
  const [row] = await on.query<Organization>(sql`
    update organizations
       set name = coalesce(${change.name}, name),
           time_zone = coalesce(${change.time_zone}, time_zone),
           currency = coalesce(${change.currency}, currency),
           country = coalesce(${change.country}, country),
           pools = coalesce(${change.pools}::text[], pools),
           mtime = ${now}
     where corp_id = ${corp_id}
    returning ${columns}`)
  return row
}

export async function listOrganizations(on: Queryable): Promise<Organization[]> {
  return on.query<Organization>(sql`select ${columns} from organizations order by ctime, corp_id`)
}

/** The existing ones of these organizations. */
export async function findOrganizations(on: Queryable, corpIds: string[]): Promise<Organization[]> {
  return on.query<Organization>(sql`
    select ${columns} from organizations where corp_id = any(${corpIds}) order by corp_id`)
}

export async function knownOrganization(on: Queryable, corp_id: string): Promise<Organization> {
  const [organization] = await findOrganizations(on, [corp_id])
  if (!organization) throw new Error(`There is no organization ${corp_id}.`)
  return organization
}

/** One organization, or all. */
export async function knownOrganizations(
  on: Queryable,
  corp_id: string | undefined,
): Promise<Organization[]> {
  return corp_id === undefined ? listOrganizations(on) : [await knownOrganization(on, corp_id)]
}

export async function isAnyOrganization(on: Queryable): Promise<boolean> {
  const rows = await on.query(sql`select 1 from organizations limit 1`)
  return rows.length === 1
}

/** Zones that PostgreSQL knows. A lookup reads the files of all zones, which takes 24 ms. */
const knownTimeZones = new Set<string>()

/** Whether PostgreSQL, which renders times, knows the zone. */
export async function isTimeZoneKnown(on: Queryable, time_zone: string): Promise<boolean> {
  if (knownTimeZones.has(time_zone)) return true
  const rows = await on.query(sql`select 1 from pg_timezone_names where name = ${time_zone}`)
  if (rows.length === 1) knownTimeZones.add(time_zone)
  return rows.length === 1
}

/** The number of users in each of these pools, without empty pools. */
export async function countUsersByPool(
  on: Queryable,
  corp_id: string,
  pools: string[],
): Promise<{ pool: string; users: number }[]> {
  return on.query<{ pool: string; users: number }>(sql`
    select pool, count(*) as users from users
     where corp_id = ${corp_id} and pool = any(${pools})
     group by pool order by pool`)
}
