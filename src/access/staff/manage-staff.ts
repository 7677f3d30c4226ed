import type { Organization } from '../../contract/caller.ts'
import { localTime } from '../../contract/days.ts'
import { ApiError, taken } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { deleteWaitingMails } from '../mail/mail-store.ts'
import type { MailLanguage } from '../mail/mail-words.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { Keyring } from '../organizations/keyring.ts'
import { passwordNote } from './note-sign-in.ts'
import { deletePasskeysOf } from './passkeys/passkey-store.ts'
import { type Role, roles } from './roles.ts'
import { hashOfToken, newSecretToken } from './secret-token.ts'
import { deleteLinksOf, deleteSessionsOf, insertLink, type LinkPurpose } from './session-store.ts'
import {
  type AccountKey,
  type Colleague,
  findColleague,
  findOrMakeStaff,
  listColleagues,
  lockAdministrators,
  lockStaff,
  noteGrant,
  removeRole,
  type Staff,
  setDisabled,
  setRole,
  setRoleAndName,
} from './staff-store.ts'

/** Long enough for a weekend. */
const linkLifeMs = 7 * 24 * 60 * 60 * 1000

export interface Invitation extends Colleague {
  /** The last part of the link that lets them choose a password. */
  link: string
}

export interface WantedStaff extends AccountKey {
  email: string
  name: string
  role: Role
}

/** The member of staff who gives access; absent for the operator. */
type By = { granted_by?: string }

/** How a link is sent to its person. */
export interface LinkMail {
  publicOrigin: string
  keyring: Keyring
  school: Organization
  language: MailLanguage
}

/**
 * Adds a person to the staff of an organization. An account with the same address elsewhere is not affected. A former
 * member returns with the same staff_id. Repeated before it is accepted, an invitation gets a new link. An existing
 * colleague keeps their role, which `changeRole` changes.
 */
export async function inviteStaff(
  on: Queryable,
  { granted_by, ...wanted }: WantedStaff & By,
  now: Date,
  mail?: LinkMail,
): Promise<Invitation> {
  return on.transaction(async (tx) => {
    const known = await findOrMakeStaff(tx, { ...wanted, role: null, password_hash: null }, now)
    const account = { corp_id: wanted.corp_id, staff_id: known.staff_id }
    refuseColleague(known, wanted.role)
    refuseDisabled(known)
    const { role, name } = wanted
    await setRoleAndName(tx, { ...account, role, name }, now)
    tx.note({ record_type: 'staff', record_id: account.staff_id, after: { role } })
    if (granted_by) await noteGrant(tx, { ...toGrant(account), granted_by }, now)
    const colleague = await knownColleague(tx, account)
    const link = await makeLink(tx, account, 'password', now)
    await mailLink(tx, { kind: 'invitation', colleague, link, granted_by }, mail, now)
    return { ...colleague, link }
  })
}

/** Sends the link of an account. An older one no longer works, so its mail is not sent either. */
async function mailLink(
  tx: Queryable,
  {
    kind,
    colleague,
    link,
    granted_by = '',
  }: { kind: 'invitation' | 'reset'; colleague: Colleague; link: string } & By,
  mail: LinkMail | undefined,
  now: Date,
): Promise<void> {
  const { corp_id, staff_id, name, email, role } = colleague
  await deleteWaitingMails(tx, corp_id, staff_id)
  if (!mail) return
  const { publicOrigin, keyring, school, language } = mail
  const until = localTime(new Date(now.getTime() + linkLifeMs).toISOString(), school.time_zone).slice(0, 10)
  const content = { school: school.name, name, role, link: `${publicOrigin}/welcome#${link}`, until }
  await queueMail(
    tx,
    keyring,
    {
      ...{ corp_id, cause: `link ${hashOfToken(link)}`, language, executor_id: granted_by },
      ...{ record_type: 'staff', record_id: staff_id },
      ...{ to: { name, address: email }, content: { kind, ...content } },
    },
    now,
  )
}

function refuseColleague({ role, password_hash }: Staff, wanted: Role): void {
  const isActive = password_hash !== null
  if (role === null || (!isActive && role === wanted)) return
  const what = isActive ? 'a colleague' : 'an invited colleague'
  throw taken('email', `belongs to ${what} with the role ${role}`, {
    reason: isActive ? 'works_here' : 'is_invited',
    role,
  })
}

function refuseDisabled({ is_disabled }: Pick<Staff, 'is_disabled'>): void {
  if (!is_disabled) return
  throw new ApiError('stateForbids', {
    msg: 'The operator has disabled this account. The operator can enable it with matricula staff enable.',
  })
}

