import { Command } from 'commander'
import { knownOrganization } from '../access/organizations/organization-store.ts'
import { listDomains } from '../access/staff/domains/domain-store.ts'
import { shownDomain } from '../access/staff/domains/domains.ts'
import { readDomain, removeDomain, verifyByOperator } from '../access/staff/domains/manage-domains.ts'
import { type Answer, record, table } from './output.ts'
import { answering, type Session, type Settings } from './session.ts'

interface DomainOptions {
  org: string
  domain: string
}

export function domainCommand(settings: Settings): Command {
  const command = new Command('domain').description('Manage the e-mail domains of an organization.')
  const org = ['--org <corp_id>', 'the organization'] as const
  const domain = ['--domain <domain>', 'such as school.example'] as const
  command
    .command('list')
    .description('List the domains, with the TXT record that verifies each.')
    .requiredOption(...org)
    .action(answering(settings, list))
  command
    .command('verify')
    .description('Verify a domain of the organization without DNS.')
    .requiredOption(...org)
    .requiredOption(...domain)
    .action(answering(settings, verify))
  command
    .command('remove')
    .description('Remove a domain from the organization.')
    .requiredOption(...org)
    .requiredOption(...domain)
    .action(answering(settings, remove))
  return command
}

async function list({ db }: Session, { org }: Omit<DomainOptions, 'domain'>): Promise<Answer> {
  const { time_zone } = await knownOrganization(db.shared, org)
  const domains = (await listDomains(db.of(org), org, time_zone)).map(shownDomain)
  const text = table(domains, {
    domain: 'domain',
    verified: (each) => (each.is_verified ? `${each.verified_at} by ${each.verified_by}` : 'no'),
    record: (each) => `${each.record_name} TXT "${each.record_value}"`,
  })
  return { json: { domains }, text: domains.length > 0 ? text : 'This organization has no domains.' }
}

async function verify({ db, now }: Session, { org, domain: written }: DomainOptions): Promise<Answer> {
  const domain = await readDomain('--domain', written)
  await knownOrganization(db.shared, org)
  await verifyByOperator(db.of(org), org, domain, now)
  const shown = { corp_id: org, domain, verified_by: 'operator' }
  return { json: shown, text: `Verified the domain:\n${record(shown)}` }
}

async function remove({ db }: Session, { org, domain: written }: DomainOptions): Promise<Answer> {
  const domain = await readDomain('--domain', written)
  await removeDomain(db.of(org), org, domain)
  const shown = { corp_id: org, domain }
  return { json: shown, text: `Removed the domain:\n${record(shown)}` }
}
