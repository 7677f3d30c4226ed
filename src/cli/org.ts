import { Command, Option } from 'commander'
import { listOpenDeletions } from '../access/organizations/deletion-store.ts'
import { changeOrganization, createOrganization } from '../access/organizations/manage-organizations.ts'
import { knownOrganization, listOrganizations } from '../access/organizations/organization-store.ts'
import { listSuspensions, type Suspension } from '../access/organizations/suspension-store.ts'
import type { Organization } from '../contract/caller.ts'
import { rebuildLocalTimes } from '../derived/derived-data.ts'
import { changeCounsellorRules } from '../orders/counsellors/manage-counsellor-rules.ts'
import { changeLimits } from '../orders/limits/manage-refund-limits.ts'
import { findLimits, type MoneyLimits } from '../orders/limits/money-limit-store.ts'
import { changeClaimRules } from '../people/users/claims/manage-claim-rules.ts'
import { domainCommand } from './org-domain.ts'
import { addLifecycle } from './org-lifecycle.ts'
import { oidcCommand } from './org-oidc.ts'
import {
  type Answer,
  type Limit,
  numberOrNull,
  readCount,
  readLimit,
  record,
  splitList,
  table,
} from './output.ts'
import { answering, type Session, type Settings } from './session.ts'

interface OrganizationOptions {
  corpId?: string
  name?: string
  timeZone?: string
  currency?: string
  country?: string
  pools?: string[]
}

export function createCommand(settings: Settings): Command {
  const org = new Command('org')
  org
    .command('create')
    .description('Create an organization.')
    .requiredOption('--name <name>', 'name of the organization')
    .option('--corp-id <id>', 'id in the interface (default: a new id)')
    .option('--time-zone <zone>', 'IANA time zone of its dates (default: UTC)')
    .option('--currency <code>', 'ISO 4217 code of its prices (default: CNY)')
    .option('--country <code>', 'ISO 3166 code of phone numbers without a calling code (default: CN)')
    .option('--pools <list>', 'pools of users, separated by commas (default: alive,dead,public)', splitList)
    .action(answering(settings, create))
  org.command('list').description('List the organizations.').action(answering(settings, list))
  org
    .command('update')
    .description('Change the given settings of an organization.')
    .argument('<corp_id>', 'the organization')
    .option('--name <name>', 'name of the organization')
    .option('--time-zone <zone>', 'IANA time zone of its dates')
    .option('--currency <code>', 'ISO 4217 code of its prices')
    .option('--country <code>', 'ISO 3166 code of phone numbers without a calling code')
    .option('--pools <list>', 'all its pools of users, separated by commas', splitList)
    .action(answering(settings, update))
  org
    .command('claims')
    .description('Show or change the limits for claims from the public pool and for revealed contacts.')
    .argument('<corp_id>', 'the organization')
    .option('--most-held <n>', 'users that an owner may hold, or none', readLimit)
    .option('--most-per-day <n>', 'users that an owner may claim per day, or none', readLimit)
    .option('--hold-off-days <n>', 'days before an owner may claim a released user again, or none', readLimit)
    .option(
      '--idle-days <n>',
      'days without a follow-up before a user returns to the public pool, or none',
      readLimit,
    )
    .option(
      '--reveals-per-hour <n>',
      'contacts that a member of staff may reveal per hour, or none',
      readLimit,
    )
    .action(answering(settings, claims))
  org
    .command('counsellors')
    .description('Show or change the rights of counsellors to give discounts and record payments.')
    .argument('<corp_id>', 'the organization')
    .addOption(
      new Option(
        '--discount <basis points>',
        'largest discount, in basis points of the list price',
      ).argParser(readCount),
    )
    .addOption(
      new Option('--record-payments <yes|no>', 'whether they record payments').choices(['yes', 'no']),
    )
    .action(answering(settings, counsellors))
  org
    .command('refunds')
    .description('Show or set the amounts above which refunds need a second approver.')
    .argument('<corp_id>', 'the organization')
    .option('--limits <list>', 'minor units by currency (CNY=500000,JPY=80000), or none', splitList)
    .action(answering(settings, refunds))
  addLifecycle(org, settings)
  org.addCommand(oidcCommand(settings))
  org.addCommand(domainCommand(settings))
  return org
}