/** Creates a link to choose a new password. Nothing ends until the link is used. */
export async function resetPassword(
  on: Queryable,
  { corp_id, staff_id, granted_by }: AccountKey & By,
  now: Date,
  mail?: LinkMail,
): Promise<Invitation> {
  const account = { corp_id, staff_id }
  return on.transaction(async (tx) => {
    const colleague = await knownColleague(tx, account)
    refuseDisabled(colleague)
    tx.note(passwordNote(staff_id, 'reset'))
    if (granted_by) await noteGrant(tx, { ...toGrant(account), granted_by }, now)
    const link = await makeLink(tx, account, 'password', now)
    await mailLink(tx, { kind: 'reset', colleague, link, granted_by }, mail, now)
    return { ...colleague, link }
  })
}

/** Changes the role, or removes it: the person is then no longer a member of staff. Takes effect at once. */
export async function changeRole(
  on: Queryable,
  { corp_id, staff_id, role, granted_by }: AccountKey & By & { role: Role | null },
  now: Date,
): Promise<Colleague[]> {
  const account = { corp_id, staff_id }
  return on.transaction(async (tx) => {
    const before = await lockForChange(tx, account, role !== 'admin')
    tx.note({
      record_type: 'staff',
      record_id: staff_id,
      before: { role: before.role },
      after: role ? { role } : undefined,
    })
    if (role) await setRole(tx, { ...account, role }, now)
    else await leave(tx, account, now)
    if (granted_by && role && givesMore(before.role, role))
      await noteGrant(tx, { ...toGrant(account), granted_by }, now)
    return listColleagues(tx, corp_id)
  })
}

function givesMore(before: Role, after: Role): boolean {
  const had: readonly string[] = roles[before]
  return roles[after].some((permission) => !had.includes(permission))
}

/** Removes the role, the password and all other credentials of an account. */
async function leave(tx: Queryable, account: AccountKey, now: Date): Promise<void> {
  await removeRole(tx, account, now)
  await deletePasskeysOf(tx, account)
  await endAccess(tx, account)
}

async function endAccess(tx: Queryable, account: AccountKey): Promise<void> {
  await deleteLinksOf(tx, account)
  await deleteWaitingMails(tx, account.corp_id, account.staff_id)
  await deleteSessionsOf(tx, account)
}

/** Disables or enables an account, and ends its sessions and links. */
export async function disableStaff(
  on: Queryable,
  account: AccountKey,
  is_disabled: boolean,
  now: Date,
): Promise<void> {
  await on.transaction(async (tx) => {
    await lockForChange(tx, account, is_disabled)
    await setDisabled(tx, account, is_disabled, now)
    await endAccess(tx, account)
  })
}

/**
 * Locks a colleague for a change. If the change ends an administrator, another administrator who can sign in must remain:
 * one with an accepted invitation, if there is any. All administrators are locked first, in one order, so that concurrent
 * changes see each other.
 */
async function lockForChange(
  tx: Queryable,
  account: AccountKey,
  endsAdministration: boolean,
): Promise<Staff & { role: Role }> {
  const administrators = (await lockAdministrators(tx, account.corp_id)).filter((each) => !each.is_disabled)
  const staff = await lockStaff(tx, account)
  if (!staff || staff.role === null) throw new ApiError('staffNotFound')
  const { role } = staff
  if (!endsAdministration || role !== 'admin' || staff.is_disabled) return { ...staff, role }
  const others = administrators.filter(({ staff_id }) => staff_id !== account.staff_id)
  const isAnyActive = administrators.some(({ is_active }) => is_active)
  if (!others.some(({ is_active }) => is_active || !isAnyActive))
    throw new ApiError('stateForbids', {
      msg: 'The organization needs an administrator who can sign in: give another colleague the role admin first.',
    })
  return { ...staff, role }
}

export async function makeLink(
  on: Queryable,
  { corp_id, staff_id }: AccountKey,
  purpose: LinkPurpose,
  now: Date,
): Promise<string> {
  const link = newSecretToken(corp_id)
  const expires_at = new Date(now.getTime() + linkLifeMs)
  await insertLink(on, { corp_id, link_hash: hashOfToken(link), staff_id, purpose, expires_at }, now)
  return link
}

async function knownColleague(on: Queryable, account: AccountKey): Promise<Colleague> {
  const colleague = await findColleague(on, account)
  if (!colleague) throw new ApiError('staffNotFound')
  return colleague
}

function toGrant({ corp_id, staff_id }: AccountKey) {
  return { corp_id, account_id: staff_id }
}
