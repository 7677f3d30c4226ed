import { resolve } from 'node:path'
import { Command } from 'commander'
import { listOrganizations } from '../access/organizations/organization-store.ts'
import { dropSlotsExcept } from '../backup/backup-store.ts'
import { describeCheck, isSound } from '../backup/check-books.ts'
import { noteContinued } from '../backup/continued-backup.ts'
import { listOfBackups, listOfDataFolder } from '../backup/erasure-files.ts'
import { findHeadsOf } from '../backup/published-heads/head-store.ts'
import { type TakenBackup, takeBackup } from '../backup/take-backup.ts'
import { createErasureList } from '../changes/erasure/publish-erasures.ts'
import { openDatabase } from '../database/database.ts'
import { schemaStatus } from '../database/migrate.ts'
import type { Installation } from '../installation.ts'
import { holdsDatabase } from '../postgres/postgres-cluster.ts'
import { connectAsSuperuser } from '../postgres/superuser-connection.ts'
import { backupBar } from './backup-bar.ts'
import { jsonOption } from './options.ts'
import { print, record } from './output.ts'
import { type Settings, withInstallation } from './session.ts'

export function backupCommand(settings: Settings): Command {
  return new Command('backup')
    .argument('[folder]', 'the folder of backups')
    .option('--keep <number>', 'remove all but the newest ones')
    .option('--with-key', 'put the master key beside it: whoever has the folder then has the secrets')
    .option('--once', 'do not go on adding to it')
    .option('--stop', 'take no backup, and do not go on adding to the last one')
    .option(...jsonOption)
    .action((folder, options) => backup(settings, folder, options))
}

interface BackupCommandOptions {
  keep?: string
  withKey?: boolean
  once?: boolean
  stop?: boolean
  json?: boolean
}

async function backup(
  settings: Settings,
  into: string | undefined,
  options: BackupCommandOptions,
): Promise<void> {
  const { dataDir, databaseUrl } = settings()
  if (databaseUrl !== undefined)
    throw new Error('With DATABASE_URL, back PostgreSQL up with its own tools: docs/backup.md says how.')
  // Whatever runs commands on time runs them in a folder of its own: a new database made there would be a good backup of nothing.
  if (!(await holdsDatabase(dataDir)))
    throw new Error(
      `The folder ${resolve(dataDir)} holds no database: name the data folder in MATRICULA_DATA.`,
    )
  if (options.stop) {
    await withInstallation(settings, (installation) => stopContinuing(installation, dataDir))
    return print(
      { json: { continued: false }, text: 'The last backup is continued no longer.' },
      options.json,
    )
  }
  if (into === undefined) throw new Error('Name the folder of backups.')
  const keep = options.keep === undefined ? undefined : readKeep(options.keep)
  const bar = backupBar(options.json)
  const taken = await withInstallation(settings, ({ owner, keyring }) =>
    takeBackup(
      {
        dataDir,
        host: owner.host!,
        into,
        keyId: keyring.tokenKeys[0]!.id,
        findHeads: async () => (await findHeadsOf(owner)) ?? [],
        withKey: options.withKey ?? false,
        isContinued: !options.once,
        keep,
      },
      bar.show,
    )
      .then(async (taken) => {
        await listErasures(owner, [listOfBackups(resolve(into)), listOfDataFolder(dataDir)])
        return taken
      })
      .finally(bar.stop),
  )
  if (!isSound(taken.manifest.check)) process.exitCode = 1
  print(describe(taken, options), options.json)
}

/** Beside the backups, so that a restore finds who was erased since. An older schema knows no list. */
async function listErasures(owner: Installation['owner'], files: string[]): Promise<void> {
  if ((await schemaStatus(owner)).pending.length > 0) return
  const db = openDatabase({ ...owner, max: 1 })
  try {
    const list = createErasureList(async () => files)
    for (const { corp_id } of await listOrganizations(db.shared)) await list.publish(db.of(corp_id), corp_id)
  } finally {
    await db.close()
  }
}

function describe({ folder, manifest, pruned }: TakenBackup, options: BackupCommandOptions) {
  const { id, started_at, completed_at, key_id, has_key, check, files } = manifest
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const json = { id, folder, started_at, completed_at, bytes, key_id, has_key, check, pruned }
  const outcome =
    check === null
      ? 'Its schema is older than this version: its books were not checked.'
      : describeCheck(check)
  const lines = [
    'Took a backup:',
    record({ folder, completed_at, bytes, ...(pruned.length > 0 && { pruned }) }),
    '',
    `It was restored for a test. ${outcome}`,
    ...(options.once
      ? []
      : ['A running server goes on adding to it: it can be restored to any later instant.']),
    ...(has_key ? [] : [`The master key (${key_id}) is not in it: keep that somewhere else.`]),
  ]
  return { json, text: lines.join('\n') }
}

function readKeep(text: string): number {
  const keep = Number(text)
  if (!/^[0-9]{1,4}$/.test(text) || keep < 1) throw new Error('--keep must be a whole number from 1 to 9999.')
  return keep
}

async function stopContinuing({ owner }: Installation, dataDir: string): Promise<void> {
  const connection = await connectAsSuperuser(owner.host!)
  if (!connection) throw new Error('PostgreSQL does not accept connections.')
  try {
    await noteContinued(dataDir, undefined)
    await dropSlotsExcept(connection.client, undefined)
  } finally {
    await connection.client.end()
  }
}