async function counsellors(
  { db }: Session,
  corp_id: string,
  { discount: discount_basis_points, recordPayments }: { discount?: number; recordPayments?: 'yes' | 'no' },
): Promise<Answer> {
  const records_payments = recordPayments === undefined ? undefined : recordPayments === 'yes'
  const rules = await changeCounsellorRules(db, corp_id, { discount_basis_points, records_payments })
  return { json: { corp_id, ...rules }, text: record({ ...rules }) }
}

async function refunds(
  { db, now }: Session,
  corp_id: string,
  { limits: wanted }: { limits?: string[] },
): Promise<Answer> {
  await knownOrganization(db.shared, corp_id)
  if (wanted) await changeLimits(db.of(corp_id), corp_id, 'refund', readLimits(wanted), now)
  const limits = await findLimits(db.of(corp_id), corp_id, 'refund')
  const text = Object.keys(limits).length > 0 ? record(limits) : 'No refund needs a second approver.'
  return { json: { limits }, text }
}

function readLimits(texts: string[]): MoneyLimits {
  if (texts.length === 1 && texts[0] === 'none') return {}
  const pairs = texts.map((text) => /^([A-Za-z]{3})=([0-9]{1,15})$/.exec(text))
  if (pairs.includes(null)) throw new Error('Write limits such as CNY=500000,JPY=80000, or none.')
  return Object.fromEntries(pairs.map((pair) => [pair![1]!.toUpperCase(), Number(pair![2])]))
}

interface ClaimOptions {
  mostHeld?: Limit
  mostPerDay?: Limit
  holdOffDays?: Limit
  idleDays?: Limit
  revealsPerHour?: Limit
}

async function claims({ db }: Session, corp_id: string, options: ClaimOptions): Promise<Answer> {
  const wanted = {
    most_held: numberOrNull(options.mostHeld),
    most_per_day: numberOrNull(options.mostPerDay),
    hold_off_days: numberOrNull(options.holdOffDays),
    idle_days: numberOrNull(options.idleDays),
    reveals_per_hour: numberOrNull(options.revealsPerHour),
  }
  const rules = await changeClaimRules(db, corp_id, wanted)
  const shown = Object.entries(rules).map(([name, value]) => [name, value === null ? 'none' : String(value)])
  return { json: { corp_id, ...rules }, text: record(Object.fromEntries(shown)) }
}

async function create({ db, now }: Session, options: OrganizationOptions): Promise<Answer> {
  const { corpId: corp_id, timeZone: time_zone, name = '', currency, country, pools } = options
  const wanted = { corp_id, name, time_zone, currency, country, pools }
  const made = await createOrganization(db, wanted, now)
  return { json: made, text: `Created the organization:\n${record({ ...made })}` }
}

async function list({ db }: Session): Promise<Answer> {
  const suspensions = new Map((await listSuspensions(db.shared)).map((each) => [each.corp_id, each]))
  const deletions = new Map((await listOpenDeletions(db.shared)).map((each) => [each.corp_id, each]))
  const organizations = (await listOrganizations(db.shared)).map((organization) => {
    const { suspended_at = null, suspension_reason = null } = suspensions.get(organization.corp_id) ?? {}
    const { due_at: deletion_due = null } = deletions.get(organization.corp_id) ?? {}
    return { ...organization, suspended_at, suspension_reason, deletion_due }
  })
  return { json: { organizations }, text: tableOf(organizations) }
}

async function update({ db, now }: Session, corp_id: string, options: OrganizationOptions): Promise<Answer> {
  const { timeZone: time_zone, name, currency, country, pools } = options
  const change = { name, time_zone, currency, country, pools }
  const changed = await changeOrganization(db, corp_id, change, now, rebuildLocalTimes)
  return { json: changed, text: `Changed the organization:\n${record({ ...changed })}` }
}

type Listed = Organization & Suspension & { deletion_due: Date | null }

function tableOf(organizations: Listed[]): string {
  if (organizations.length === 0) return 'There are no organizations. Create one with matricula org create.'
  return table(organizations, {
    corp_id: 'corp_id',
    name: 'name',
    time_zone: 'time_zone',
    currency: 'currency',
    country: 'country',
    pools: 'pools',
    ...(organizations.some(({ is_suspended }) => is_suspended) && {
      suspended: ({ suspended_at }: Listed) => suspended_at?.toISOString() ?? '',
      reason: ({ suspension_reason }: Listed) => suspension_reason ?? '',
    }),
    ...(organizations.some(({ deletion_due }) => deletion_due) && {
      'deletion from': ({ deletion_due }: Listed) => deletion_due?.toISOString() ?? '',
    }),
  })
}
