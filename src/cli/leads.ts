import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { type ImportReport, importLeadFile } from '../changes/lead-import/import-lead-file.ts'
import { readValueMapping } from '../changes/lead-import/value-mapping.ts'
import type { RowOutcome } from '../files/row-report.ts'
import {
  endImport,
  exitCodes,
  type ImportCommandOptions,
  importOptions,
  runImport,
  textOfReport,
  undoLine,
} from './import-command.ts'
import { print, table, visible } from './output.ts'
import type { Settings } from './session.ts'

export function createCommand(settings: Settings): Command {
  const leads = new Command('leads')
  const command = leads
    .command('import')
    .description(
      'Import a file of leads. A second run resumes an interrupted import and creates no duplicates. ' +
        exitCodes,
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
  endImport(report)
}

function textOf(report: ImportReport): string {
  const { batch_id, was_imported } = report
  const heading = was_imported ? 'The file was imported before. Nothing changed:' : 'Imported the file:'
  const undo = batch_id === null ? [] : [undoLine(batch_id)]
  return textOfReport(report, heading, [...understood(report), ...undo], outcomeTable)
}

/** The evidence for columns that were not found by their headers. */
function understood({ preset, guessed_columns }: ImportReport): string[] {
  const guesses = Object.entries(guessed_columns).map(
    ([header, confidence]) => `${visible(header)} (${confidence} %)`,
  )
  return [
    ...(preset === null ? [] : [`Recognised as a file of ${preset}.`]),
    ...(guesses.length === 0
      ? []
      : [`Guessed columns: ${guesses.join(', ')}. Check them, or use --mapping.`]),
  ]
}

function outcomeTable(outcomes: RowOutcome[]): string {
  return table(outcomes, ['row', 'outcome', 'reason'])
}
