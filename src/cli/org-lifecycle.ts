import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { readUsage } from '../access/organizations/fetch-usage.ts'
import { changeOrganization } from '../access/organizations/manage-organizations.ts'
import { changeQuotas } from '../access/organizations/manage-quotas.ts'
import { knownOrganization } from '../access/organizations/organization-store.ts'
import {
  cancelRequestedDeletion,
  defaultWaitingDays,
  requestDeletion,
} from '../access/organizations/request-deletion.ts'
import { resumeOrganization, suspendOrganization } from '../access/organizations/suspend-organization.ts'
import { deleteSchool } from '../backup/schools/delete-school.ts'
import { exportSchool } from '../backup/schools/export-school.ts'
import { importSchool } from '../backup/schools/import-school.ts'
import { refuseExisting } from '../backup/table-file.ts'
import { wantedSchema } from '../database/migrate.ts'
import { rebuildLocalTimes } from '../derived/derived-data.ts'
import { writeDurably } from '../postgres/durable-files.ts'
import { type Answer, type Limit, numberOrNull, readCount, readLimit, record, table } from './output.ts'
import { progressBar } from './progress-bar.ts'
import { answering, type Session, type Settings, withoutTimeouts } from './session.ts'

/** Commands for the life of an organization after its creation. */
export function addLifecycle(org: Command, settings: Settings): void {
  org
    .command('suspend')
    .description(
      'Refuse sign-in and calls of an organization, and rest its background work. Its data are kept.',
    )
    .argument('<corp_id>', 'the organization')
    .requiredOption('--reason <text>', 'why; recorded in the audit, and listed by org list')
    .action(answering(settings, suspend))
  org
    .command('resume')
    .description('End the suspension of an organization.')
    .argument('<corp_id>', 'the organization')
    .requiredOption('--reason <text>', 'why; recorded in the audit')
    .action(answering(settings, resume))
  org
    .command('rename')
    .description('Change the name of an organization. Its corp_id stays.')
    .argument('<corp_id>', 'the organization')
    .requiredOption('--name <name>', 'the new name')
    .action(answering(settings, rename))
  org
    .command('usage')
    .description('Show the usage and the quotas of an organization.')
    .argument('<corp_id>', 'the organization')
    .action(answering(settings, usage))
  org
    .command('quota')
    .description('Show or change the quotas of an organization. Used-up quotas refuse calls with 40311.')
    .argument('<corp_id>', 'the organization')
    .option('--calls-per-day <n>', 'calls of programs per day (UTC), or none', readLimit)
    .option('--imports-per-day <n>', 'imports of files per day (UTC), or none', readLimit)
    .option('--rows <n>', 'stored rows, or none', readLimit)
    .option('--bytes <n>', 'stored bytes, or none', readLimit)
    .action(answering(settings, quota))
  org
    .command('export')
    .description('Write everything of an organization into one file, except secrets.')
    .argument('<corp_id>', 'the organization')
    .requiredOption('--out <file>', 'a new file; it is as confidential as the database')
    .action(answering(settings, exportOne, withoutTimeouts))
  org
    .command('import')
    .description('Create an organization from an exported file. Its ids are kept.')
    .argument('<file>', 'the file')
    .action(answering(settings, importOne, withoutTimeouts))
  org
    .command('delete')
    .description(
      'Delete an organization, in two steps: request it with a reason, which suspends it, and confirm it after the waiting period.',
    )
    .argument('<corp_id>', 'the organization')
    .option('--reason <text>', 'request the deletion')
    .option('--days <n>', `waiting period of the request (default: ${defaultWaitingDays})`, readCount)
    .option('--cancel', 'take the request back')
    .option('--confirm <corp_id>', 'delete everything now; repeats the id, and needs --certificate')
    .option('--certificate <file>', 'a new file for the certificate')
    .action(answering(settings, deleteOne, withoutTimeouts))
}

async function usage({ db, now }: Session, corp_id: string): Promise<Answer> {
  await knownOrganization(db.shared, corp_id)
  const { used, quotas, ...rest } = await readUsage(db.of(corp_id), corp_id, now)
  const names = Object.keys(used) as (keyof typeof used)[]
  const rows = names.map((name) => ({ name, used: used[name] ?? 'unknown', quota: quotas[name] ?? 'none' }))
  const measured = rest.measured_at ?? 'never'
  return {
    json: { used, quotas, ...rest },
    text: `${table(rows, ['name', 'used', 'quota'])}\n\nRows and bytes were measured: ${measured}.`,
  }
}

interface QuotaOptions {
  callsPerDay?: Limit
  importsPerDay?: Limit
  rows?: Limit
  bytes?: Limit
}

async function quota({ db, now }: Session, corp_id: string, options: QuotaOptions): Promise<Answer> {
  const wanted = {
    calls_per_day: numberOrNull(options.callsPerDay),
    imports_per_day: numberOrNull(options.importsPerDay),
    rows: numberOrNull(options.rows),
    bytes: numberOrNull(options.bytes),
  }
  const quotas = await changeQuotas(db, corp_id, wanted, now)
  const shown = Object.entries(quotas).map(([name, most]) => [name, most ?? 'none'])
  return { json: { corp_id, ...quotas }, text: record(Object.fromEntries(shown)) }
}

