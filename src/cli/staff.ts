import { Command, Option } from 'commander'
import { readName } from '../access/organizations/manage-organizations.ts'
import { knownOrganization } from '../access/organizations/organization-store.ts'
import { confirmStaff } from '../access/staff/confirm-colleague.ts'
import { changeRole, disableStaff, inviteStaff, resetPassword } from '../access/staff/manage-staff.ts'
import { type Role, roleNames } from '../access/staff/roles.ts'
import {
  type Colleague,
  findAccountsByAddress,
  findByEmail,
  listColleagues,
  type Staff,
} from '../access/staff/staff-store.ts'
import type { Config } from '../config.ts'
import { newId } from '../contract/new-id.ts'
import type { Database } from '../database/database.ts'
import { type Answer, table } from './output.ts'
import { answering, type Session, type Settings } from './session.ts'

interface InviteOptions {
  org: string
  email: string
  name: string
  role: Role
}

export function createCommand(settings: Settings): Command {
  const staff = new Command('staff')
  const org = ['--org <corp_id>', 'the organization'] as const
  const email = ['--email <address>', 'e-mail address of the member of staff'] as const
  const orgOfAddress = [
    '--org <corp_id>',
    'the organization, where the address has accounts in several',
  ] as const
  const role = () =>
    new Option('--role <role>', 'role in the organization').choices(roleNames).makeOptionMandatory()
  staff
    .command('invite')
    .description('Invite a member of staff, and print a link to choose a password.')
    .requiredOption(...org)
    .requiredOption(...email)
    .requiredOption('--name <name>', 'full name')
    .addOption(role())
    .action(answering(settings, (session, options: InviteOptions) => invite(session, options, settings())))
  staff
    .command('list')
    .description('List the staff of an organization.')
    .requiredOption(...org)
    .action(answering(settings, list))
  staff
    .command('role')
    .description('Change the role of a member of staff, or remove it.')
    .requiredOption(...org)
    .requiredOption(...email)
    .addOption(
      new Option('--role <role>', 'role in the organization')
        .choices([...roleNames, 'none'])
        .makeOptionMandatory(),
    )
    .action(answering(settings, setRoleOf))
  staff
    .command('reset')
    .description('Print a link to choose a new password.')
    .option(...orgOfAddress)
    .requiredOption(...email)
    .action(answering(settings, (session, options: AddressOptions) => reset(session, options, settings())))
  for (const [name, description] of [
    ['disable', 'Disable a member of staff, and end their sessions.'],
    ['enable', 'Enable a disabled member of staff.'],
  ] as const)
    staff
      .command(name)
      .description(description)
      .option(...orgOfAddress)
      .requiredOption(...email)
      .action(answering(settings, setDisabledOf(name === 'disable')))
  staff
    .command('confirm')
    .description(
      'Confirm that somebody acts independently of the administrator who gave them access: where a second person is needed, they count as one.',
    )
    .requiredOption(...org)
    .requiredOption(...email)
    .action(answering(settings, confirm))
  return staff
}

async function invite(
  { db, now }: Session,
  { org, email, name, role }: InviteOptions,
  { publicUrl }: Address,
): Promise<Answer> {
  await knownOrganization(db.shared, org)
  const wanted = { staff_id: newId(), corp_id: org, email: readEmail(email), role }
  const invited = await inviteStaff(db.of(org), { ...wanted, name: readName('The name', name) }, now)
  const how = `They choose a password at\n\n  ${welcome(invited.link, publicUrl)}\n\nwithin a week. The link works once.`
  return { json: invited, text: `${invited.name} works as ${invited.role}. ${how}` }
}

async function list({ db }: Session, { org }: { org: string }): Promise<Answer> {
  await knownOrganization(db.shared, org)
  const staff = await listColleagues(db.of(org), org)
  return { json: { staff }, text: tableOf(staff) }
}

async function setRoleOf(
  { db, now }: Session,
  { org, email, role }: { org: string; email: string; role: Role | 'none' },
): Promise<Answer> {
  const { corp_id, staff_id } = await knownAccount(db, email, org)
  const wanted = { corp_id, staff_id, role: role === 'none' ? null : role }
  const staff = await changeRole(db.of(corp_id), wanted, now)
  return { json: { staff }, text: tableOf(staff) }
}

interface AddressOptions {
  org?: string
  email: string
}

async function reset(
  { db, now }: Session,
  { org, email }: AddressOptions,
  { publicUrl }: Address,
): Promise<Answer> {
  const { corp_id, staff_id, name } = await knownAccount(db, email, org)
  const { link } = await resetPassword(db.of(corp_id), { corp_id, staff_id }, now)
  const text = `${name} chooses a new password at\n\n  ${welcome(link, publicUrl)}\n\nwithin a week. The link works once.`
  return { json: { corp_id, staff_id, name, email, link }, text }
}

function setDisabledOf(is_disabled: boolean) {
  return async ({ db, now }: Session, { org, email }: AddressOptions): Promise<Answer> => {
    const { corp_id, staff_id, name } = await knownAccount(db, email, org)
    await disableStaff(db.of(corp_id), { corp_id, staff_id }, is_disabled, now)
    const text = `${name} ${is_disabled ? 'is disabled' : 'may sign in again'}.`
    return { json: { corp_id, staff_id, name, email, is_disabled }, text }
  }
}

type Address = Pick<Config, 'publicUrl'>

/** The link, or its path where the public address is not configured. */
function welcome(link: string, publicUrl: URL | undefined): string {
  return `${publicUrl?.origin ?? ''}/welcome#${link}`
}

/** The account of an address in the given organization, or the only account of the address. */
async function knownAccount(db: Database, email: string, org: string | undefined): Promise<Staff> {
  const accounts = (await findAccountsByAddress(db.of, email)).filter(({ role }) => role !== null)
  const [account, another] = accounts.filter(({ corp_id }) => org === undefined || corp_id === org)
  if (!account) throw new Error('No member of staff has this address.')
  if (another) {
    const schools = accounts.map(({ corp_id }) => corp_id).join(', ')
    throw new Error(`This address has accounts in ${schools}. Choose one with --org.`)
  }
  return account
}

function readEmail(text: string): string {
  const email = text.trim()
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error('The address must be an e-mail address.')
  return email
}

function tableOf(staff: Colleague[]): string {
  if (staff.length === 0) return 'There are no members of staff. Invite one with matricula staff invite.'
  return table(staff, {
    name: 'name',
    email: 'email',
    role: 'role',
    active: 'is_active',
    disabled: 'is_disabled',
  })
}

async function confirm({ db }: Session, { org, email }: { org: string; email: string }): Promise<Answer> {
  const staff = await findByEmail(db.of(org), org, email)
  if (!staff || staff.role === null)
    throw new Error('No member of staff of the organization has this address.')
  await confirmStaff(db.of(org), org, staff.staff_id)
  const { staff_id, name } = staff
  return { json: { staff_id, name, email }, text: `${name} now counts as a separate person.` }
}
