import type { Role } from '../../access/staff/roles.ts'
import type { Queryable, Surveyor } from '../../database/database.ts'
import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'
import { survey, type Unfinished } from '../../database/survey.ts'
import type { Mapping } from '../../files/map-columns.ts'
import type { FirstRow, RefusalReason } from '../../files/row-source.ts'
import { holdClock } from '../../orders/ledger/ledger-clock-store.ts'
import type { RowFixes } from './row-fixes.ts'
import type { RowTally } from './tally.ts'
import type { FoundValues, ValueMapping } from './value-mapping.ts'

export const importStates = ['uploading', 'planning', 'planned', 'committing', 'done', 'refused'] as const

/** The options for reading a file. */
export interface FileOptions {
  format?: 'csv' | 'xlsx' | 'ndjson'
  encoding?: string
  sheet?: string
  /** The row of the headers; 0 for a file without headers. */
  headerRow?: number
  mapping?: Mapping
  values?: ValueMapping
  /** Cells that were corrected after the plan; removed with the commit. */
  fixes?: RowFixes
  /** The role of the member of staff who uploaded it; undefined for an account. */
  role?: Role
}

/** The content of a file. */
export interface FileReading {
  format: string
  encoding: string | null
  sheet: string | null
  sheets: { name: string; is_hidden: boolean; rows: number }[]
  /** 0 for a file without headers. */
  header_row: number
  /** Kept until the commit, to choose another header row. A separate operation shows them. */
  first_rows?: FirstRow[]
  rows: number
  headers: string[]
  /** The column of each header; null if it is unknown. */
  columns: (string | null)[]
  unknown_columns: string[]
  suggested_columns: Record<string, string>
  /** The confidence of guessed columns in percent, by header. */
  guesses?: Record<string, number>
  /** The source that was recognised by the headers. */
  preset?: string | null
  /** Listed by an operation of their own, because there may be many. */
  values?: FoundValues[]
}

export interface LeadImport {
  import_id: string
  content_hash: string | null
  file_name: string
  options: FileOptions
  state: (typeof importStates)[number]
  bytes: number
  received: number
  reading: FileReading | null
  last_row: number
  plan: RowTally | null
  result: RowTally | null
  refusal: string | null
  refusal_reason: RefusalReason | null
  executor_id: string
  /** The archive that has the outcomes of its rows. */
  archive_id: string | null
  busy_until: Date | null
  ctime: Date
  mtime: Date
}

/** With times as shown. */
export type ShownImport = LeadImport & { ctime_text: string; mtime_text: string }

const columnNames = [
  ...['import_id', 'content_hash', 'file_name', 'options', 'state', 'bytes', 'received', 'last_row'],
  ...[
    'plan',
    'result',
    'refusal',
    'refusal_reason',
    'executor_id',
    'archive_id',
    'busy_until',
    'ctime',
    'mtime',
  ],
]
/** Without the values found, which may be many, and without the first rows, which hold people. */
const columnsOf = (table: string) =>
  raw(
    `${columnNames.map((name) => `${table}.${name}`).join(', ')}, ${table}.reading - '{values,first_rows}'::text[] as reading`,
  )
export const importColumns = columnsOf('lead_imports')

type NewImport = Pick<LeadImport, 'import_id' | 'file_name' | 'options' | 'state' | 'bytes' | 'executor_id'> &
  Partial<Pick<LeadImport, 'content_hash' | 'reading' | 'result'>>

export async function insertImport(
  on: Queryable,
  corp_id: string,
  made: NewImport,
  now: Date,
): Promise<void> {
  await on.transaction(async (tx) => {
    await tx.query(sql`
      insert into lead_imports (corp_id, import_id, content_hash, file_name, options, state, bytes, reading, result,
                                executor_id, ctime, mtime)
      values (${corp_id}, ${made.import_id}, ${made.content_hash ?? null}, ${made.file_name},
              ${JSON.stringify(made.options)}::jsonb, ${made.state}, ${made.bytes},
              ${made.reading ? JSON.stringify(made.reading) : null}::jsonb,
              ${made.result ? JSON.stringify(made.result) : null}::jsonb, ${made.executor_id}, ${now}, ${now})`)
    tx.note({ record_type: 'lead_imports', record_id: made.import_id, after: { state: made.state } })
  })
}

export async function findImport(
  on: Queryable,
  corp_id: string,
  import_id: string,
): Promise<LeadImport | undefined> {
  const [row] = await on.query<LeadImport>(sql`
    select ${importColumns} from lead_imports where corp_id = ${corp_id} and import_id = ${import_id}`)
  return row
}

