import type { Command } from 'commander'
import { knownOrganization } from '../access/organizations/organization-store.ts'
import { cashUpsOf } from '../backoffice/finance/cash-up/cash-ups.ts'
import { payersOwing } from '../backoffice/finance/payers/age-payers.ts'
import {
  type PayerStatement,
  statementCsv,
  statementOf,
} from '../backoffice/finance/payers/fetch-statement.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { majorText } from '../files/amounts.ts'
import type { PayerRow } from '../orders/payers/payer-row.ts'
import { findPayerPage } from '../orders/payers/payer-store.ts'
import { jsonOption, print, table } from './output.ts'
import { type Settings, withDatabase, withoutTimeouts } from './session.ts'

type Context = Pick<OrganizationContext, 'db' | 'organization'>

interface Options {
  org: string
  search?: string
  startDate?: string
  endDate?: string
  currency?: string
  clerk?: string
  asOf?: string
  owing?: boolean
  csv?: boolean
  json?: boolean
}

/** Rows of one command; the interface has pages. */
const mostRows = 10_000

/** Commands on payers and cash-ups. */
export function addPayerCommands(finance: Command, settings: Settings): void {
  finance
    .command('payers')
    .description('List payers, or with --owing the outstanding amounts by payer and age.')
    .requiredOption('--org <corp_id>', 'the organization')
    .option('--search <text>', 'a part of name, contact name, reference or tax number')
    .option('--owing', 'outstanding amounts instead of contacts')
    .option('--as-of <instant>', 'of --owing: an instant, or a day, meaning its end (default: now)')
    .option(...jsonOption)
    .action((options) => (options.owing ? showOwing(settings, options) : showPayers(settings, options)))
  finance
    .command('statement')
    .description('Show the statement of account of a payer.')
    .argument('<payer_id>', 'the payer; finance payers lists them')
    .requiredOption('--org <corp_id>', 'the organization')
    .option('--start-date <date>', 'first day of the range, by posting')
    .option('--end-date <date>', 'last day of the range, inclusive')
    .option('--currency <code>', 'only this currency')
    .option('--csv', 'print CSV with amounts in major units')
    .option(...jsonOption)
    .action((payer_id, options) => showStatement(settings, payer_id, options))
  finance
    .command('cash-ups')
    .description('List cash-ups with their corrections, the newest day first.')
    .requiredOption('--org <corp_id>', 'the organization')
    .option('--clerk <id>', 'only of this clerk')
    .option('--start-date <date>', 'first day of the range')
    .option('--end-date <date>', 'last day of the range, inclusive')
    .option(...jsonOption)
    .action((options) => showCashUps(settings, options))
}

async function showPayers(settings: Settings, { org: corp_id, search, json }: Options): Promise<void> {
  const { total, list } = await ofOrganization(settings, corp_id, ({ db, organization }) =>
    findPayerPage<PayerRow>(db, { corp_id, search, limit: mostRows, offset: 0 }, organization.time_zone),
  )
  const columns = ['payer_id', 'kind', 'name', 'reference', 'tax_number'] as const
  print({ json: { total, list }, text: total === 0 ? 'No payers.' : table(list, [...columns]) }, json)
}

async function showOwing(settings: Settings, { org, asOf, json }: Options): Promise<void> {
  const owing = await ofOrganization(settings, org, (context) => payersOwing(context, asOf))
  const rows = table(owing.list, {
    payer: ({ payer_name, payer_id, user_name, user_id }) => payer_name || payer_id || user_name || user_id,
    currency: 'currency',
    orders: 'orders',
    outstanding: ({ outstanding, currency }) => majorText(BigInt(outstanding), currency),
    'over 90': ({ days_over_90, currency }) => majorText(BigInt(days_over_90), currency),
  })
  const text = owing.list.length === 0 ? `Nothing is outstanding as of ${owing.as_of}.` : rows
  print({ json: owing, text }, json)
}

async function showStatement(settings: Settings, payer_id: string, options: Options): Promise<void> {
  const { startDate: start_date, endDate: end_date, currency } = options
  const query = { payer_id, start_date, end_date, currency }
  const statement = await ofOrganization(settings, options.org, (context) =>
    statementOf(context, query, { limit: mostRows, offset: 0 }),
  )
  const text = options.csv ? statementCsv(statement).trimEnd() : statementText(statement)
  print({ json: statement, text }, options.json)
}

function statementText({ name, balances, total, list }: PayerStatement): string {
  if (balances.length === 0) return `${name}: no entries.`
  const amount = (price: number, currency: string) => majorText(BigInt(price), currency)
  const sums = table(balances, {
    currency: 'currency',
    opening: ({ opening_price, currency }) => amount(opening_price, currency),
    closing: ({ closing_price, currency }) => amount(closing_price, currency),
    allocated: ({ allocated_price, currency }) => amount(allocated_price, currency),
    unallocated: ({ unallocated_price, currency }) => amount(unallocated_price, currency),
  })
  const entries = table(list, {
    at: 'at',
    entry: 'kind',
    payment: 'payment_id',
    amount: ({ price, currency }) => amount(price, currency),
    balance: ({ balance, currency }) => amount(balance, currency),
    currency: 'currency',
  })
  const rest = total > list.length ? `\nand ${total - list.length} more` : ''
  return `${name}\n${sums}\n\n${entries}${rest}`
}

async function showCashUps(settings: Settings, options: Options): Promise<void> {
  const { org: corp_id, clerk: clerk_id, startDate: start_date, endDate: end_date, json } = options
  const { total, list } = await ofOrganization(settings, corp_id, (context) =>
    cashUpsOf(context, { corp_id, clerk_id, start_date, end_date }, { limit: mostRows, offset: 0 }),
  )
  const lines = list.flatMap((cashUp) =>
    cashUp.lines.map((line) => ({ ...cashUp, ...line, why: line.reason })),
  )
  const text = table(lines, {
    day: 'day',
    clerk: ({ clerk_name, clerk_id: id }) => clerk_name || id,
    entry: ({ entry, is_current }) => (is_current ? String(entry) : `${entry}, corrected`),
    method: 'method',
    expected: ({ expected_price, currency }) => majorText(BigInt(expected_price), currency),
    counted: ({ counted_price, currency }) => majorText(BigInt(counted_price), currency),
    difference: ({ difference, currency }) => majorText(BigInt(difference), currency),
    currency: 'currency',
    reason: 'why',
  })
  print({ json: { total, list }, text: lines.length === 0 ? 'No cash-ups.' : text }, json)
}

function ofOrganization<T>(
  settings: Settings,
  corp_id: string,
  work: (context: Context) => Promise<T>,
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
