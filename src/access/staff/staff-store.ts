import { credentialScope } from '../../database/credential-scope.ts'
import type { Queryable } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { raw, sql } from '../../database/sql.ts'
import type { Role } from './roles.ts'

/** The key of a staff account. It belongs to one organization. */
export interface AccountKey {
  corp_id: string
  staff_id: string
}

export interface Staff extends AccountKey {
  email: string
  name: string
  /** Null: no longer a member of staff. */
  role: Role | null
  is_disabled: boolean
  password_hash: string | null
}

/** A member of staff as colleagues see them. */
export interface Colleague extends Omit<Staff, 'password_hash'> {
  role: Role
  /** Whether the invitation was accepted. */
  is_active: boolean
}

/** Whether the account has a role and is not disabled. */
export function canSignIn<S extends Pick<Staff, 'role' | 'is_disabled'>>(
  staff: S,
): staff is S & { role: Role } {
  return staff.role !== null && !staff.is_disabled
}

const staffColumns = raw('corp_id, staff_id, email, name, role, is_disabled, password_hash')
const colleagueColumns = raw(
  'corp_id, staff_id, email, name, role, is_disabled, password_hash is not null as is_active',
)

/** Limits the password checks for one address. Accounts that can sign in come first. */
const maxAccounts = 20

/** The accounts of an address in all organizations. */
export async function findAccountsByAddress(
  of: (scope: string) => Queryable,
  email: string,
): Promise<Staff[]> {
  return of(credentialScope('address', email)).query<Staff>(sql`
    select ${staffColumns} from staff where email_key = lower(${email})
     order by role is null or is_disabled or password_hash is null, corp_id limit ${maxAccounts}`)
}

export async function findByEmail(on: Queryable, corp_id: string, email: string): Promise<Staff | undefined> {
  const [row] = await on.query<Staff>(sql`
    select ${staffColumns} from staff where corp_id = ${corp_id} and email_key = lower(${email})`)
  return row
}

export async function findStaff(
  on: Queryable,
  { corp_id, staff_id }: AccountKey,
): Promise<Staff | undefined> {
  const [row] = await on.query<Staff>(sql`
    select ${staffColumns} from staff where corp_id = ${corp_id} and staff_id = ${staff_id}`)
  return row
}

export async function listColleagues(on: Queryable, corp_id: string): Promise<Colleague[]> {
  return on.query<Colleague>(sql`
    select ${colleagueColumns} from staff where corp_id = ${corp_id} and role is not null
     order by name, staff_id`)
}

export async function findColleague(
  on: Queryable,
  { corp_id, staff_id }: AccountKey,
): Promise<Colleague | undefined> {
  const [row] = await on.query<Colleague>(sql`
    select ${colleagueColumns} from staff
     where corp_id = ${corp_id} and staff_id = ${staff_id} and role is not null`)
  return row
}

/** Locks an account: until the transaction ends, it cannot change, and no session of it can start. */
export async function lockStaff(
  tx: Queryable,
  { corp_id, staff_id }: AccountKey,
): Promise<Staff | undefined> {
  const [row] = await tx.query<Staff>(sql`
    select ${staffColumns} from staff where corp_id = ${corp_id} and staff_id = ${staff_id} for update`)
  return row
}

/** Locks all administrators, so that two who remove each other at the same time wait for each other. */
export async function lockAdministrators(tx: Queryable, corp_id: string): Promise<Colleague[]> {
  return tx.query<Colleague>(sql`
    select ${colleagueColumns} from staff where corp_id = ${corp_id} and role = 'admin'
     order by staff_id for update`)
}

/** The credential that identified a person. It must still be valid when the session starts. */
export interface Proof {
  password_hash?: string
  credential_id?: string
}

