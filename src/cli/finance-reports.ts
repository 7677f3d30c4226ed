import { Argument, type Command, Option } from 'commander'
import { knownOrganization } from '../access/organizations/organization-store.ts'
import { type Ageing, ageingAsOf } from '../backoffice/finance/age-debts.ts'
import { closingFigures } from '../backoffice/finance/explain-closing-store.ts'
import {
  type Explanation,
  explainFigure,
  explanationOf,
  type FigureQuery,
} from '../backoffice/finance/explain-figure.ts'
import { figures } from '../backoffice/finance/explain-store.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { orderStatuses } from '../contract/order-statuses.ts'
import { inputValidator } from '../contract/validate.ts'
import { majorText } from '../files/amounts.ts'
import { print, table } from './output.ts'
import { type Settings, withDatabase, withoutTimeouts } from './session.ts'

type ReportContext = Pick<OrganizationContext, 'db' | 'organization'>

interface ReportOptions {
  org: string
  asOf?: string
  json?: boolean
}

/** Reports of the ledger. */
export function addReportCommands(finance: Command, settings: Settings): void {
  finance
    .command('ageing')
    .description('Show outstanding amounts by age, course, owner and currency.')
    .requiredOption('--org <corp_id>', 'the organization')
    .option('--as-of <instant>', 'an instant, or a day, meaning its end (default: now)')
    .action((options) => showAgeing(settings, options))
  finance
    .command('explain')
    .description(
      'Show the facts that sum to a figure of an order, a financial row, a control sheet or a closing.',
    )
    .addArgument(
      new Argument('<figure>', 'name of the figure in the list or sheet').choices([
        ...figures,
        ...closingFigures,
      ]),
    )
    .requiredOption('--org <corp_id>', 'the organization')
    .option('--order <order_id>', 'figure of this order (default: sum over all sub-orders in a currency)')
    .option('--sub-order <sub_order_id>', 'figure of this sub-order of the order')
    .option('--currency <code>', 'currency of a sum over all orders')
    .option('--until <date>', 'figure of the closing whose period ends on this day')
    .option('--account <name>', 'for figures of accounts: only this provider or method')
    .option('--order-currency <code>', 'for figures of accounts: only orders in this currency')
    .option('--as-of <instant>', 'an instant, or a day, meaning its end (default: now)')
    .option('--start-date <date>', 'first day of the range, as on the control sheet')
    .option('--end-date <date>', 'last day of the range, inclusive')
    .addOption(new Option('--status <status>', 'only sub-orders in this status').choices([...orderStatuses]))
    .addOption(
      new Option('--time-range-type <type>', 'the time that the range uses').choices(['create', 'modify']),
    )
    .option('--page <number>', 'page of the lines, from 0; a page has 1000 lines', '0')
    .action((figure, options) => showExplanation(settings, figure, options))
}

async function showAgeing(settings: Settings, { org, asOf, json }: ReportOptions): Promise<void> {
  const ageing = await ofOrganization(settings, org, (context) => ageingAsOf(context, asOf))
  print({ json: ageing, text: ageingText(ageing) }, json)
}

interface ExplainOptions extends ReportOptions {
  order?: string
  subOrder?: string
  currency?: string
  until?: string
  account?: string
  orderCurrency?: string
  startDate?: string
  endDate?: string
  status?: string
  timeRangeType?: string
  page: string
}

const validQuery = inputValidator(explainFigure)

async function showExplanation(settings: Settings, figure: string, options: ExplainOptions): Promise<void> {
  const asked = {
    ...{ corp_id: options.org, figure, order_id: options.order, sub_order_id: options.subOrder },
    ...{ currency: options.currency, as_of: options.asOf, until: options.until, status: options.status },
    ...{ account: options.account, order_currency: options.orderCurrency },
    ...{ start_date: options.startDate, end_date: options.endDate, time_range_type: options.timeRangeType },
    ...{ page: Number(options.page), page_size: 1000 },
  }
  const sent = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  const explanation = await ofOrganization(settings, options.org, (context) =>
    explanationOf(context, validQuery(sent) as FigureQuery),
  )
  print({ json: explanation, text: explanationText(explanation) }, options.json)
}

function explanationText({ figure, as_of, value, total, list }: Explanation): string {
  const heading = `${figure} is ${value} as of ${as_of}, in minor units: the sum of ${total} lines.`
  if (list.length === 0) return heading
  const lines = table(list, {
    kind: 'kind',
    id: 'id',
    order: 'order_id',
    entered: 'at',
    amount: ({ price, currency }) => majorText(BigInt(price), currency),
    currency: 'currency',
    note: 'note',
  })
  return `${heading}\n${lines}`
}

function ofOrganization<T>(
  settings: Settings,
  corp_id: string,
  work: (context: ReportContext) => Promise<T>,
): Promise<T> {
  return withDatabase(
    settings,
    async ({ db }) => {
      const organization = await knownOrganization(db.shared, corp_id)
      try {
        return await work({ db: db.of(corp_id), organization })
      } catch (error) {
        throw error instanceof ApiError ? new Error(`The query is invalid: ${error.message}`) : error
      }
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
    course: 'course_code',
    owner: 'owner',
    currency: 'currency',
    orders: 'orders',
    outstanding: amount('outstanding'),
    not_due: amount('not_due'),
    '0-30': amount('days_0_30'),
    '31-60': amount('days_31_60'),
    '61-90': amount('days_61_90'),
    'over 90': amount('days_over_90'),
  })
  return `Outstanding as of ${as_of}, by days overdue:\n${lines}`
}
