import { readFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { decide, matchStatementLines } from '../backoffice/finance/match-statement-lines.ts'
import {
  type LineOutcome,
  type MatchReport,
  matchStatement,
} from '../backoffice/finance/matching/match-statement.ts'
import { inputValidator } from '../contract/validate.ts'
import { majorText } from '../files/amounts.ts'
import { readMapping } from '../files/map-columns.ts'
import { type Format, formats } from '../files/row-source.ts'
import { contextOf } from './import-command.ts'
import { print, record, table } from './output.ts'
import { progressBar } from './progress-bar.ts'
import { type Settings, withDatabase, withoutTimeouts } from './session.ts'

interface MatchCommandOptions {
  org: string
  provider?: string
  mapping?: string
  outcomes?: string
  format?: Format
  encoding?: string
  sheet?: string
  confirm: string[]
  undo: string[]
  pay: string[]
  json?: boolean
}

export function matchCommand(settings: Settings): Command {
  const each = (value: string, before: string[]) => [...before, value]
  return new Command('match')
    .description(
      'Match a statement of a bank or a gateway to payments. A second run changes no existing match.',
    )
    .argument('<file>', 'CSV, XLSX or NDJSON; a row is a line of the statement')
    .requiredOption('--org <corp_id>', 'the organization')
    .option('--provider <name>', 'bank or gateway of lines that do not name it')
    .option('--mapping <file>', 'JSON object that maps headers to columns')
    .option('--outcomes <file>', 'write the outcome of every line to a file, as NDJSON')
    .option('--undo <line_id>', 'undo the match of a line first; may be repeated', each, [])
    .option('--confirm <line_id=payment_id>', 'match these two first; may be repeated', each, [])
    .option('--pay <line_id=order_id>', 'record a line as a payment first; may be repeated', each, [])
    .addOption(new Option('--format <format>', 'format of the file (default: by its name)').choices(formats))
    .option('--encoding <name>', 'text encoding (default: found; UTF-8, UTF-16 with a mark, GB 18030)')
    .option('--sheet <name>', 'sheet of the workbook (default: the first)')
    .action((file, options) => match(settings, file, options))
}

async function match(settings: Settings, file: string, options: MatchCommandOptions): Promise<void> {
  const { provider, outcomes, format, encoding, sheet, json } = options
  const mapping =
    options.mapping === undefined ? undefined : readMapping(await readFile(options.mapping, 'utf8'))
  const decisions = decisionsOf(options)
  const bar = progressBar('Reading', json)
  const report = await withDatabase(
    settings,
    async (session) => {
      const context = await contextOf(session, options.org)
      await context.db.transaction((tx) => decide({ ...context, db: tx }, decisions))
      const wanted = { provider, outcomes, format, encoding, sheet, mapping, onProgress: bar.show }
      return matchStatement(context, file, wanted).finally(bar.stop)
    },
    withoutTimeouts,
  )
  print({ json: report, text: textOf(report) }, json)
}

const validate = inputValidator(matchStatementLines)

function decisionsOf({ org, undo, confirm, pay }: MatchCommandOptions): Parameters<typeof decide>[1] {
  const pairs = (option: string, texts: string[]) =>
    texts.map((text) => {
      const [line_id, other, ...rest] = text.split('=')
      if (!line_id || !other || rest.length > 0)
        throw new Error(`--${option} ${text}: write two ids separated by =.`)
      return [line_id, other] as const
    })
  return validate({
    corp_id: org,
    undo,
    confirm: pairs('confirm', confirm).map(([line, payment]) => ({
      line_ids: [line],
      payment_ids: [payment],
    })),
    pay: pairs('pay', pay).map(([line_id, order_id]) => ({ line_id, order_id })),
  }) as Parameters<typeof decide>[1]
}

function textOf({ lines, totals, first_proposed, first_unmatched, ...rest }: MatchReport): string {
  const parts = [record({ format: rest.format, encoding: rest.encoding, ...lines })]
  if (totals.length > 0)
    parts.push(
      table(totals, {
        currency: 'currency',
        lines: 'lines',
        total: ({ total, currency }) => majorText(BigInt(total), currency),
        matched: ({ matched, currency }) => majorText(BigInt(matched), currency),
        unmatched: ({ unmatched, currency }) => majorText(BigInt(unmatched), currency),
      }),
    )
  if (rest.unknown_columns.length > 0)
    parts.push(`Ignored columns with unknown names: ${rest.unknown_columns.join(', ')}.`)
  if (first_proposed.length > 0) parts.push(`Proposed, to be confirmed:\n${linesTable(first_proposed)}`)
  if (first_unmatched.length > 0) parts.push(`Without a payment:\n${linesTable(first_unmatched)}`)
  return parts.join('\n\n')
}

function linesTable(lines: LineOutcome[]): string {
  return table(lines, {
    line: 'line_id',
    date: 'value_date',
    amount: ({ price, currency }) => `${majorText(BigInt(price), currency)} ${currency}`,
    reference: ({ charge_id, reference, description }) => charge_id ?? reference ?? description,
    payment: ({ payment_ids }) =>
      payment_ids.length > 1 ? `${payment_ids.length} payments` : payment_ids[0],
    score: 'score',
    reason: 'reason',
  })
}
