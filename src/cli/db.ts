import { Command } from 'commander'
import { listOrganizations } from '../access/organizations/organization-store.ts'
import { distribute } from '../database/distribute.ts'
import { migrate, type SchemaStatus, schemaStatus } from '../database/migrate.ts'
import { type RebuildProgress, rebuildDerivedData, rebuildOutdated } from '../derived/derived-data.ts'
import { jsonOption } from './options.ts'
import { print, record, table } from './output.ts'
import { progressBar } from './progress-bar.ts'
import {
  refuseOtherSchema,
  type Settings,
  withDatabase,
  withInstallation,
  withoutTimeouts,
} from './session.ts'
import { upgradePostgresCommand } from './upgrade-postgres.ts'

export function createCommand(settings: Settings): Command {
  const db = new Command('db')
  db.command('migrate')
    .description('Update the schema and the derived data.')
    .option(...jsonOption)
    .action((options) => bringUpToDate(settings, options))
  db.command('status')
    .description('Show the state of the schema.')
    .option(...jsonOption)
    .action((options) => showStatus(settings, options))
  db.command('rebuild')
    .description('Rebuild the derived data: the read model of orders, and the profiles and facets of people.')
    .option('--org <corp_id>', 'only this organization')
    .option(...jsonOption)
    .action((options) => rebuild(settings, options))
  db.command('distribute')
    .description('Distribute the tables over the nodes of a Citus cluster, by organization.')
    .option(...jsonOption)
    .action((options) => distributeTables(settings, options))
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

async function rebuild(settings: Settings, options: { org?: string; json?: boolean }): Promise<void> {
  const organizations = await withDatabase(
    settings,
    async ({ db }) => {
      const all = await listOrganizations(db.shared)
      const chosen = options.org === undefined ? all : all.filter(({ corp_id }) => corp_id === options.org)
      if (chosen.length === 0 && options.org) throw new Error(`There is no organization ${options.org}.`)
      const rebuilt: { corp_id: string; orders?: number | undefined; wasRight?: boolean | undefined }[] = []
      for (const { corp_id } of chosen) {
        const { orders } = await rebuildDerivedData(db.of(corp_id), corp_id)
        rebuilt.push({ corp_id, orders: orders?.records, wasRight: orders?.wasRight })
      }
      return rebuilt
    },
    withoutTimeouts,
  )
  const text = table(organizations, {
    corp_id: 'corp_id',
    orders: 'orders',
    before: ({ wasRight }) => (wasRight ? 'was correct' : 'WAS WRONG, now corrected'),
  })
  print({ json: { organizations }, text }, options.json)
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
      const show: RebuildProgress = ({ corp_id, done, total }) => bar.show(done, total, corp_id)
      return rebuildOutdated(db, show).finally(bar.stop)
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
