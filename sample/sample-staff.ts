import { randomBytes } from 'node:crypto'
import { hashPassword } from '../src/access/staff/password.ts'
import type { Role } from '../src/access/staff/roles.ts'
import { findOrMakeStaff } from '../src/access/staff/staff-store.ts'
import type { Queryable } from '../src/database/database.ts'

/** A member of staff in sample.json. */
export interface SampleColleague {
  name: string
  email: string
  password: string
  role: Role
}

/** One of each role. Passwords are new in every sample, so that no documented password works. */
export function makeStaff(): SampleColleague[] {
  const people: Omit<SampleColleague, 'password'>[] = [
    { name: '李雷', email: 'counsellor@lakeside.example', role: 'counsellor' },
    { name: '韩梅梅', email: 'finance@lakeside.example', role: 'finance' },
    { name: '王芳', email: 'admin@lakeside.example', role: 'admin' },
    { name: 'Grace Tan', email: 'viewer@lakeside.example', role: 'viewer' },
  ]
  return people.map((person) => ({ ...person, password: randomBytes(12).toString('base64url') }))
}

export function staffIdOf<R extends Role>(role: R): `lakeside-${R}` {
  return `lakeside-${role}`
}

export async function insertStaff(
  tx: Queryable,
  corp_id: string,
  staff: SampleColleague[],
  now: Date,
): Promise<void> {
  for (const { name, email, password, role } of staff) {
    const password_hash = await hashPassword(password)
    await findOrMakeStaff(tx, { corp_id, staff_id: staffIdOf(role), email, name, role, password_hash }, now)
  }
}

/** The other advisers are members of staff, so that they have names. They have no password yet. */
export async function insertAdvisers(
  tx: Queryable,
  corp_id: string,
  advisers: readonly { id: string; name: string }[],
  now: Date,
): Promise<void> {
  for (const { id, name } of advisers) {
    const email = `${id.replace('owner-', '')}@lakeside.example`
    const account = { corp_id, staff_id: id, email, name, password_hash: null }
    await findOrMakeStaff(tx, { ...account, role: 'counsellor' }, now)
  }
}
