import type { Command } from 'commander'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { type Ageing, ageingAsOf } from '../finance/age-debts.ts'
import { findOrganizations } from '../organizations/organization-store.ts'
import { majorText } from '../spreadsheet/amounts.ts'
import { jsonOption } from './options.ts'
import { print, table } from './output.ts'
import { type Settings, withDatabase, withoutTimeouts } from './session.ts'

type ReportContext = Pick<OrganizationContext, 'db' | 'organization'>

interface ReportOptions {
  org: string
  asOf?: string
  json?: boolean
}

/** What a finance office asks of the ledger. */
export function addReportCommands(finance: Command, settings: Settings): void {
  finance
    .command('ageing')
    .description('Show what is outstanding by how long it is overdue, per course, owner and currency.')
    .requiredOption('--org <corp_id>', 'the organization')
    .option('--as-of <instant>', 'an instant, or a day, which means its end (default: now)')
    .option(...jsonOption)
    .action((options) => showAgeing(settings, options))
}

async function showAgeing(settings: Settings, { org, asOf, json }: ReportOptions): Promise<void> {
  const ageing = await ofOrganization(settings, org, (context) => ageingAsOf(context, asOf))
  print({ json: ageing, text: ageingText(ageing) }, json)
}

function ofOrganization<T>(
  settings: Settings,
  corp_id: string,
  work: (context: ReportContext) => Promise<T>,
): Promise<T> {
  return withDatabase(
    settings,
    async ({ db }) => {
      const [organization] = await findOrganizations(db.shared, [corp_id])
      if (!organization) throw new Error(`There is no organization ${corp_id}.`)
      return work({ db: db.of(corp_id), organization })
    },
    withoutTimeouts,
  )
}

function ageingText({ as_of, list, totals }: Ageing): string {
  if (totals.length === 0) return `Nothing is outstanding as of ${as_of}.`
  const all = totals.map((total) => ({ course_code: 'all', owner: 'all', ...total }))
  const amount =
    (name: Exclude<keyof Ageing['totals'][number], 'currency'>) => (row: Ageing['totals'][number]) =>
      majorText(BigInt(row[name]), row.currency)
  const lines = table([...list, ...all], {
    course: ({ course_code }) => course_code,
    owner: ({ owner }) => owner,
    currency: ({ currency }) => currency,
    orders: ({ orders }) => orders,
    outstanding: amount('outstanding'),
    not_due: amount('not_due'),
    '0-30': amount('days_0_30'),
    '31-60': amount('days_31_60'),
    '61-90': amount('days_61_90'),
    'over 90': amount('days_over_90'),
  })
  return `Outstanding as of ${as_of}, by days overdue:\n${lines}`
}
