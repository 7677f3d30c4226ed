import { access } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Command } from 'commander'
import { type Backup, chooseBackup, isBackup, listBackups, readBackup } from '../backup/backup-folder.ts'
import { describeCheck, isSound } from '../backup/check-books.ts'
import { listOfBackups } from '../backup/erasure-files.ts'
import { type Restored, restoreBackup } from '../backup/restore-backup.ts'
import { print, record } from './output.ts'
import { describeErasures } from './privacy-erasures.ts'
import { progressBar } from './progress-bar.ts'

export function createCommand(): Command {
  return new Command('restore')
    .argument('<folder>', 'the folder of backups, or a single backup')
    .requiredOption('--to <folder>', 'the new data folder, which must not exist or be empty')
    .option(
      '--until <instant>',
      'ISO 8601 with an offset, such as 2026-11-15T09:30:00Z (default: the end of the backup)',
    )
    .option(
      '--erasures <file>',
      'a further list of erasures to apply, in addition to the one in the folder of backups; may be repeated',
      (file: string, before: string[]) => [...before, file],
      [],
    )
    .action((folder, options) => restore(folder, options))
}

interface RestoreCommandOptions {
  to: string
  until?: string
  erasures: string[]
  json?: boolean
}

async function restore(folder: string, options: RestoreCommandOptions): Promise<void> {
  const { to, until, json } = options
  const instant = until === undefined ? undefined : readInstant(until)
  const found = (await isBackup(folder)) ? [await readBackup(folder)] : await listBackups(folder)
  const backup = chooseBackup(found, folder, instant)
  for (const file of options.erasures) await refuseMissing(file)
  const erasureLists = [listOfBackups(dirname(resolve(backup.folder))), ...options.erasures]
  const bar = progressBar('', json)
  const wanted = { backup, to, until: instant, durable: true, erasureLists }
  const restored = await restoreBackup(wanted, (phase, done, total) => bar.show(done, total, phase)).finally(
    bar.stop,
  )
  if (!isSound(restored.check) || restored.erasures?.failed.length) process.exitCode = 1
  print(describe(backup, to, restored), json)
}

async function refuseMissing(file: string): Promise<void> {
  await access(file).catch(() => {
    throw new Error(`The list of erasures ${file} does not exist.`)
  })
}

function describe({ folder, manifest }: Backup, to: string, { last_change, check, erasures }: Restored) {
  const { key_id, has_key } = manifest
  const outcome =
    check === null
      ? 'Its schema is older than this version. A server that starts on it updates the schema.'
      : describeCheck(check)
  const lines = [
    'Restored the backup:',
    record({ folder, to, last_change }),
    '',
    outcome,
    ...describeErasures(erasures),
    ...(has_key
      ? []
      : [
          `Before you start a server, copy the master key ${key_id} to master.key in this folder, or set MATRICULA_KEY.`,
        ]),
  ]
  return { json: { folder, to, last_change, key_id, has_key, check, erasures }, text: lines.join('\n') }
}

/** In the format of backup manifests, so that instants can be compared as texts. */
function readInstant(text: string): string {
  try {
    return Temporal.Instant.from(text).toString({ fractionalSecondDigits: 6 })
  } catch {
    throw new Error('--until must be an instant with an offset, such as 2026-11-15T09:30:00Z.')
  }
}
