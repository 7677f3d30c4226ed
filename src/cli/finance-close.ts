import { Command } from 'commander'
import { knownOrganization } from '../access/organizations/organization-store.ts'
import { closeBooks, closePeriod } from '../backoffice/finance/close-period.ts'
import type { ClosingDocument, ClosingReversal, CurrencyFigures } from '../backoffice/finance/closing.ts'
import { findClosings } from '../backoffice/finance/closing-store.ts'
import { listed } from '../backoffice/finance/list-closings.ts'
import { requestReversal, reverseClosing } from '../backoffice/finance/reverse-closing.ts'
import { newId } from '../contract/new-id.ts'
import { inputValidator } from '../contract/validate.ts'
import { majorText } from '../files/amounts.ts'
import { type Answer, print, record, table } from './output.ts'
import { answering, type Session, type Settings, withDatabase, withoutTimeouts } from './session.ts'

export function closeCommand(settings: Settings): Command {
  return new Command('close')
    .description(
      'Close the books up to a day, by posting date. Closing the same day again prints the same bytes.',
    )
    .requiredOption('--org <corp_id>', 'the organization')
    .requiredOption('--until <date>', 'the last day of the period')
    .action((options) => close(settings, options))
}

/** Lists closings, and requests the reversal of the latest one. */
export function addClosingCommands(finance: Command, settings: Settings): void {
  finance
    .command('closings')
    .description('List closings and their reversals, the newest first.')
    .requiredOption('--org <corp_id>', 'the organization')
    .action(answering(settings, list))
  finance
    .command('reverse-closing')
    .description(
      'Request the reversal of the latest closing. A colleague with the permission finance must approve it.',
    )
    .requiredOption('--org <corp_id>', 'the organization')
    .requiredOption('--until <date>', 'the last day of the closed period')
    .requiredOption('--reason <text>', 'why it is reversed')
    .action(answering(settings, reverse))
}

const mostListed = 1000

async function list({ db }: Session, { org }: { org: string }): Promise<Answer> {
  const { corp_id } = await knownOrganization(db.shared, org)
  const found = await findClosings(db.of(corp_id), corp_id, { limit: mostListed, offset: 0 })
  const closings: (ClosingDocument & { reversal?: ClosingReversal })[] = found.closings.map(listed)
  const text = table(closings, {
    number: 'number',
    until: 'until',
    closed: 'closed_at',
    reversed: ({ reversal }) => reversal?.reversed_at ?? '',
    'approved by': ({ reversal }) => reversal?.approved_by ?? '',
    reason: ({ reversal }) => reversal?.reason ?? '',
  })
  return { json: { closings }, text: closings.length === 0 ? 'No period is closed.' : text }
}

/** The requester that commands have in approval requests. */
const operator = { app_id: 'operator' }
const validateReversal = inputValidator(reverseClosing)

async function reverse(
  { db, now }: Session,
  options: { org: string; until: string; reason: string },
): Promise<Answer> {
  const { org: corp_id, until, reason } = options
  const input = validateReversal({ corp_id, until, reason }) as { until: string; reason: string }
  const organization = await knownOrganization(db.shared, corp_id)
  const requester = { db: db.of(corp_id), organization, account: operator, newId, now }
  const requested = await requestReversal(requester, input)
  const text = `The reversal of the closing of ${until} waits for approval: request ${requested.request_id}.`
  return { json: requested, text }
}

const validate = inputValidator(closePeriod)

async function close(
  settings: Settings,
  options: { org: string; until: string; json?: boolean },
): Promise<void> {
  const { corp_id, until } = validate({ corp_id: options.org, until: options.until }) as {
    corp_id: string
    until: string
  }
  const closing = await withDatabase(
    settings,
    async ({ db }) => {
      const organization = await knownOrganization(db.shared, corp_id)
      return closeBooks({ db: db.of(corp_id), organization, executor_id: null }, until)
    },
    withoutTimeouts,
  )
  print({ json: closing, text: describe(closing) }, options.json)
}

function describe({ currencies, accounts, chain, ...closing }: ClosingDocument): string {
  const heading = record({ ...closing, chain_length: chain.length, chain_head: chain.head })
  if (currencies.length === 0) return heading
  const columns = currencies.map((figures) => [
    figures.currency,
    (item: string) => majorText(BigInt(figureOf(figures, item)), figures.currency),
  ])
  const byCurrency = table(itemsOf(currencies[0]!), { item: (item) => item, ...Object.fromEntries(columns) })
  return `${heading}\n\n${byCurrency}\n\n${describeAccounts(accounts)}`
}

/** The accounts in the currency of receipt; the last column is in the currency of the orders. */
function describeAccounts(accounts: ClosingDocument['accounts']): string {
  type Row = (typeof accounts)[number]
  const amount = (pick: (row: Row) => number) => (row: Row) => majorText(BigInt(pick(row)), row.currency)
  return table(accounts, {
    account: ({ account }) => account || '(not stated)',
    currency: 'currency',
    opening: amount(({ opening }) => opening.held),
    received: amount(({ received }) => received),
    voided: amount(({ voided }) => voided),
    moved: amount(({ moved }) => moved),
    refunded: amount(({ refunded }) => refunded),
    held: amount(({ closing }) => closing.held),
    'in orders': ({ closing, order_currency }) =>
      `${majorText(BigInt(closing.order_held), order_currency)} ${order_currency}`,
  })
}

/** The figures in order. Members of a group have both names. */
function itemsOf(figures: CurrencyFigures): string[] {
  return Object.entries(figures).flatMap(([name, value]) =>
    typeof value === 'object'
      ? Object.keys(value).map((member) => `${name} ${member}`)
      : name === 'currency'
        ? []
        : name,
  )
}

function figureOf(figures: CurrencyFigures, item: string): number {
  return item
    .split(' ')
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], figures) as number
}
