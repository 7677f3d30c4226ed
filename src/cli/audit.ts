import { writeFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { auditActions } from '../access/audit/audit-entry.ts'
import { type AuditColumn, auditColumns, readAudit } from '../access/audit/list-audit.ts'
import { type AuditReport, verifyAudit } from '../access/audit/verify-audit.ts'
import { type VerifiedArchive, verifyArchive } from '../backup/archives/verify-archive.ts'
import { asRestored, destinationOf } from '../backup/published-heads/destinations.ts'
import { findAllHeads } from '../backup/published-heads/head-store.ts'
import { byteOrderMark, csvLines } from '../files/csv-lines.ts'
import { describeRange, fullOption, rangeOf } from './check-range.ts'
import { type Answer, print, table } from './output.ts'
import { describeComparison, findPublishedHeads, headsOption } from './published-heads.ts'
import { answering, type Session, type Settings, withDatabase, withoutTimeouts } from './session.ts'

interface ReadOptions {
  org: string
  startDate?: string
  endDate?: string
  actor?: string
  operation?: string
  action?: string
  recordType?: string
  record?: string
  limit?: string
  out?: string
}

export function createCommand(settings: Settings): Command {
  const audit = new Command('audit').description('List, export and verify the audit.')
  const filtered = (command: Command) =>
    command
      .requiredOption('--org <corp_id>', 'the organization, or none for entries without an organization')
      .option('--start-date <date>', 'first day of the range')
      .option('--end-date <date>', 'last day of the range, inclusive')
      .option('--actor <id>', 'only entries of this account, member of staff or system user')
      .option('--operation <operation>', 'only entries of this operation or command')
      .addOption(new Option('--action <action>', 'only this').choices([...auditActions]))
      .option('--record-type <type>', 'only records of this kind')
      .option('--record <id>', 'only this record')
  filtered(audit.command('list').description('List entries, oldest first.'))
    .option('--limit <number>', 'largest number of entries', '100')
    .action(answering(settings, list))
  filtered(audit.command('export').description('Write entries to a CSV file.'))
    .requiredOption('--out <file>', 'where to write it')
    .action(answering(settings, exportEntries, withoutTimeouts))
  audit
    .command('verify')
    .description('Prove that the entries are those that were written; exit code 1 where they are not.')
    .option('--org <corp_id>', 'one organization (default: all)')
    .option(...fullOption)
    .option('--head <hash>', 'an earlier head of the chain; implies --full')
    .addOption(headsOption())
    .option(
      '--archive <file>',
      'also verify an archived part of the audit, and that it joins the chain; may be repeated',
      (file: string, before: string[] = []) => [...before, file],
    )
    .action((options) => verify(settings, options))
  audit
    .command('publish')
    .description('Publish where the chains end now to MATRICULA_AUDIT_HEADS; a server does this by itself.')
    .option(
      '--restored',
      'declare that the database was restored with PostgreSQL tools, and that the chains continue from here',
    )
    .action(answering(settings, publish(settings)))
  return audit
}

function requestOf({ org, startDate, endDate, actor, record, recordType, operation, action }: ReadOptions) {
  return {
    ...{ corp_id: org === 'none' ? '' : org, start_date: startDate, end_date: endDate },
    ...{ actor_id: actor, record_id: record, record_type: recordType, operation, action },
  }
}

async function list({ db }: Session, options: ReadOptions): Promise<Answer> {
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new Error('The limit must be a whole number from 1 to 10000.')
  const batches = readAudit(db, { ...requestOf(options), action_noted: 'revealed' }, limit)
  const first = await batches.next()
  const entries = first.done ? [] : first.value
  const text = table(entries, {
    time: 'time',
    who: ({ actor_kind, actor_id }) => `${actor_kind} ${actor_id}`,
    operation: 'operation',
    action: 'action',
    record: ({ record_type, record_id }) => `${record_type} ${record_id}`,
    after: ({ after }) => JSON.stringify(after),
  })
  return { json: { entries }, text }
}

async function exportEntries({ db }: Session, options: ReadOptions): Promise<Answer> {
  const out = options.out!
  let written = 0
  await writeFile(out, byteOrderMark + csvLines([[...auditColumns]], 'windows'), { flag: 'wx', mode: 0o600 })
  for await (const entries of readAudit(db, { ...requestOf(options), action_noted: 'exported' }, 1000)) {
    const cells = entries.map((entry) => auditColumns.map((column) => cellOf(entry, column)))
    await writeFile(out, csvLines(cells, 'windows'), { flag: 'a' })
    written += entries.length
  }
  return { json: { file: out, entries: written }, text: `Wrote ${written} entries to ${out}.` }
}

function cellOf(entry: Record<AuditColumn, unknown>, column: AuditColumn): string | number | null {
  const value = entry[column]
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  return JSON.stringify(value)
}

interface VerifyOptions {
  archive?: string[]
  full?: boolean
  org?: string
  head?: string
  heads?: string[]
  json?: boolean
}

async function verify(
  settings: Settings,
  { org, full, head, heads, archive = [], json }: VerifyOptions,
): Promise<void> {
  if (head !== undefined && org === undefined)
    throw new Error('--head needs --org, because each organization has its own chain.')
  const published = await findPublishedHeads(settings(), heads)
  const { report, archives } = await withDatabase(
    settings,
    async (session) => {
      const range = await rangeOf(session, full === true || head !== undefined)
      const report = await verifyAudit(session.db, org, { head, published, range })
      const archives: VerifiedArchive[] = []
      for (const file of archive)
        archives.push(await verifyArchive(session.db, file, { keyring: range.keyring, published }))
      return { report: withArchives(report, archives), archives }
    },
    withoutTimeouts,
  )
  if (report.total > 0) process.exitCode = 1
  const lines = [outcome(report), ...archives.map(describeArchive), describeComparison(settings(), published)]
  const shown = archives.map(({ breaches: _, ...verified }) => verified)
  print({ json: { ...report, archives: shown, compared: published.report() }, text: lines.join('\n') }, json)
}

function withArchives(report: AuditReport, archives: VerifiedArchive[]): AuditReport {
  const found = archives.flatMap(({ breaches }) => breaches)
  return {
    ...report,
    total: report.total + found.length,
    breaches: [...report.breaches, ...found.slice(0, 100)],
  }
}

function describeArchive({ file, from, length, older_than, breaches }: VerifiedArchive): string {
  const links = `links ${from + 1} to ${length}, from before ${older_than}`
  return breaches.length === 0
    ? `The archive ${file} is intact, and joins the chain: ${links}.`
    : `The archive ${file} does not agree: ${links}.`
}

function outcome({ entries, total, breaches, chains }: AuditReport): string {
  if (total === 0) {
    const heads = table(chains, {
      organization: ({ corp_id }) => corp_id || 'none',
      entries: 'length',
      archived: ({ archived }) => String(archived),
      checked_from: ({ from }) => String(from + 1),
      last_full_check: 'full_at',
      head: 'head',
    })
    const left = describeRange(chains, 'entries')
    return [`The audit is intact: ${entries} entries checked.`, left, heads].filter(Boolean).join('\n')
  }
  const found = table(breaches, {
    organization: ({ corp_id }) => corp_id || 'none',
    entry: 'entry_id',
    what: 'what',
    expected: 'expected',
    found: 'found',
  })
  return `${found}\nThe audit was manipulated: ${total} breaches.`
}

function publish(settings: Settings) {
  return async ({ db }: Session, { restored }: { restored?: boolean }): Promise<Answer> => {
    const { auditHeads } = settings()
    if (!auditHeads) throw new Error('Name a folder or address in MATRICULA_AUDIT_HEADS.')
    const found = await findAllHeads(db)
    const heads = restored ? asRestored(found) : found
    const destination = destinationOf(auditHeads)
    await destination.publish(heads)
    const text = `Published the heads of ${heads.length} chains to ${destination.name}.`
    return { json: { heads }, text }
  }
}
