import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import {
  type CheckExtent,
  type CheckRange,
  fullCheckDays,
  noteVerified,
} from '../access/audit/verified-heads.ts'
import { keyIdOf } from '../access/organizations/keyring.ts'
import { listOrganizations } from '../access/organizations/organization-store.ts'
import { countSecretsByKey } from '../access/organizations/sealing-keys.ts'
import { dropSlotsExcept } from '../backup/backup-store.ts'
import { describeCheck, isSound } from '../backup/check-books.ts'
import { noteContinued } from '../backup/continued-backup.ts'
import { listOfBackups, listOfDataFolder } from '../backup/erasure-files.ts'
import { findHeadsOf } from '../backup/published-heads/head-store.ts'
import { type TakenBackup, takeBackup } from '../backup/take-backup.ts'
import { createErasureList } from '../changes/erasure/finish-erasures.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { schemaStatus } from '../database/migrate.ts'
import type { Installation } from '../installation.ts'
import { findKeyring, findMasterKeys } from '../open-keyring.ts'
import { holdsDatabase } from '../postgres/postgres-cluster.ts'
import { connectAsSuperuser } from '../postgres/superuser-connection.ts'
import { print, record } from './output.ts'
import { progressBar } from './progress-bar.ts'
import { type Settings, withInstallation } from './session.ts'

export function createCommand(settings: Settings): Command {
  return new Command('backup')
    .argument('[folder]', 'the folder of backups')
    .option('--keep <number>', 'number of backups to keep; older ones are removed')
    .option('--with-key', 'include the master key; anyone with the folder can then decrypt the secrets')
    .addOption(
      new Option(
        '--check <extent>',
        `how the restored copy is checked: quick continues the last check, full checks everything (default: quick, and full if ${fullCheckDays} days have passed since the last full check)`,
      ).choices(Object.keys(extents)),
    )
    .option('--once', 'do not continue this backup')
    .option('--stop', 'take no backup, and stop continuing the last one')
    .action((folder, options) => backup(settings, folder, options))
}

/** Without the option, a full check is done where it is due. */
const extents = { quick: 'recent', full: 'full' } as const satisfies Record<string, CheckExtent>

interface BackupCommandOptions {
  check?: keyof typeof extents
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
    throw new Error(
      'With DATABASE_URL, matricula backup cannot read the files of PostgreSQL. Use pg_basebackup, or pg_dump as the role of ' +
        'matricula db backup-role. See docs/backup.md.',
    )
  // Schedulers run commands in other folders. A new database created there would give a valid backup of no data.
  if (!(await holdsDatabase(dataDir)))
    throw new Error(
      `The folder ${resolve(dataDir)} contains no database. Set MATRICULA_DATA to the data folder.`,
    )
  if (options.stop) {
    await withInstallation(settings, (installation) => stopContinuing(installation, dataDir))
    return print(
      { json: { continued: false }, text: 'The last backup is no longer continued.' },
      options.json,
    )
  }
  if (into === undefined) throw new Error('Name the folder of backups.')
  const keep = options.keep === undefined ? undefined : readKeep(options.keep)
  const bar = progressBar('', options.json)
  const verified: Parameters<CheckRange['keep']>[] = []
  const range: CheckRange = {
    extent: options.check ? extents[options.check] : 'due',
    keyring: await findKeyring(settings()),
    now: new Date(),
    keep: async (...note) => void verified.push(note),
  }
  const taken = await withInstallation(settings, async ({ owner }) =>
    takeBackup(
      {
        dataDir,
        host: owner.host!,
        into,
        keyId: await findKeyId(owner, settings()),
        findHeads: async () => (await findHeadsOf(owner)) ?? [],
        withKey: options.withKey ?? false,
        isContinued: !options.once,
        keep,
        range,
      },
      (phase, done, total) => bar.show(done, total, phase),
    )
      .then(async (taken) => {
        await listErasures(owner, [listOfBackups(resolve(into)), listOfDataFolder(dataDir)])
        await noteChecked(owner, range, verified)
        return taken
      })
      .finally(bar.stop),
  )
  if (!isSound(taken.manifest.check)) process.exitCode = 1
  print(describe(taken, options), options.json)
}

/** The key that a restored copy needs. It need not be here: a backup is possible without it. */
async function findKeyId(owner: Installation['owner'], config: Config): Promise<string> {
  const [newest = ''] = ((await findMasterKeys(config)) ?? []).map(keyIdOf)
  if ((await schemaStatus(owner)).pending.length > 0) return newest
  const db = openDatabase({ ...owner, max: 2 })
  try {
    const counts = await countSecretsByKey(db)
    const [mostUsed] = [...counts].sort(([, one], [, other]) => other - one)
    return counts.has(newest) || !mostUsed ? newest : mostUsed[0]
  } finally {
    await db.close()
  }
}

/** Writes the list of erasures next to the backups, for a later restore. An older schema has no such list. */
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

/** The copy was checked, which had every byte of the database: the next check continues there. */
async function noteChecked(
  owner: Installation['owner'],
  { keyring }: CheckRange,
  verified: Parameters<CheckRange['keep']>[],
): Promise<void> {
  if (!keyring || verified.length === 0) return
  const db = openDatabase({ ...owner, max: 1 })
  try {
    for (const [corp_id, chain, head] of verified)
      await noteVerified(db.of(corp_id), corp_id, chain, head, keyring)
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
      ? 'Its schema is older than this version, so its books were not checked.'
      : describeCheck(check)
  const lines = [
    'Took a backup:',
    record({ folder, completed_at, bytes, ...(pruned.length > 0 && { pruned }) }),
    '',
    `The test restore succeeded. ${outcome}`,
    ...(options.once ? [] : ['A running server continues it, so it can be restored to any later instant.']),
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
