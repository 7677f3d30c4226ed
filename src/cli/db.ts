import { Command } from 'commander'
import { migrate, type SchemaStatus, schemaStatus } from '../database/migrate.ts'
import { jsonOption } from './options.ts'
import { print, record } from './output.ts'
import { type Settings, withInstallation } from './session.ts'

export function dbCommand(settings: Settings): Command {
  const db = new Command('db').description('Bring the database schema up to date, or look at it.')
  db.command('migrate')
    .description('Bring the schema up to date.')
    .option(...jsonOption)
    .action((options) => bringUpToDate(settings, options))
  db.command('status')
    .description('Show the schema.')
    .option(...jsonOption)
    .action((options) => showStatus(settings, options))
  return db
}

async function bringUpToDate(settings: Settings, options: { json?: boolean }): Promise<void> {
  const run: string[] = []
  const status = await withInstallation(settings, ({ owner }) => migrate(owner, (name) => run.push(name)))
  const heading = run.length > 0 ? `Ran ${run.join(', ')}.` : 'The schema was up to date already.'
  print({ json: status, text: `${heading}\n${describe(status)}` }, options.json)
}

async function showStatus(settings: Settings, options: { json?: boolean }): Promise<void> {
  const status = await withInstallation(settings, ({ owner }) => schemaStatus(owner))
  const heading =
    status.pending.length > 0
      ? 'Run matricula db migrate to bring the schema up to date.'
      : 'The schema is up to date.'
  print({ json: status, text: `${heading}\n${describe(status)}` }, options.json)
}

function describe({ current, wanted, applied, pending }: SchemaStatus): string {
  const names = (migrations: string[]) => (migrations.length > 0 ? migrations : 'none')
  return record({ current, wanted, applied: names(applied), pending: names(pending) })
}