interface FileOptions {
  out: string
  json?: boolean
}

async function exportOne(
  { db, openKeyring, now }: Session,
  corp_id: string,
  { out, json }: FileOptions,
): Promise<Answer> {
  const file = resolve(out)
  const keyring = await openKeyring()
  const bar = progressBar('Exporting', json)
  const { rows, sha256 } = await exportSchool(db, keyring, corp_id, file, now, bar.show).finally(bar.stop)
  const { size } = await stat(file)
  const written = Object.values(rows).reduce((all, count) => all + count, 0)
  const text =
    `Exported the organization ${corp_id}:\n${record({ file, bytes: size, rows: written, sha256 })}\n\n` +
    'The file holds personal data, and no passwords, secrets of accounts or sessions.'
  return { json: { corp_id, file, bytes: size, rows, sha256 }, text }
}

async function importOne(
  { db, openKeyring, now }: Session,
  file: string,
  { json }: { json?: boolean },
): Promise<Answer> {
  const keyring = await openKeyring()
  const bar = progressBar('Importing', json)
  const imported = await importSchool(
    db,
    keyring,
    resolve(file),
    { schema: await wantedSchema(), now },
    bar.show,
  ).finally(bar.stop)
  const { corp_id, accounts, paused_webhooks, ...counts } = imported
  const lines = [
    `Imported the organization ${corp_id}:`,
    record({ ...counts, accounts: accounts.length, paused_webhooks }),
    '',
    'The books and the audit agree. Secrets stay behind. Next:',
    ...accounts.map((app_id) => `- matricula account rotate-secret ${app_id}`),
    `- matricula staff reset --org ${corp_id} --email <address>, for each member of staff`,
    '- in Settings: the sign-in provider, its domains, and the checkout address, where the school has them',
    ...(paused_webhooks > 0
      ? ['- in Settings › Webhooks: rotate each secret, then enable the endpoint']
      : []),
  ]
  return { json: imported, text: lines.join('\n') }
}

interface DeleteOptions {
  reason?: string
  days?: number
  cancel?: boolean
  confirm?: string
  certificate?: string
  json?: boolean
}

async function deleteOne(session: Session, corp_id: string, options: DeleteOptions): Promise<Answer> {
  const { reason, days, cancel, confirm } = options
  if ([reason, cancel, confirm].filter((each) => each !== undefined).length !== 1)
    throw new Error('Give one of --reason, --cancel and --confirm.')
  if (confirm !== undefined) return confirmDeletion(session, corp_id, confirm, options)
  const { db, now } = session
  if (reason === undefined) {
    const canceled = await cancelRequestedDeletion(db, corp_id, now)
    const text = `Canceled the deletion of ${corp_id}. It stays suspended until matricula org resume ${corp_id}.`
    return { json: canceled, text }
  }
  const requested = await requestDeletion(db, corp_id, { reason, days }, now)
  const text = [
    `Requested the deletion of ${corp_id}, and suspended it.`,
    `From ${requested.due_at.toISOString()} on, confirm it:`,
    `  matricula org delete ${corp_id} --confirm ${corp_id} --certificate <file>`,
    `Until then, take it back: matricula org delete ${corp_id} --cancel`,
  ]
  return { json: requested, text: text.join('\n') }
}

async function confirmDeletion(
  { db, now }: Session,
  corp_id: string,
  confirmed: string,
  { certificate: out, json }: DeleteOptions,
): Promise<Answer> {
  if (confirmed !== corp_id) throw new Error(`--confirm must repeat the id ${corp_id}.`)
  if (out === undefined) throw new Error('Name a new file for the certificate: --certificate <file>.')
  const file = resolve(out)
  await refuseExisting(file)
  const bar = progressBar('Deleting', json)
  const certificate = await deleteSchool(db, corp_id, now, bar.show).finally(bar.stop)
  await writeDurably(file, `${JSON.stringify(certificate, null, 2)}\n`)
  const rows = Object.values(certificate.rows).reduce((all, count) => all + count, 0)
  const text = [
    `Deleted the organization ${corp_id}:`,
    record({ rows, certificate: file }),
    '',
    'The database keeps the certificate too. Backups and exported files still hold the organization until they are removed.',
  ]
  return { json: certificate, text: text.join('\n') }
}

async function suspend(
  { db, now }: Session,
  corp_id: string,
  { reason }: { reason: string },
): Promise<Answer> {
  const suspended = await suspendOrganization(db, corp_id, reason, now)
  const text =
    `Suspended the organization ${corp_id}. Within a second, every server refuses its calls with 40310.\n` +
    record({ ...suspended, suspended_at: suspended.suspended_at?.toISOString() })
  return { json: { corp_id, ...suspended }, text }
}

async function resume(
  { db, now }: Session,
  corp_id: string,
  { reason }: { reason: string },
): Promise<Answer> {
  const resumed = await resumeOrganization(db, corp_id, reason, now)
  return { json: { corp_id, ...resumed }, text: `Resumed the organization ${corp_id}.` }
}

async function rename({ db, now }: Session, corp_id: string, { name }: { name: string }): Promise<Answer> {
  const changed = await changeOrganization(db, corp_id, { name }, now, rebuildLocalTimes)
  return { json: changed, text: `Changed the organization:\n${record({ ...changed })}` }
}
