import type { Queryable, Surveyor } from '../../../database/database.ts'
import { microseconds, raw, type Statement, sql, timestamp } from '../../../database/sql.ts'
import { survey, type Unfinished } from '../../../database/survey.ts'

export const exportKinds = ['financial_rows', 'payments', 'refunds'] as const
export const fileFormats = ['csv', 'xlsx'] as const
export const exportStates = ['waiting', 'running', 'done', 'failed'] as const

/** A requested export file: its content and progress. */
export interface ExportFile {
  export_id: string
  what: (typeof exportKinds)[number]
  format: (typeof fileFormats)[number]
  start_date: string | null
  end_date: string | null
  as_of: string
  state: (typeof exportStates)[number]
  attempts: number
  rows_done: number
  rows_total: number
  bytes: number
  sha256: string
  refusal: string
  token: string
  executor_id: string
  ctime: string
}

const columns = (timeZone: string) => sql`
  export_id, what, format, start_date, end_date, ${microseconds('as_of')} as as_of, state, attempts, rows_done, rows_total,
  bytes, sha256, refusal, token, executor_id, ${timestamp('ctime', timeZone)} as ctime`

type NewExport = Pick<
  ExportFile,
  'export_id' | 'what' | 'format' | 'start_date' | 'end_date' | 'as_of' | 'token' | 'executor_id'
>

/** Stores a request. Returns false if too many exports are in progress. Deletes all but the newest finished files. */
export async function insertExport(
  on: Queryable,
  corp_id: string,
  made: NewExport,
  now: Date,
  most: { underWay: number; kept: number },
): Promise<boolean> {
  return on.transaction(async (tx) => {
    const [open] = await tx.query<{ files: number }>(sql`
      select count(*)::integer as files from finance_exports
       where corp_id = ${corp_id} and state in ('waiting', 'running')`)
    if (open!.files >= most.underWay) return false
    await tx.pipeline(removal(corp_id, oldestFinished(corp_id, most.kept)))
    await tx.query(sql`
      insert into finance_exports (corp_id, export_id, what, format, start_date, end_date, as_of, state, token, executor_id, ctime)
      values (${corp_id}, ${made.export_id}, ${made.what}, ${made.format}, ${made.start_date}, ${made.end_date},
              ${made.as_of}::timestamptz, 'waiting', ${made.token}, ${made.executor_id}, ${now})`)
    const { export_id: record_id, token: _, executor_id: __, ...after } = made
    tx.note({ action: 'exported', record_type: 'finance_exports', record_id, after })
    return true
  })
}

export async function findExport(
  on: Queryable,
  corp_id: string,
  export_id: string,
  timeZone: string,
): Promise<ExportFile | undefined> {
  const [found] = await on.query<ExportFile>(sql`
    select ${columns(timeZone)} from finance_exports where corp_id = ${corp_id} and export_id = ${export_id}`)
  return found
}

export async function findFinishedByToken(
  on: Queryable,
  corp_id: string,
  token: string,
): Promise<(Pick<ExportFile, 'export_id' | 'what' | 'format' | 'bytes'> & { as_of: string }) | undefined> {
  const [found] = await on.query<Pick<ExportFile, 'export_id' | 'what' | 'format' | 'bytes' | 'as_of'>>(sql`
    select export_id, what, format, bytes, ${microseconds('as_of')} as as_of from finance_exports
     where corp_id = ${corp_id} and token = ${token} and state = 'done'`)
  return found
}

/** The latest requests, newest first. */
export async function listExportFiles(
  on: Queryable,
  corp_id: string,
  timeZone: string,
  limit: number,
): Promise<ExportFile[]> {
  return on.query<ExportFile>(sql`
    select ${columns(timeZone)} from finance_exports
     where corp_id = ${corp_id} order by finance_exports.ctime desc, export_id desc limit ${limit}`)
}

const leaseSeconds = 60

/** Leases an unfinished export, unless another worker has the lease. */
export async function claimExport(
  on: Queryable,
  corp_id: string,
  export_id: string,
  timeZone: string,
): Promise<ExportFile | undefined> {
  const [claimed, [found]] = await on.pipeline<[object, ExportFile]>([
    sql`
      update finance_exports
         set state = 'running', attempts = attempts + 1, rows_done = 0, bytes = 0, busy_until = ${leaseEnd()}
       where corp_id = ${corp_id} and export_id = ${export_id} and state in ('waiting', 'running')
         and (busy_until is null or busy_until < ${new Date()})
      returning export_id`,
    sql`
      select ${columns(timeZone)} from finance_exports where corp_id = ${corp_id} and export_id = ${export_id}`,
  ])
  return claimed.length === 1 ? found : undefined
}