/** Locks an account that can sign in with this proof. Returns false if that has changed. */
export async function lockForSession(
  tx: Queryable,
  { corp_id, staff_id }: AccountKey,
  { password_hash = null, credential_id = null }: { [Key in keyof Proof]: Proof[Key] | null },
): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from staff s
     where s.corp_id = ${corp_id} and s.staff_id = ${staff_id} and s.role is not null and not s.is_disabled
       and (${password_hash}::text is null or s.password_hash = ${password_hash})
       and (${credential_id}::text is null or exists (
             select 1 from staff_passkeys k
              where k.corp_id = ${corp_id} and k.staff_id = s.staff_id and k.credential_id = ${credential_id}))
       for share of s`)
  return rows.length === 1
}

export type NewStaff = Omit<Staff, 'is_disabled'>

/** Finds or creates the account of an address, and locks it. Concurrent invitations find the same account. */
export async function findOrMakeStaff(tx: Queryable, wanted: NewStaff, now: Date): Promise<Staff> {
  await tx.query(sql`
    insert into staff (corp_id, staff_id, email, name, role, password_hash, ctime, mtime)
    values (${wanted.corp_id}, ${wanted.staff_id}, ${wanted.email}, ${wanted.name}, ${wanted.role},
            ${wanted.password_hash}, ${now}, ${now})
    on conflict (corp_id, email_key) do nothing`)
  const rows = await tx.query<Staff>(sql`
    select ${staffColumns} from staff
     where corp_id = ${wanted.corp_id} and email_key = lower(${wanted.email}) for update`)
  return firstRow(rows)
}

/** Adds a person to the staff, with the name of the invitation. */
export async function setRoleAndName(
  tx: Queryable,
  { corp_id, staff_id, role, name }: AccountKey & { role: Role; name: string },
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update staff set role = ${role}, name = ${name}, mtime = ${now}
     where corp_id = ${corp_id} and staff_id = ${staff_id} returning staff_id`)
}

export async function setRole(
  tx: Queryable,
  { corp_id, staff_id, role }: AccountKey & { role: Role },
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update staff set role = ${role}, mtime = ${now}
     where corp_id = ${corp_id} and staff_id = ${staff_id} returning staff_id`)
}

/** Removes role and password. */
export async function removeRole(tx: Queryable, { corp_id, staff_id }: AccountKey, now: Date): Promise<void> {
  await tx.query(sql`
    update staff set role = null, password_hash = null, mtime = ${now}
     where corp_id = ${corp_id} and staff_id = ${staff_id} returning staff_id`)
}

export async function setPassword(
  on: Queryable,
  { corp_id, staff_id }: AccountKey,
  password_hash: string,
  now: Date,
): Promise<void> {
  await on.query(sql`
    update staff set password_hash = ${password_hash}, mtime = ${now}
     where corp_id = ${corp_id} and staff_id = ${staff_id} returning staff_id`)
}

export async function setDisabled(
  on: Queryable,
  { corp_id, staff_id }: AccountKey,
  is_disabled: boolean,
  now: Date,
): Promise<void> {
  await on.query(sql`
    update staff set is_disabled = ${is_disabled}, mtime = ${now}
     where corp_id = ${corp_id} and staff_id = ${staff_id} returning staff_id`)
}

/** A member of staff created an account, granted its rights, or held its credentials. */
interface AccessGrant {
  corp_id: string
  /** A member of staff or a program. */
  account_id: string
  /** The member of staff who did it. */
  granted_by: string
}

/** Idempotent. A grant to oneself is not recorded. */
export async function noteGrant(on: Queryable, grant: AccessGrant, now: Date): Promise<void> {
  if (grant.account_id === grant.granted_by) return
  await on.query(sql`
    insert into access_grants (corp_id, account_id, granted_by, at)
    values (${grant.corp_id}, ${grant.account_id}, ${grant.granted_by}, ${now})
    on conflict (corp_id, account_id, granted_by) do nothing`)
}

/** The grants to these accounts. An account that only the operator gave access to has none. */
export async function findGrantors(
  on: Queryable,
  corp_id: string,
  account_ids: string[],
): Promise<Omit<AccessGrant, 'corp_id'>[]> {
  return on.query<Omit<AccessGrant, 'corp_id'>>(sql`
    select account_id, granted_by from access_grants
     where corp_id = ${corp_id} and account_id = any(${account_ids})
     order by account_id, granted_by`)
}

/** Deletes the grants to a member of staff. Returns their grantors. */
export async function endGrants(on: Queryable, corp_id: string, account_id: string): Promise<string[]> {
  const rows = await on.query<{ granted_by: string }>(sql`
    delete from access_grants where corp_id = ${corp_id} and account_id = ${account_id}
    returning granted_by`)
  return rows.map(({ granted_by }) => granted_by).sort()
}
