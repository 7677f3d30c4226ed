import type { Queryable, Surveyor } from '../../../database/database.ts'
import { raw, sql } from '../../../database/sql.ts'
import { survey } from '../../../database/survey.ts'

/** A statement of a file that is being imported. */
export interface FileStatement {
  /** Null if other statements have all of its lines. */
  statement_id: string | null
  name: string
  opening_price: number
  closing_price: number
  /** Lines that are stored. */
  lines: number
  /** Positions of the omitted lines, which the statements `repeats` have. */
  repeated: number[]
  repeats: string[]
}

/** An uploaded statement file. */
export interface BankFile {
  file_id: string
  account_id: string
  file_name: string
  bytes: number
  received: number
  state: 'uploading' | 'importing' | 'done'
  content_hash: string | null
  statements: FileStatement[] | null
  imported: number
}

export async function insertBankFile(
  tx: Queryable,
  corp_id: string,
  { file_id, account_id, file_name, bytes }: Pick<BankFile, 'file_id' | 'account_id' | 'file_name' | 'bytes'>,
  { executor_id, now }: { executor_id: string; now: Date },
): Promise<void> {
  await tx.query(sql`
    insert into bank_files (corp_id, file_id, account_id, file_name, bytes, state, executor_id, ctime, mtime)
    values (${corp_id}, ${file_id}, ${account_id}, ${file_name}, ${bytes}, 'uploading', ${executor_id}, ${now}, ${now})`)
  // Without its name, which may be that of a person: audit entries cannot be erased.
  tx.note({ record_type: 'bank_files', record_id: file_id, after: { account_id, bytes } })
}

/** The number of files whose pieces are kept. */
export async function countUnfinishedFiles(on: Queryable, corp_id: string): Promise<number> {
  const [row] = await on.query<{ files: number }>(sql`
    select count(*)::integer as files from bank_files where corp_id = ${corp_id} and state <> 'done'`)
  return row?.files ?? 0
}

export async function findBankFile(
  on: Queryable,
  corp_id: string,
  file_id: string,
  isLocked = false,
): Promise<BankFile | undefined> {
  const [file] = await on.query<BankFile>(sql`
    select file_id, account_id, file_name, bytes, received, state, content_hash, statements, imported
      from bank_files where corp_id = ${corp_id} and file_id = ${file_id} ${raw(isLocked ? 'for update' : '')}`)
  return file
}

/** A file of the account with the same content, whose lines are stored. */
export async function findImportedFile(
  on: Queryable,
  corp_id: string,
  { account_id, content_hash }: { account_id: string; content_hash: string },
): Promise<BankFile | undefined> {
  const [file] = await on.query<BankFile>(sql`
    select file_id, account_id, file_name, bytes, received, state, content_hash, statements, imported
      from bank_files
     where corp_id = ${corp_id} and account_id = ${account_id} and content_hash = ${content_hash} and state = 'done'
     order by ctime limit 1`)
  return file
}

export async function appendBankFilePiece(
  tx: Queryable,
  corp_id: string,
  { file_id, start, bytes }: { file_id: string; start: number; bytes: Buffer },
  now: Date,
): Promise<void> {
  const received = start + bytes.length
  await tx.pipeline([
    sql`
      insert into bank_file_pieces (corp_id, file_id, start, bytes)
      values (${corp_id}, ${file_id}, ${start}, ${bytes})`,
    sql`
      update bank_files set received = ${received}, mtime = ${now}
       where corp_id = ${corp_id} and file_id = ${file_id}`,
  ])
  tx.note({ record_type: 'bank_files', record_id: file_id, before: { received: start }, after: { received } })
}

export async function findBankFilePiece(
  on: Queryable,
  corp_id: string,
  file_id: string,
  start: number,
): Promise<Buffer | undefined> {
  const [row] = await on.query<{ bytes: Buffer }>(sql`
    select bytes from bank_file_pieces
     where corp_id = ${corp_id} and file_id = ${file_id} and start = ${start}`)
  return row?.bytes
}

/** Stores the progress of an import. The pieces of a file that is done are deleted. */
export async function updateBankFile(
  tx: Queryable,
  corp_id: string,
  {
    file_id,
    state,
    content_hash,
    statements,
    imported,
  }: Omit<BankFile, 'account_id' | 'file_name' | 'bytes' | 'received'>,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update bank_files
       set state = ${state}, content_hash = ${content_hash}, statements = ${JSON.stringify(statements)}::jsonb,
           imported = ${imported}, mtime = ${now}
     where corp_id = ${corp_id} and file_id = ${file_id}`)
  if (state === 'done')
    await tx.query(sql`delete from bank_file_pieces where corp_id = ${corp_id} and file_id = ${file_id}`)
  tx.note({ record_type: 'bank_files', record_id: file_id, after: { state, imported } })
}

/** The organizations with unfinished files from before an instant. */
export async function findCorpIdsWithOldBankFiles(on: Surveyor, before: Date): Promise<string[]> {
  return on.corpIds(survey`
    select distinct f.corp_id from bank_files f where f.state <> 'done' and f.mtime < ${before}`)
}

/** Deletes files that were never imported. Their statements stay. */
export async function pruneBankFiles(on: Queryable, corp_id: string, before: Date): Promise<void> {
  await on.query(sql`
    delete from bank_file_pieces p
     where p.corp_id = ${corp_id} and p.file_id in (
           select f.file_id from bank_files f
            where f.corp_id = ${corp_id} and f.state <> 'done' and f.mtime < ${before})`)
  await on.query(sql`
    delete from bank_files where corp_id = ${corp_id} and state <> 'done' and mtime < ${before}`)
}
