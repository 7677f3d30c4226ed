import { Command } from 'commander'
import { knownOrganization, listOrganizations } from '../access/organizations/organization-store.ts'
import { makeSupportLink } from '../access/staff/support/support-link.ts'
import { listGrants } from '../access/staff/support/support-store.ts'
import type { Config } from '../config.ts'
import { type Answer, table } from './output.ts'
import { answering, type Session, type Settings } from './session.ts'

export function createCommand(settings: Settings): Command {
  const support = new Command('support')
  support
    .command('list')
    .description('List the access that schools grant to support now.')
    .option('--org <corp_id>', 'one organization only')
    .action(answering(settings, list))
  support
    .command('link')
    .description(
      'Print a link that signs a support person in to a school once, while the school lets them in.',
    )
    .requiredOption('--org <corp_id>', 'the organization')
    .requiredOption('--email <address>', 'e-mail address of the support person, as the school entered it')
    .action(answering(settings, (session, options: LinkOptions) => makeLink(session, options, settings())))
  return support
}

const mostListed = 100

async function list({ db, now }: Session, { org }: { org?: string }): Promise<Answer> {
  if (org !== undefined) await knownOrganization(db.shared, org)
  const organizations = (await listOrganizations(db.shared)).filter(
    ({ corp_id }) => org === undefined || corp_id === org,
  )
  const open = []
  for (const { corp_id, time_zone: timeZone } of organizations) {
    const grants = await listGrants(db.of(corp_id), corp_id, { now, timeZone, limit: mostListed })
    open.push(...grants.filter(({ is_open }) => is_open).map((grant) => ({ corp_id, ...grant })))
  }
  const columns = {
    organization: 'corp_id',
    name: 'name',
    email: 'email',
    role: 'role',
    ends: 'ends',
  } as const
  const text = open.length > 0 ? table(open, columns) : 'No school lets support in now.'
  return { json: { grants: open }, text }
}

interface LinkOptions {
  org: string
  email: string
}

async function makeLink(
  { db, now }: Session,
  { org, email }: LinkOptions,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Promise<Answer> {
  await knownOrganization(db.shared, org)
  const made = await makeSupportLink(db.of(org), { corp_id: org, email: email.trim() }, now)
  const link = `${publicUrl?.origin ?? ''}/enter#${made.link}`
  const { grant_id, name, role, ends_at, link_ends_at } = made
  const text = [
    `${name} signs in as ${role} at`,
    '',
    `  ${link}`,
    '',
    `within 10 minutes. The link works once. The access ends at ${ends_at.toISOString()}, or when the school revokes it.`,
  ]
  return { json: { corp_id: org, grant_id, name, role, ends_at, link, link_ends_at }, text: text.join('\n') }
}
