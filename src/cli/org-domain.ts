import { Command } from 'commander'
import { knownOrganization } from '../access/organizations/organization-store.ts'
import { listDomains } from '../access/staff/domains/domain-store.ts'
import { shownDomain } from '../access/staff/domains/domains.ts'
import { readDomain, removeDomain, verifyByOperator } from '../access/staff/domains/manage-domains.ts'
import { jsonOption } from './options.ts'
import { print, record, table } from './output.ts'
import { type Settings, withDatabase } from './session.ts'

interface DomainOptions {
  org: string
  domain: string
  json?: boolean
}

export function domainCommand(settings: Settings): Command {
  const command = new Command('domain').description('Manage the e-mail domains of an organization.')
  const org = ['--org <corp_id>', 'the organization'] as const
  const domain = ['--domain <domain>', 'such as school.example'] as const
  command
    .command('list')
    .description('List the domains, with the TXT record that verifies each.')
    .requiredOption(...org)
    .option(...jsonOption)
    .action((options) => list(settings, options))
  command
    .command('verify')
    .description('Verify a domain of the organization without DNS.')
    .requiredOption(...org)
    .requiredOption(...domain)
    .option(...jsonOption)
    .action((options) => verify(settings, options))
  command
    .command('remove')
    .description('Remove a domain from the organization.')
    .requiredOption(...org)
    .requiredOption(...domain)
    .option(...jsonOption)
    .action((options) => remove(settings, options))
  return command
}

async function list(settings: Settings, { org, json }: Omit<DomainOptions, 'domain'>): Promise<void> {
  const domains = await withDatabase(settings, async ({ db }) => {
    const { time_zone } = await knownOrganization(db.shared, org)
    return (await listDomains(db.of(org), org, time_zone)).map(shownDomain)
  })
  const text = table(domains, {
    domain: 'domain',
    verified: (each) => (each.is_verified ? `${each.verified_at} by ${each.verified_by}` : 'no'),
    record: (each) => `${each.record_name} TXT "${each.record_value}"`,
  })
  print({ json: { domains }, text: domains.length > 0 ? text : 'This organization has no domains.' }, json)
}

async function verify(settings: Settings, options: DomainOptions): Promise<void> {
  const { org, json } = options
  const domain = await readDomain('--domain', options.domain)
  await withDatabase(settings, async ({ db, now }) => {
    await knownOrganization(db.shared, org)
    await verifyByOperator(db.of(org), org, domain, now)
  })
  const shown = { corp_id: org, domain, verified_by: 'operator' }
  print({ json: shown, text: `Verified the domain:\n${record(shown)}` }, json)
}

async function remove(settings: Settings, options: DomainOptions): Promise<void> {
  const { org, json } = options
  const domain = await readDomain('--domain', options.domain)
  await withDatabase(settings, ({ db }) => removeDomain(db.of(org), org, domain))
  const shown = { corp_id: org, domain }
  print({ json: shown, text: `Removed the domain:\n${record(shown)}` }, json)
}
