import type { Organization } from '../contract/caller.ts'
import type { Queryable } from '../database/database.ts'
import { raw, sql } from '../database/sql.ts'
import type { Role } from './roles.ts'

export interface Staff {
  staff_id: string
  email: string
  name: string
  is_disabled: boolean
}

/** A member of staff as an organization sees them. */
export interface Colleague extends Staff {
  role: Role
  /** Whether the invitation has been taken up. */
  is_active: boolean
}

/** Where somebody works, and as what. */
export type Workplace = Organization & { role: Role }

const staffColumns = raw('s.staff_id, s.email, s.name, s.is_disabled')

export async function findByEmail(
  on: Queryable,
  email: string,
): Promise<(Staff & { password_hash: string | null }) | undefined> {
  const [row] = await on.query<Staff & { password_hash: string | null }>(sql`
    select ${staffColumns}, s.password_hash from staff s where s.email_key = lower(${email})`)
  return row
}

export async function findPasswordHash(on: Queryable, staff_id: string): Promise<string | null> {
  const [row] = await on.query<{ password_hash: string | null }>(sql`
    select password_hash from staff where staff_id = ${staff_id}`)
  return row?.password_hash ?? null
}

export const workplacesOfStaff = raw(`
  coalesce((select json_agg(json_build_object('corp_id', o.corp_id, 'name', o.name, 'time_zone', o.time_zone,
                                              'currency', o.currency, 'country', o.country, 'pools', o.pools,
                                              'role', r.role)
                            order by o.ctime, o.corp_id)
              from staff_roles r join organizations o on o.corp_id = r.corp_id
             where r.staff_id = s.staff_id), '[]') as workplaces`)

export async function listColleagues(on: Queryable, corp_id: string): Promise<Colleague[]> {
  return on.query<Colleague>(sql`
    select ${staffColumns}, r.role, s.password_hash is not null as is_active
      from staff_roles r join staff s on s.staff_id = r.staff_id
     where r.corp_id = ${corp_id}
     order by s.name, s.staff_id`)
}

export async function findColleague(
  on: Queryable,
  corp_id: string,
  staff_id: string,
): Promise<Colleague | undefined> {
  const [row] = await on.query<Colleague>(sql`
    select ${staffColumns}, r.role, s.password_hash is not null as is_active
      from staff_roles r join staff s on s.staff_id = r.staff_id
     where r.corp_id = ${corp_id} and r.staff_id = ${staff_id}`)
  return row
}

/** The person with this address, made where there was none: two who invite at once invite one. */
export async function findOrMakeStaff(
  on: Queryable,
  wanted: { staff_id: string; email: string; name: string },
  now: Date,
): Promise<Staff> {
  await on.query(sql`
    insert into staff (staff_id, email, name, ctime, mtime)
    values (${wanted.staff_id}, ${wanted.email}, ${wanted.name}, ${now}, ${now})
    on conflict (email_key) do nothing`)
  return (await findByEmail(on, wanted.email))!
}

export async function findWorkplaceIds(on: Queryable, staff_id: string): Promise<string[]> {
  const rows = await on.query<{ corp_id: string }>(sql`
    select corp_id from staff_roles where staff_id = ${staff_id} order by corp_id`)
  return rows.map(({ corp_id }) => corp_id)
}

/** Whether somebody works in an organization beside this one. */
export async function worksElsewhere(on: Queryable, staff_id: string, corp_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select 1 from staff_roles where staff_id = ${staff_id} and corp_id <> ${corp_id} limit 1`)
  return rows.length > 0
}

export async function setRole(
  on: Queryable,
  { staff_id, corp_id, role }: { staff_id: string; corp_id: string; role: Role },
  now: Date,
): Promise<void> {
  await on.query(sql`
    insert into staff_roles (staff_id, corp_id, role, ctime) values (${staff_id}, ${corp_id}, ${role}, ${now})
    on conflict (staff_id, corp_id) do update set role = excluded.role`)
}

export async function removeRole(on: Queryable, corp_id: string, staff_id: string): Promise<void> {
  await on.query(sql`delete from staff_roles where corp_id = ${corp_id} and staff_id = ${staff_id}`)
}

export async function setPassword(
  on: Queryable,
  staff_id: string,
  password_hash: string,
  now: Date,
): Promise<void> {
  await on.query(sql`
    update staff set password_hash = ${password_hash}, mtime = ${now} where staff_id = ${staff_id}
    returning staff_id`)
}

export async function setDisabled(
  on: Queryable,
  staff_id: string,
  is_disabled: boolean,
  now: Date,
): Promise<void> {
  await on.query(sql`
    update staff set is_disabled = ${is_disabled}, mtime = ${now} where staff_id = ${staff_id}`)
}
