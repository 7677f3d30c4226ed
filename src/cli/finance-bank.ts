import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Command, Option } from 'commander'
import { createBankAccount, listBankAccounts } from '../backoffice/finance/reconciliation/bank-accounts.ts'
import { listStatements } from '../backoffice/finance/reconciliation/bank-statements.ts'
import { importStatementFile } from '../backoffice/finance/reconciliation/import-statement-file.ts'
import { listBankLines } from '../backoffice/finance/reconciliation/list-bank-lines.ts'
import { listUnmatchedPayments } from '../backoffice/finance/reconciliation/list-unmatched-payments.ts'
import { confirmCertainMatches } from '../backoffice/finance/reconciliation/settle-bank-lines.ts'
import {
  appendStatementFile,
  createStatementFile,
} from '../backoffice/finance/reconciliation/upload-statement-file.ts'
import { majorText } from '../files/amounts.ts'
import { addLineCommands } from './finance-bank-lines.ts'
import { jsonOption, record, table } from './output.ts'
import { progressBar } from './progress-bar.ts'
import { call, type OperationOptions, run } from './run-operation.ts'
import type { Settings } from './session.ts'

/** Commands of bank reconciliation, with the use cases of the API. */
export function bankCommand(settings: Settings): Command {
  const bank = new Command('bank').description('Bank reconciliation: accounts, statements, lines.')
  const command = (name: string, description: string) =>
    bank
      .command(name)
      .description(description)
      .requiredOption('--org <corp_id>', 'the organization')
      .option(...jsonOption)
  command('accounts', 'List bank accounts with their balances and open lines.').action((options) =>
    run(settings, options, async (context, show) => {
      const { list } = await call(context, listBankAccounts, {})
      show(
        { list },
        amounts(list, ['opening_price', 'closing_price', 'open_incoming_price', 'open_outgoing_price']),
      )
    }),
  )
  command('add-account', 'Add a bank account.')
    .argument('<name>')
    .option('--currency <code>', 'default: the currency of the organization')
    .option('--provider <name>', 'the gateway of the account')
    .option('--number <number>', 'the number that the bank writes in statements')
    .option('--opening-price <minor>', 'balance before the first statement, in minor units')
    .action((name, { currency, provider, number, openingPrice, ...options }) =>
      run(settings, options, async (context, show) => {
        const opening_price = openingPrice === undefined ? undefined : Number(openingPrice)
        const made = await call(context, createBankAccount, {
          name,
          currency,
          provider,
          number,
          opening_price,
        })
        show(made, record(made))
      }),
    )
  command('import', 'Import a statement file. The same file again changes nothing.')
    .argument('<file>', 'CSV, XLSX, CAMT.053, MT940, Stripe balance report, Alipay or WeChat Pay bill')
    .requiredOption('--account <account_id>', 'the bank account')
    .option('--mapping <json>', 'JSON object that maps headers to columns')
    .option('--encoding <name>', 'text encoding (default: detected)')
    .option('--name <name>', 'name of a statement that has none in the file')
    .addOption(new Option('--day-order <order>', 'dates such as 03/04/2026').choices(['dmy', 'mdy']))
    .option('--dry-run', 'only read the file')
    .action((file, options) => importFile(settings, file, options))
  command('status', 'List statements with their progress.')
    .option('--account <account_id>', 'one account')
    .action(({ account, ...options }) =>
      run(settings, options, async (context, show) => {
        const answer = await call(context, listStatements, { account_id: account, page_size: 1000 })
        show(answer, amounts(answer.list, ['opening_price', 'closing_price', 'open_price', 'missing_price']))
      }),
    )
  command('worklist', 'List open lines, or payments without a line.')
    .option('--account <account_id>', 'one account')
    .option('--search <text>', 'a part of the payer, the charge, the reference or the text')
    .option('--payments', 'payments without a line instead of open lines')
    .action(({ account, search, payments, ...options }) =>
      run(settings, options, async (context, show) => {
        const page = { search, page_size: 1000 }
        const answer = payments
          ? await call(context, listUnmatchedPayments, page)
          : await call(context, listBankLines, {
              ...page,
              account_id: account,
              state: 'open',
              with_proposals: true,
            })
        show(answer, amounts(answer.list, ['price']))
      }),
    )
  command('match', 'Confirm all certain matches, in steps.')
    .option('--account <account_id>', 'all statements of an account')
    .option('--statement <statement_id>', 'one statement')
    .option('--dry-run', 'only count them')
    .action((options) => match(settings, options))
  addLineCommands(bank, settings)
  return bank
}

async function importFile(settings: Settings, file: string, options: OperationOptions): Promise<void> {
  const {
    account: account_id,
    mapping,
    encoding,
    name,
    dayOrder: day_order,
    dryRun: dry_run,
    ...rest
  } = options
  const { size } = await stat(file)
  const bar = progressBar('Importing', options.json)
  await run(settings, rest, async (context, show) => {
    const { file_id } = await call(context, createStatementFile, {
      account_id,
      file_name: basename(file),
      bytes: size,
    })
    await using handle = await open(file)
    for (let start = 0; start < size; ) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(pieceBytes), 0, pieceBytes, start)
      const content = buffer.subarray(0, bytesRead).toString('base64')
      start = (await call(context, appendStatementFile, { file_id, start, content })).received
    }
    const input = {
      file_id,
      encoding,
      name,
      day_order,
      dry_run,
      mapping: mapping ? JSON.parse(String(mapping)) : undefined,
    }
    let added = 0
    for (;;) {
      const step = await call(context, importStatementFile, input)
      added += step.added
      bar.show(step.lines - step.remaining, step.lines, `${step.lines - step.remaining} lines`)
      if (step.remaining > 0 && !dry_run) continue
      const { format, encoding: found, lines, repeated_lines, was_imported, left_out, statements } = step
      show(
        { ...step, added },
        [
          record({ format, encoding: found, lines, repeated_lines, added, was_imported, left_out }),
          table(statements, [
            ...([
              'statement_id',
              'name',
              'lines',
              'repeated_lines',
              'opening_price',
              'closing_price',
            ] as const),
          ]),
        ].join('\n\n'),
      )
      return
    }
  }).finally(bar.stop)
}

/** In base64 below the limit of a piece. */
const pieceBytes = 480 * 1024

async function match(
  settings: Settings,
  { account, statement, dryRun: dry_run, ...options }: OperationOptions,
): Promise<void> {
  const bar = progressBar('Matching', options.json)
  await run(settings, options, async (context, show) => {
    const scope = { account_id: account, statement_id: statement, dry_run }
    let matched = 0
    for (;;) {
      const step = await call(context, confirmCertainMatches, scope)
      matched += step.matched
      bar.show(matched, matched + step.remaining, `${matched} lines`)
      if (step.remaining > 0 && !dry_run) continue
      show({ matched }, record({ matched }))
      return
    }
  }).finally(bar.stop)
}

/** A table whose amounts are in major units. */
function amounts(list: Record<string, unknown>[], prices: string[]): string {
  if (list.length === 0) return 'None.'
  const shown = Object.keys(list[0]!).filter((name) => !['entries', 'match_id', 'corp_id'].includes(name))
  const columns = Object.fromEntries(
    shown.map((name) => [
      name,
      (row: Record<string, unknown>) =>
        prices.includes(name)
          ? majorText(BigInt(row[name] as number), String(row.currency))
          : (row[name] as string),
    ]),
  )
  return table(list, columns)
}
