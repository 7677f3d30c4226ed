import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { type ImportReport, importLeadFile } from '../changes/lead-import/import-lead-file.ts'
import { readValueMapping } from '../changes/lead-import/value-mapping.ts'
import { listLeftAlone } from '../changes/undo/change-batch-store.ts'
import { undoBatch } from '../changes/undo/undo-batch.ts'
import type { RowOutcome } from '../files/row-report.ts'
import {
  contextOf,
  type ImportCommandOptions,
  importOptions,
  runImport,
  textOfReport,
  undoLine,
} from './import-command.ts'
import { jsonOption } from './options.ts'
import { print, record, table } from './output.ts'
import { type Settings, withDatabase } from './session.ts'

export function leadsCommand(settings: Settings): Command {
  const leads = new Command('leads')
  const command = leads
    .command('import')
    .description(
      'Import a file of leads; running it again takes up what was interrupted, and doubles nothing.',
    )
    .argument('<file>', 'CSV, XLSX or NDJSON; a row is a lead')
  importOptions(command)
    .option('--values <file>', 'JSON object of columns, their values and what these stand for')
    .action((file, options) => run(settings, file, options))
  leads
    .command('undo')
    .description('Take a batch back; what others have touched since is listed and left alone.')
    .argument('<batch>', 'batch_id of an import, an edit of many users, a merge, or of an undo')
    .requiredOption('--org <corp_id>', 'the organization')
    .option(...jsonOption)
    .action((batch, options) => undo(settings, batch, options))
  return leads
}

async function run(
  settings: Settings,
  file: string,
  { values: valuesFile, ...options }: ImportCommandOptions & { values?: string },
): Promise<void> {
  const values = valuesFile === undefined ? undefined : readValueMapping(await readFile(valuesFile, 'utf8'))
  const report = await runImport(settings, options, (context, wanted) =>
    importLeadFile(context, file, { ...wanted, values }),
  )
  print({ json: report, text: textOf(report) }, options.json)
  if (report.rows.reject + report.rows.erased > 0) process.exitCode = 1
}

function textOf(report: ImportReport): string {
  const { batch_id, was_imported } = report
  const heading = was_imported ? 'The file was imported before; nothing was changed:' : 'Imported the file:'
  const undo = batch_id === null ? [] : [undoLine(batch_id)]
  return textOfReport(report, heading, undo, outcomeTable)
}

function outcomeTable(outcomes: RowOutcome[]): string {
  return table(outcomes, {
    row: ({ row }) => row,
    outcome: ({ outcome }) => outcome,
    reason: ({ reason }) => reason,
  })
}

const mostShown = 100

async function undo(
  settings: Settings,
  batch_id: string,
  options: { org: string; json?: boolean },
): Promise<void> {
  const { done, left } = await withDatabase(settings, async (session) => {
    const context = await contextOf(session, options.org)
    const done = await undoBatch(context, batch_id)
    const left = await listLeftAlone(context.db, options.org, done.batch_id, { limit: mostShown, offset: 0 })
    return { done, left: left.map(({ left_alone, ...rest }) => ({ ...rest, ...left_alone })) }
  })
  const { removed = 0, restored = 0, left_alone = 0 } = done.counts
  const counts = { removed, restored, left_alone }
  const json = { batch_id: done.batch_id, undone_batch_id: batch_id, ...counts, first_left_alone: left }
  const parts = [`Took the batch back:\n${record({ batch_id: done.batch_id, ...counts })}`]
  if (left.length > 0)
    parts.push(
      `Left alone, as others have touched them since:\n${table(left, {
        record_type: (row) => row.record_type,
        record_id: (row) => row.record_id,
        reason: (row) => row.reason,
        members: (row) => row.members,
      })}`,
    )
  print({ json, text: parts.join('\n\n') }, options.json)
}
