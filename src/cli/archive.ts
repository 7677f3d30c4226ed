import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { type ArchiveKind, archiveKinds } from '../access/audit/archive-store.ts'
import { type Archived, archiveRows } from '../backup/archives/archive-rows.ts'
import { type Answer, record } from './output.ts'
import { progressBar } from './progress-bar.ts'
import { answering, type Session, type Settings, withoutTimeouts } from './session.ts'

export function createCommand(settings: Settings): Command {
  return new Command('archive')
    .requiredOption('--org <corp_id>', 'the organization, or none for audit entries without an organization')
    .addOption(
      new Option(
        '--kind <kind>',
        'audit entries, records of undoable changes, or rows of imported lead files',
      )
        .choices(archiveKinds)
        .makeOptionMandatory(),
    )
    .requiredOption(
      '--older-than <age>',
      `a day (2024-01-01) or an age in days (730d); at least ${leastDays} days`,
    )
    .requiredOption('--out <file>', 'a new file; after a crash, the same one')
    .action(answering(settings, archive, withoutTimeouts))
}

interface ArchiveCommandOptions {
  org: string
  kind: ArchiveKind
  olderThan: string
  out: string
  json?: boolean
}

async function archive(session: Session, options: ArchiveCommandOptions): Promise<Answer> {
  const { org, kind, json } = options
  const { db, now } = session
  const olderThan = readAge(options.olderThan, now)
  const out = resolve(options.out)
  const corp_id = org === 'none' ? '' : org
  const keyring = await session.openKeyring()
  const bar = progressBar('Removing archived rows', json)
  const wanted = { corp_id, kind, olderThan, out, now, keyring }
  const archived = await archiveRows(db, wanted, (removed) => bar.show(removed, removed)).finally(bar.stop)
  return {
    json: { ...archived, file: archived.archive ? out : null },
    text: describe(archived, out, options),
  }
}

function describe(
  { archive: made, removed }: Archived,
  out: string,
  { org, kind }: ArchiveCommandOptions,
): string {
  if (!made)
    return removed > 0
      ? `Removed ${removed} rows that an earlier archive has. No other row is old enough.`
      : `No row of ${org} is old enough.`
  const { rows, sha256, older_than, length, head } = made
  const lines = [
    'Archived:',
    record({
      file: out,
      rows,
      removed,
      older_than,
      sha256,
      ...(length !== null && { last_link: length, head }),
    }),
    '',
    consequences[kind],
  ]
  return lines.join('\n')
}

const consequences: Record<ArchiveKind, string> = {
  audit:
    'The chain continues after the last link. Keep the file: matricula audit verify --archive verifies it and that it joins the chain. ' +
    'Personal details of these entries are gone.',
  changes: 'These batches can no longer be undone. The file says which records they changed.',
  imports: 'The rows of these files can no longer be listed. The file says what became of each.',
}

const leastDays = 30
const dayMs = 86_400_000

function readAge(text: string, now: Date): Date {
  const [, days] = /^([0-9]{1,5})d$/.exec(text) ?? []
  const isDay = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)
  const at = days === undefined ? new Date(text) : new Date(now.getTime() - Number(days) * dayMs)
  if ((days === undefined && !isDay) || Number.isNaN(at.getTime()))
    throw new Error(
      `--older-than ${JSON.stringify(text)} is invalid. Write a day (2024-01-01) or days (730d).`,
    )
  if (now.getTime() - at.getTime() < leastDays * dayMs)
    throw new Error(`--older-than must be at least ${leastDays} days ago.`)
  return at
}
