import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { type ImportReport, importLeadFile } from '../changes/lead-import/import-lead-file.ts'
import { readValueMapping } from '../changes/lead-import/value-mapping.ts'
import type { RowOutcome } from '../files/row-report.ts'
import {
  type ImportCommandOptions,
  importOptions,
  runImport,
  textOfReport,
  undoLine,
} from './import-command.ts'
import { print, table } from './output.ts'
import type { Settings } from './session.ts'

export function createCommand(settings: Settings): Command {
  const leads = new Command('leads')
  const command = leads
    .command('import')
    .description(
      'Import a file of leads. A second run resumes an interrupted import and creates no duplicates.',
    )
    .argument('<file>', 'CSV, XLSX or NDJSON; a row is a lead')
  importOptions(command)
    .option('--values <file>', 'JSON object that maps columns and their values to other values')
    .action((file, options) => run(settings, file, options))
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
  const heading = was_imported ? 'The file was imported before. Nothing changed:' : 'Imported the file:'
  const undo = batch_id === null ? [] : [undoLine(batch_id)]
  return textOfReport(report, heading, undo, outcomeTable)
}

function outcomeTable(outcomes: RowOutcome[]): string {
  return table(outcomes, ['row', 'outcome', 'reason'])
}