/**
 * The import of the same content that is in force: started and not undone. If there is none, the caller starts one in
 * the same transaction. The ledger clock is locked until then, so that of two concurrent callers the second finds the
 * import of the first.
 */
export async function findSameImport(
  tx: Queryable,
  corp_id: string,
  content_hash: string,
): Promise<LeadImport | undefined> {
  await holdClock(tx, corp_id)
  const [row] = await tx.query<LeadImport>(sql`
    select ${columnsOf('i')}
      from lead_imports i
      join change_batches b on b.corp_id = ${corp_id} and b.batch_id = i.import_id
     where i.corp_id = ${corp_id} and i.content_hash = ${content_hash} and i.state in ('committing', 'done')
       and b.undone_by_batch_id is null
     order by i.ctime, i.import_id limit 1`)
  return row
}

export type ImportChange = Partial<
  Pick<
    LeadImport,
    | 'content_hash'
    | 'options'
    | 'state'
    | 'received'
    | 'reading'
    | 'last_row'
    | 'plan'
    | 'result'
    | 'refusal'
    | 'refusal_reason'
  >
>

/**
 * Omitted members stay unchanged. Nothing changes unless the import is in this state and at this row. A change of
 * the state ends the lease, so that the next step can start at once.
 */
export function importUpdate(
  corp_id: string,
  { import_id, state, last_row }: Pick<LeadImport, 'import_id' | 'state' | 'last_row'>,
  change: ImportChange,
  now: Date,
): Statement {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  return sql`
    update lead_imports
       set content_hash = coalesce(${change.content_hash}, content_hash),
           options = coalesce(${json(change.options)}::jsonb, options),
           state = coalesce(${change.state}, state),
           received = coalesce(${change.received}::bigint, received),
           reading = coalesce(${json(change.reading)}::jsonb, reading),
           last_row = coalesce(${change.last_row}::integer, last_row),
           plan = coalesce(${json(change.plan)}::jsonb, plan),
           result = coalesce(${json(change.result)}::jsonb, result),
           refusal = coalesce(${change.refusal}, refusal),
           refusal_reason = coalesce(${change.refusal_reason ?? null}, refusal_reason),
           busy_until = ${change.state === undefined ? busyUntil(now) : null}::timestamptz, mtime = ${now}
     where corp_id = ${corp_id} and import_id = ${import_id} and state = ${state} and last_row = ${last_row}
    returning import_id`
}

/** The first rows of a file that is not committed. */
export async function findFirstRows(
  on: Queryable,
  corp_id: string,
  import_id: string,
): Promise<FirstRow[] | undefined> {
  const [row] = await on.query<{ first_rows: FirstRow[] | null }>(sql`
    select reading->'first_rows' as first_rows
      from lead_imports where corp_id = ${corp_id} and import_id = ${import_id}`)
  return row && (row.first_rows ?? [])
}

/** The values found in a file, and the meanings given to them. */
export async function findFoundValues(
  on: Queryable,
  corp_id: string,
  import_id: string,
): Promise<{ values: FoundValues[]; meanings: ValueMapping; role: Role | undefined } | undefined> {
  const [row] = await on.query<{
    found: FoundValues[] | null
    meanings: ValueMapping | null
    role: Role | null
  }>(sql`
    select reading->'values' as found, options->'values' as meanings, options->>'role' as role
      from lead_imports where corp_id = ${corp_id} and import_id = ${import_id}`)
  return row && { values: row.found ?? [], meanings: row.meanings ?? {}, role: row.role ?? undefined }
}

/**
 * Duration of the lease on an import. Every stored batch renews it; an expired lease means that the worker was lost.
 */
const busyMs = 60_000

function busyUntil(now: Date): Date {
  return new Date(now.getTime() + busyMs)
}

export async function lockImport(
  tx: Queryable,
  corp_id: string,
  import_id: string,
): Promise<LeadImport | undefined> {
  const [row] = await tx.query<LeadImport>(sql`
    select ${importColumns} from lead_imports where corp_id = ${corp_id} and import_id = ${import_id} for update`)
  return row
}

export async function findShownImport(
  on: Queryable,
  { corp_id, time_zone }: { corp_id: string; time_zone: string },
  import_id: string,
): Promise<ShownImport | undefined> {
  const [row] = await on.query<ShownImport>(sql`
    select ${importColumns}, ${timestamp('ctime', time_zone)} as ctime_text, ${timestamp('mtime', time_zone)} as mtime_text
      from lead_imports where corp_id = ${corp_id} and import_id = ${import_id}`)
  return row
}