function leaseEnd(): Date {
  return new Date(Date.now() + leaseSeconds * 1000)
}

export async function findIdleExports(on: Queryable, corp_id: string): Promise<string[]> {
  const rows = await on.query<{ export_id: string }>(sql`
    select export_id from finance_exports
     where corp_id = ${corp_id} and state in ('waiting', 'running') and (busy_until is null or busy_until < ${new Date()})
     order by ctime limit 10`)
  return rows.map(({ export_id }) => export_id)
}

type ExportChange = Partial<
  Pick<ExportFile, 'state' | 'rows_done' | 'rows_total' | 'bytes' | 'sha256' | 'refusal'>
>

/** Records progress and renews the lease. */
export async function noteExport(
  on: Queryable,
  corp_id: string,
  { export_id, attempts }: ExportFile,
  change: ExportChange,
): Promise<boolean> {
  const sets = Object.entries(change)
    .map(([name, value]) => sql`${raw(name)} = ${value}`)
    .reduce((all, one) => sql`${all}, ${one}`)
  const update = sql`
    update finance_exports set ${sets}, busy_until = ${leaseEnd()}
     where corp_id = ${corp_id} and export_id = ${export_id} and attempts = ${attempts} and state = 'running'
    returning export_id`
  const { state } = change
  if (state === undefined) return (await on.query(update)).length === 1
  return on.transaction(async (tx) => {
    const isChanged = (await tx.query(update)).length === 1
    if (isChanged)
      tx.note({ record_type: 'finance_exports', record_id: export_id, action: 'changed', after: { state } })
    return isChanged
  })
}

export async function clearPieces(on: Queryable, corp_id: string, export_id: string): Promise<void> {
  await on.query(
    sql`delete from finance_export_pieces where corp_id = ${corp_id} and export_id = ${export_id}`,
  )
}

export async function insertPiece(
  on: Queryable,
  corp_id: string,
  export_id: string,
  seq: number,
  content: Buffer,
): Promise<void> {
  await on.query(sql`
    insert into finance_export_pieces (corp_id, export_id, seq, content)
    values (${corp_id}, ${export_id}, ${seq}, ${content})`)
}

export async function findPieceOf(
  on: Queryable,
  corp_id: string,
  export_id: string,
  seq: number,
): Promise<Buffer | undefined> {
  const [piece] = await on.query<{ content: Buffer }>(sql`
    select content from finance_export_pieces
     where corp_id = ${corp_id} and export_id = ${export_id} and seq = ${seq}`)
  return piece?.content
}

/** The organizations with exports from before an instant. */
export async function findCorpIdsWithOldExports(on: Surveyor, before: Date): Promise<string[]> {
  return on.corpIds(survey`select distinct e.corp_id from finance_exports e where e.ctime < ${before}`)
}

/** The organizations with exports that no server works on. */
export async function findCorpIdsWithIdleExports(on: Surveyor, now: Date): Promise<string[]> {
  return on.corpIds(survey`
    select distinct e.corp_id from finance_exports e
     where e.state in ('waiting', 'running') and (e.busy_until is null or e.busy_until < ${now})`)
}

/** Files of all organizations that wait to be made, or are being made. */
export async function countUnfinishedExports(on: Surveyor, now: Date): Promise<Unfinished> {
  const [found] = await on.ask<Unfinished>(survey`
    select count(*) as waiting,
           coalesce(extract(epoch from ${now}::timestamptz - min(e.ctime)), 0)::double precision as age
      from finance_exports e
     where e.state in ('waiting', 'running')`)
  return found!
}

/** Deletes files that were requested before an instant. */
export async function pruneExports(on: Queryable, corp_id: string, before: Date): Promise<void> {
  const old = sql`select e.export_id from finance_exports e where e.corp_id = ${corp_id} and e.ctime < ${before}`
  await on.pipeline(removal(corp_id, old))
}

function oldestFinished(corp_id: string, kept: number): Statement {
  return sql`
    select e.export_id from finance_exports e
     where e.corp_id = ${corp_id} and e.state in ('done', 'failed')
     order by e.ctime desc, e.export_id desc offset ${kept}`
}

function removal(corp_id: string, ids: Statement): Statement[] {
  return [
    sql`delete from finance_export_pieces where corp_id = ${corp_id} and export_id in (${ids})`,
    sql`delete from finance_exports where corp_id = ${corp_id} and export_id in (${ids})`,
  ]
}
