import { ApiError, taken } from '../contract/errors.ts'
import type { Queryable } from '../database/database.ts'
import { insertLink, type LinkPurpose } from './link-store.ts'
import type { Role } from './roles.ts'
import { hashOfToken, newSecretToken } from './secret-token.ts'
import { deleteSessionsOf } from './session-store.ts'
import {
  type Colleague,
  findColleague,
  findOrMakeStaff,
  listColleagues,
  removeRole,
  setDisabled,
  setRole,
  worksElsewhere,
} from './staff-store.ts'

/** Long enough for a weekend; a reset is used at once. */
const linkLifeMs = 7 * 24 * 60 * 60 * 1000

export interface Invitation extends Colleague {
  /**
   * What the address ends with that lets them choose a password. Null for somebody who works elsewhere, too: such a link
   * would let whoever invites into the other organization.
   */
  link: string | null
}

export interface WantedStaff {
  staff_id: string
  corp_id: string
  email: string
  name: string
  role: Role
}

/**
 * Makes somebody part of an organization. Repeated before it was taken up, it makes a new link; whoever works there already
 * keeps the role they have, which `changeRole` changes.
 */
export async function inviteStaff(on: Queryable, wanted: WantedStaff, now: Date): Promise<Invitation> {
  return on.transaction(async (tx) => {
    const { staff_id } = await findOrMakeStaff(tx, wanted, now)
    const { corp_id, role } = wanted
    refuseKnown(await findColleague(tx, corp_id, staff_id), role)
    await setRole(tx, { staff_id, corp_id, role }, now)
    tx.note({ record_type: 'staff_roles', record_id: staff_id, after: { corp_id, role } })
    const colleague = await knownColleague(tx, corp_id, staff_id)
    const isOthers = colleague.is_active || (await worksElsewhere(tx, staff_id, corp_id))
    return { ...colleague, link: isOthers ? null : await makeLink(tx, staff_id, 'password', now) }
  })
}

function refuseKnown(known: Colleague | undefined, role: Role): void {
  if (!known || (!known.is_active && known.role === role)) return
  const what = known.is_active ? 'works here' : 'is invited'
  throw taken('email', `belongs to somebody who ${what} already as ${known.role}`, {
    reason: known.is_active ? 'works_here' : 'is_invited',
    role: known.role,
  })
}

/** A link for a new password, from an administrator of the organization. Null for somebody who works elsewhere, too. */
export async function resetPassword(
  on: Queryable,
  { corp_id, staff_id }: { corp_id: string; staff_id: string },
  now: Date,
): Promise<Invitation> {
  return on.transaction(async (tx) => {
    const colleague = await knownColleague(tx, corp_id, staff_id)
    const isOthers = await worksElsewhere(tx, staff_id, corp_id)
    if (isOthers) tx.note(resetNote(staff_id))
    return { ...colleague, link: isOthers ? null : await makeResetLink(tx, staff_id, now) }
  })
}

/** A link to choose a new password, which whoever has it can use: that it was made is noted. */
export async function makeResetLink(on: Queryable, staff_id: string, now: Date): Promise<string> {
  return on.transaction(async (tx) => {
    tx.note(resetNote(staff_id))
    return makeLink(tx, staff_id, 'password', now)
  })
}

function resetNote(staff_id: string) {
  return {
    record_type: 'staff',
    record_id: staff_id,
    action: 'changed' as const,
    after: { password: 'reset' },
  }
}

/** Another role, or none: then they are no longer part of the organization. What they see changes at once. */
export async function changeRole(
  on: Queryable,
  { corp_id, staff_id, role }: { corp_id: string; staff_id: string; role: Role | null },
  now: Date,
): Promise<Colleague[]> {
  return on.transaction(async (tx) => {
    const before = { role: (await knownColleague(tx, corp_id, staff_id)).role }
    tx.note({ record_type: 'staff_roles', record_id: staff_id, before, after: role ? { role } : undefined })
    if (role) await setRole(tx, { staff_id, corp_id, role }, now)
    else await removeRole(tx, corp_id, staff_id)
    if (!role && !(await worksElsewhere(tx, staff_id, corp_id))) await deleteSessionsOf(tx, staff_id)
    const colleagues = await listColleagues(tx, corp_id)
    if (!colleagues.some(({ role }) => role === 'admin'))
      throw new ApiError('stateForbids', { msg: 'The organization would be left without an administrator.' })
    return colleagues
  })
}

/** Keeps somebody out of every organization at once, or lets them in again. */
export async function disableStaff(
  on: Queryable,
  staff_id: string,
  is_disabled: boolean,
  now: Date,
): Promise<void> {
  await on.transaction(async (tx) => {
    await setDisabled(tx, staff_id, is_disabled, now)
    await deleteSessionsOf(tx, staff_id)
  })
}

export async function makeLink(
  on: Queryable,
  staff_id: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<string> {
  const link = newSecretToken()
  const expires_at = new Date(now.getTime() + linkLifeMs)
  await insertLink(on, { link_hash: hashOfToken(link), staff_id, purpose, expires_at }, now)
  return link
}

async function knownColleague(on: Queryable, corp_id: string, staff_id: string): Promise<Colleague> {
  const colleague = await findColleague(on, corp_id, staff_id)
  if (!colleague) throw new ApiError('staffNotFound')
  return colleague
}