/** Newest first. */
export async function listShownImports(
  on: Queryable,
  { corp_id, time_zone }: { corp_id: string; time_zone: string },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; list: ShownImport[] }> {
  const [[counted], list] = await on.pipeline<[{ total: number }, ShownImport]>([
    sql`select count(*) as total from lead_imports where corp_id = ${corp_id}`,
    sql`
      select ${importColumns}, ${timestamp('ctime', time_zone)} as ctime_text, ${timestamp('mtime', time_zone)} as mtime_text
        from lead_imports where corp_id = ${corp_id}
       order by lead_imports.ctime desc, import_id desc limit ${limit} offset ${offset}`,
  ])
  return { total: counted?.total ?? 0, list }
}

export async function countOpenImports(on: Queryable, corp_id: string): Promise<number> {
  const [row] = await on.query<{ total: number }>(sql`
    select count(*) as total from lead_imports
     where corp_id = ${corp_id} and state in ('uploading', 'planning', 'planned')`)
  return row?.total ?? 0
}

/** Starts a new plan, or repeats it with other options. A worker on the old plan finds that it has ended. */
export async function restartPlan(
  tx: Queryable,
  corp_id: string,
  { import_id, options }: Pick<LeadImport, 'import_id' | 'options'>,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update lead_imports
       set state = 'planning', options = ${JSON.stringify(options)}::jsonb, last_row = 0, plan = null, reading = null,
           refusal = null, refusal_reason = null, mtime = ${now}
     where corp_id = ${corp_id} and import_id = ${import_id}`)
  await tx.query(sql`delete from lead_import_rows where corp_id = ${corp_id} and import_id = ${import_id}`)
  noteState(tx, import_id, 'planning')
}

export function noteState(tx: Queryable, import_id: string, state: LeadImport['state']): void {
  tx.note({ record_type: 'lead_imports', record_id: import_id, action: 'changed', after: { state } })
}

export async function startCommit(
  tx: Queryable,
  corp_id: string,
  import_id: string,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update lead_imports
       set state = 'committing', reading = reading - 'first_rows', last_row = 0, busy_until = null, mtime = ${now}
     where corp_id = ${corp_id} and import_id = ${import_id}`)
  noteState(tx, import_id, 'committing')
}

/**
 * Ends an import that is undone while it runs. Without its hash it is not the import of this content: if the undo is
 * undone, the file can be imported again to add the remaining rows.
 */
export async function endImport(tx: Queryable, corp_id: string, import_id: string, now: Date): Promise<void> {
  const ended = await tx.query(sql`
    update lead_imports set state = 'done', content_hash = null, busy_until = null, mtime = ${now}
     where corp_id = ${corp_id} and import_id = ${import_id} and state = 'committing'
    returning import_id`)
  if (ended.length > 0) noteState(tx, import_id, 'done')
}

/** Takes the lease on an uploaded file, unless another worker has it. */
export async function claimImport(
  on: Queryable,
  corp_id: string,
  import_id: string,
  now: Date,
): Promise<LeadImport | undefined> {
  const rows = await on.query<{ import_id: string }>(sql`
    update lead_imports set busy_until = ${busyUntil(now)}
     where corp_id = ${corp_id} and import_id = ${import_id} and state in ('planning', 'committing')
       and received = bytes and (busy_until is null or busy_until < ${now})
    returning import_id`)
  return rows.length === 0 ? undefined : findImport(on, corp_id, import_id)
}

export async function releaseImport(on: Queryable, corp_id: string, import_id: string): Promise<void> {
  await on.query(sql`
    update lead_imports set busy_until = null where corp_id = ${corp_id} and import_id = ${import_id}`)
}

/** The organizations with imports that no server works on. */
export async function findCorpIdsWithIdleImports(on: Surveyor, now: Date): Promise<string[]> {
  return on.corpIds(survey`
    select distinct i.corp_id from lead_imports i
     where i.state in ('planning', 'committing') and i.received = i.bytes
       and (i.busy_until is null or i.busy_until < ${now})`)
}

/** Uploaded files of all organizations that are planned or committed. */
export async function countUnfinishedImports(on: Surveyor, now: Date): Promise<Unfinished> {
  const [found] = await on.ask<Unfinished>(survey`
    select count(*) as waiting,
           coalesce(extract(epoch from ${now}::timestamptz - min(i.mtime)), 0)::double precision as age
      from lead_imports i
     where i.state in ('planning', 'committing') and i.received = i.bytes`)
  return found!
}

/** Uploaded files that wait for work and that no worker has leased. */
export async function findIdleImports(on: Queryable, corp_id: string, now: Date): Promise<LeadImport[]> {
  return on.query<LeadImport>(sql`
    select ${importColumns} from lead_imports
     where corp_id = ${corp_id} and state in ('planning', 'committing') and received = bytes
       and (busy_until is null or busy_until < ${now})
     order by mtime limit 10`)
}
