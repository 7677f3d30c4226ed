import { Command, Option } from 'commander'
import { readName } from '../access/organizations/manage-organizations.ts'
import { knownOrganization } from '../access/organizations/organization-store.ts'
import { changeRole, disableStaff, inviteStaff, resetPassword } from '../access/staff/manage-staff.ts'
import { type Role, roleNames } from '../access/staff/roles.ts'
import {
  type Colleague,
  findAccountsByAddress,
  listColleagues,
  type Staff,
} from '../access/staff/staff-store.ts'
import { newId } from '../contract/new-id.ts'
import type { Database } from '../database/database.ts'
import { jsonOption } from './options.ts'
import { print, table } from './output.ts'
import { type Settings, withDatabase } from './session.ts'
import { confirmCommand } from './staff-confirm.ts'

interface InviteOptions {
  org: string
  email: string
  name: string
  role: Role
  json?: boolean
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
    .option(...jsonOption)
    .action((options) => invite(settings, options))
  staff
    .command('list')
    .description('List the staff of an organization.')
    .requiredOption(...org)
    .option(...jsonOption)
    .action((options) => list(settings, options))
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
    .option(...jsonOption)
    .action((options) => setRoleOf(settings, options))
  staff
    .command('reset')
    .description('Print a link to choose a new password.')
    .option(...orgOfAddress)
    .requiredOption(...email)
    .option(...jsonOption)
    .action((options) => reset(settings, options))
  for (const [name, description] of [
    ['disable', 'Disable a member of staff, and end their sessions.'],
    ['enable', 'Enable a disabled member of staff.'],
  ] as const)
    staff
      .command(name)
      .description(description)
      .option(...orgOfAddress)
      .requiredOption(...email)
      .option(...jsonOption)
      .action((options) => setDisabledOf(settings, name === 'disable', options))
  staff.addCommand(confirmCommand(settings))
  return staff
}

async function invite(settings: Settings, { org, email, name, role, json }: InviteOptions): Promise<void> {
  const invited = await withDatabase(settings, async ({ db, now }) => {
    await knownOrganization(db.shared, org)
    const wanted = { staff_id: newId(), corp_id: org, email: readEmail(email), role }
    return inviteStaff(db.of(org), { ...wanted, name: readName('The name', name) }, now)
  })
  const how = `They choose a password at\n\n  ${welcome(invited.link)}\n\nwithin a week. The link works once.`
  print({ json: invited, text: `${invited.name} works as ${invited.role}. ${how}` }, json)
}

async function list(settings: Settings, { org, json }: { org: string; json?: boolean }): Promise<void> {
  const staff = await withDatabase(settings, async ({ db }) => {
    await knownOrganization(db.shared, org)
    return listColleagues(db.of(org), org)
  })
  print({ json: { staff }, text: tableOf(staff) }, json)
}

async function setRoleOf(
  settings: Settings,
  { org, email, role, json }: { org: string; email: string; role: Role | 'none'; json?: boolean },
): Promise<void> {
  const staff = await withDatabase(settings, async ({ db, now }) => {
    const { corp_id, staff_id } = await knownAccount(db, email, org)
    const wanted = { corp_id, staff_id, role: role === 'none' ? null : role }
    return changeRole(db.of(corp_id), wanted, now)
  })
  print({ json: { staff }, text: tableOf(staff) }, json)
}

interface AddressOptions {
  org?: string
  email: string
  json?: boolean
}

async function reset(settings: Settings, { org, email, json }: AddressOptions): Promise<void> {
  const made = await withDatabase(settings, async ({ db, now }) => {
    const { corp_id, staff_id, name } = await knownAccount(db, email, org)
    const { link } = await resetPassword(db.of(corp_id), { corp_id, staff_id }, now)
    return { corp_id, staff_id, name, email, link }
  })
  const text = `${made.name} chooses a new password at\n\n  ${welcome(made.link)}\n\nwithin a week. The link works once.`
  print({ json: made, text }, json)
}

async function setDisabledOf(
  settings: Settings,
  is_disabled: boolean,
  { org, email, json }: AddressOptions,
): Promise<void> {
  const changed = await withDatabase(settings, async ({ db, now }) => {
    const { corp_id, staff_id, name } = await knownAccount(db, email, org)
    await disableStaff(db.of(corp_id), { corp_id, staff_id }, is_disabled, now)
    return { corp_id, staff_id, name, email, is_disabled }
  })
  const what = is_disabled ? 'is disabled' : 'may sign in again'
  print({ json: changed, text: `${changed.name} ${what}.` }, json)
}

/** The path of the link. The command does not know the address of the console. */
function welcome(link: string): string {
  return `/welcome#${link}`
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
