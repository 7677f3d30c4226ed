import type { Queryable } from '../../../database/database.ts'
import { firstRow } from '../../../database/first-row.ts'
import { type Statement, sql, timestamp, timestampOrEmpty } from '../../../database/sql.ts'

export type VerifiedBy = 'dns' | 'operator'

export interface DomainState {
  domain: string
  token: string
  requested_at: string
  /** "" before verification. */
  verified_at: string
  verified_by: VerifiedBy | ''
}

/** The domains of an organization, with times in its time zone. */
export async function listDomains(on: Queryable, corp_id: string, time_zone: string): Promise<DomainState[]> {
  return on.query<DomainState>(sql`${states(time_zone)} where d.corp_id = ${corp_id} order by d.domain`)
}

export async function findDomain(
  on: Queryable,
  { corp_id, domain }: { corp_id: string; domain: string },
  time_zone: string,
): Promise<DomainState | undefined> {
  const [row] = await on.query<DomainState>(sql`
    ${states(time_zone)} where d.corp_id = ${corp_id} and d.domain = ${domain}`)
  return row
}

function states(time_zone: string): Statement {
  return sql`
    select d.domain, d.token, ${timestamp('d.requested_at', time_zone)} as requested_at,
           ${timestampOrEmpty('v.verified_at', time_zone)} as verified_at, coalesce(v.verified_by, '') as verified_by
      from sign_in_domains d
      left join verified_domains v on v.domain = d.domain and v.corp_id = d.corp_id`
}

/** Adds domains. Returns those that are new. */
export async function insertDomains(
  on: Queryable,
  corp_id: string,
  wanted: { domain: string; token: string }[],
  now: Date,
): Promise<string[]> {
  const rows = await on.query<{ domain: string }>(sql`
    insert into sign_in_domains (corp_id, domain, token, requested_at)
    select ${corp_id}::text, w.domain, w.token, ${now}::timestamptz
      from unnest(${wanted.map(({ domain }) => domain)}::text[], ${wanted.map(({ token }) => token)}::text[])
           as w (domain, token)
    on conflict (corp_id, domain) do nothing
    returning domain`)
  return rows.map(({ domain }) => domain)
}

export async function countDomains(on: Queryable, corp_id: string): Promise<number> {
  const rows = await on.query<{ count: number }>(sql`
    select count(*)::integer as count from sign_in_domains where corp_id = ${corp_id}`)
  return firstRow(rows).count
}

/** Locks the domain, so that it cannot be removed during verification. */
export async function lockToken(on: Queryable, corp_id: string, domain: string): Promise<string | undefined> {
  const [row] = await on.query<{ token: string }>(sql`
    select token from sign_in_domains where corp_id = ${corp_id} and domain = ${domain} for update`)
  return row?.token
}

/** Returns false if an organization has already verified the domain. */
export async function insertVerified(
  on: Queryable,
  { corp_id, domain, verified_by }: { corp_id: string; domain: string; verified_by: VerifiedBy },
  now: Date,
): Promise<boolean> {
  const rows = await on.query(sql`
    insert into verified_domains (domain, corp_id, verified_at, verified_by)
    values (${domain}, ${corp_id}, ${now}, ${verified_by})
    on conflict (domain) do nothing
    returning domain`)
  return rows.length === 1
}

export async function isVerified(on: Queryable, corp_id: string, domain: string): Promise<boolean> {
  const rows = await on.query(sql`
    select domain from verified_domains where corp_id = ${corp_id} and domain = ${domain}`)
  return rows.length === 1
}

/** Needs a handle that is bound to the domain (credentialScope). */
export async function findOwnerOf(on: Queryable, domain: string): Promise<string | undefined> {
  const [row] = await on.query<{ corp_id: string }>(sql`
    select corp_id from verified_domains where domain = ${domain}`)
  return row?.corp_id
}

/** Returns false if the organization does not have the domain. */
export async function deleteDomain(on: Queryable, corp_id: string, domain: string): Promise<boolean> {
  const { added, verified } = await on.pipeline<{ added: object; verified: object }>({
    added: sql`delete from sign_in_domains where corp_id = ${corp_id} and domain = ${domain} returning domain`,
    verified: sql`delete from verified_domains where corp_id = ${corp_id} and domain = ${domain} returning domain`,
  })
  return added.length + verified.length > 0
}
