import { SingleBar } from 'cli-progress'
import { Command } from 'commander'
import { listOrganizations } from '../access/organizations/organization-store.ts'
import { distribute } from '../database/distribute.ts'
import { migrate, type SchemaStatus, schemaStatus } from '../database/migrate.ts'
import { rebuildFacets, rebuildOutdatedFacets } from '../derived/rebuild-facets.ts'
import {
  type RebuildProgress,
  type Rebuilt,
  rebuildOutdated,
  rebuildReadModel,
} from '../orders/listing/rebuild.ts'
import { jsonOption } from './options.ts'
import { print, record, table } from './output.ts'
import {
  refuseOtherSchema,
  type Settings,
  withDatabase,
  withInstallation,
  withoutTimeouts,
} from './session.ts'
import { upgradePostgresCommand } from './upgrade-postgres.ts'

export function dbCommand(settings: Settings): Command {
  const db = new Command('db')
  db.command('migrate')
    .description('Bring the schema up to date, and what is kept beside the data with it.')
    .option(...jsonOption)
    .action((options) => bringUpToDate(settings, options))
  db.command('status')
    .description('Show the schema.')
    .option(...jsonOption)
    .action((options) => showStatus(settings, options))
  db.command('rebuild')
    .description('Make the read model of orders and the facets of users and leads anew from the data.')
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
    table: ({ table }) => table,
    kind: ({ kind }) => (kind === 'reference' ? 'a copy on every node' : 'distributed by corp_id'),
    state: ({ isNew }) => (isNew ? 'done now' : 'was done already'),
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
      const rebuilt: (Rebuilt & { corp_id: string })[] = []
      for (const { corp_id } of chosen) {
        rebuilt.push({ corp_id, ...(await rebuildReadModel(db.of(corp_id), corp_id)) })
        await rebuildFacets(db.of(corp_id), corp_id)
      }
      return rebuilt
    },
    withoutTimeouts,
  )
  const text = table(organizations, {
    corp_id: ({ corp_id }) => corp_id,
    orders: ({ orders }) => String(orders),
    before: ({ wasRight }) => (wasRight ? 'was right' : 'WAS WRONG, and is right now'),
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
      const organizations = await withBar('Rebuilding', (show) => rebuildOutdated(db, show))
      await rebuildOutdatedFacets(db)
      return organizations
    },
    withoutTimeouts,
  )
  const lines = [
    run.length > 0 ? `Ran ${run.join(', ')}.` : 'The schema was up to date already.',
    ...(rebuilt.length > 0 ? [`Rebuilt the read models of ${rebuilt.join(', ')}.`] : []),
    describe(status),
  ]
  print({ json: { ...status, rebuilt }, text: lines.join('\n') }, options.json)
}

/** A bar on a terminal only, and on standard error, so that what is printed stays clean. */
async function withBar<T>(what: string, work: (show: RebuildProgress) => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work(() => undefined)
  const format = `${what} {corp_id} [{bar}] {percentage}% {eta_formatted}`
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true })
  let shown: string | undefined
  return work((corp_id, done, total) => {
    if (corp_id !== shown) bar.start(total, 0, { corp_id })
    shown = corp_id
    bar.update(done)
  }).finally(() => bar.stop())
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
