import { Command, Option } from 'commander'
import type { BankLineRow } from '../backoffice/finance/reconciliation/bank-line-row.ts'
import { bookings, matchBankLines } from '../backoffice/finance/reconciliation/match-bank-lines.ts'
import { ignoreBankLines, unmatchBankLines } from '../backoffice/finance/reconciliation/settle-bank-lines.ts'
import { transferBankLines } from '../backoffice/finance/reconciliation/transfer-bank-lines.ts'
import type { Static } from '../contract/type.ts'
import { majorText } from '../files/amounts.ts'
import { jsonOption, record, table } from './output.ts'
import { call, type OperationOptions, run } from './run-operation.ts'
import type { Settings } from './session.ts'

type Lines = Static<typeof BankLineRow>[]

/** Commands for work on single lines by hand, with the use cases of the API. */
export function addLineCommands(bank: Command, settings: Settings): void {
  const line = new Command('line').description('Match, split, book, ignore or reopen single lines.')
  const each = (value: string, before: string[] = []) => [...before, value]
  const command = (name: string, description: string) =>
    line
      .command(name)
      .description(description)
      .requiredOption('--org <corp_id>', 'the organization')
      .option(...jsonOption)
  command(
    'match',
    'Match lines to payments and refunds. Several lines are joined; several payments split a line.',
  )
    .argument('<line_id...>', 'open lines')
    .option('--payment <payment_id>', 'a payment without a line; may be repeated', each)
    .option('--refund <refund_id>', 'a refund without a line; may be repeated', each)
    .option('--fee', 'the rest of a single line is a fee of the bank')
    .option('--dry-run', 'change nothing')
    .action((line_ids, { payment = [], refund = [], fee, dryRun, ...options }) =>
      settle(settings, options, {
        ...{ line_ids, payment_ids: payment, refund_ids: refund, dry_run: dryRun },
        ...(fee && { book: [{ as: 'fee' }] }),
      }),
    )
  command('book', 'Record a line that has no payment yet.')
    .argument('<line_id>', 'an open line')
    .addOption(new Option('--as <kind>', 'what the line is').choices(bookings).makeOptionMandatory())
    .option('--order <order_id>', 'order of a payment, refund or chargeback')
    .option('--payment <payment_id>', 'the payment that is refunded or charged back')
    .option(
      '--exchange-rate <rate>',
      'of a payment in another currency than its order, × 10,000',
      wholeNumber,
    )
    .option('--reason <text>', 'reason of a refund or chargeback, or a note')
    .option('--dry-run', 'change nothing')
    .action((line_id, { as, order, payment, exchangeRate, reason, dryRun, ...options }) =>
      settle(settings, options, {
        ...{ line_ids: [line_id], dry_run: dryRun },
        book: [
          withoutEmpty({ as, order_id: order, payment_id: payment, exchange_rate: exchangeRate, reason }),
        ],
      }),
    )
  command('split', 'Split a line into parts. They sum to the line, with the payments and refunds.')
    .argument('<line_id>', 'an open line')
    .requiredOption(
      '--part <kind=minor[=order_id]>',
      `a part to record: ${bookings.join(', ')}; outgoing amounts are negative, an empty one is the rest; may be repeated`,
      each,
    )
    .option('--payment <payment_id>', 'a payment without a line; may be repeated', each)
    .option('--refund <refund_id>', 'a refund without a line; may be repeated', each)
    .option('--reason <text>', 'reason of refunds and chargebacks, or a note')
    .option('--dry-run', 'change nothing')
    .action((line_id, { part, payment = [], refund = [], reason, dryRun, ...options }) =>
      settle(settings, options, {
        ...{ line_ids: [line_id], payment_ids: payment, refund_ids: refund, dry_run: dryRun },
        book: part.map((text: string) => ({ ...partOf(text), ...(reason && { reason }) })),
      }),
    )
  command('transfer', 'Match an outgoing line to the incoming line of another account, such as a payout.')
    .argument('<line_id>', 'the open outgoing line')
    .argument('<other_line_id>', 'the open incoming line')
    .action((line_id, other_line_id, options) =>
      run(settings, options, async (context, show) => {
        const answer = await call(context, transferBankLines, { line_id, other_line_id })
        const { rate, difference_price } = answer
        show(answer, `${linesTable(answer.list)}\n\n${record({ rate, difference_price })}`)
      }),
    )
  command('ignore', 'Ignore lines that concern no payment.')
    .argument('<line_id...>', 'open lines')
    .requiredOption('--reason <text>', 'why they are ignored')
    .action((line_ids, { reason, ...options }) =>
      run(settings, options, async (context, show) => {
        const answer = await call(context, ignoreBankLines, { line_ids, reason })
        show(answer, linesTable(answer.list))
      }),
    )
  command('reopen', 'Undo the match, booking or ignoring of lines. A booked payment stays in the ledger.')
    .argument('<line_id...>', 'lines that are not open')
    .action((line_ids, options) =>
      run(settings, options, async (context, show) => {
        const answer = await call(context, unmatchBankLines, { line_ids })
        show(answer, linesTable(answer.list))
      }),
    )
  bank.addCommand(line)
}

async function settle(settings: Settings, options: OperationOptions, input: object): Promise<void> {
  await run(settings, options, async (context, show) => {
    const answer = await call(context, matchBankLines, input)
    show(answer, linesTable(answer.list))
  })
}

/** An empty amount is the rest of the line. */
function partOf(text: string): object {
  const [as, price, order_id, ...more] = text.split('=')
  if (price === undefined || more.length > 0)
    throw new Error(`--part ${text}: write kind=amount or kind=amount=order_id.`)
  return { as, ...(price && { price: wholeNumber(price) }), ...(order_id && { order_id }) }
}

function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new Error(`${text} must be a whole number.`)
  return Number(text)
}

function withoutEmpty<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}

function linesTable(lines: Lines): string {
  const amount = (price: number, currency: string) => `${majorText(BigInt(price), currency)} ${currency}`
  return table(lines, {
    line: 'line_id',
    date: 'value_date',
    amount: ({ price, currency }) => amount(price, currency),
    state: 'state',
    parts: ({ entries, currency }) =>
      entries.map(({ kind, price }) => `${kind} ${amount(price, currency)}`).join(', '),
    rule: 'rule',
    reason: 'reason',
  })
}
