import type { Database, Queryable } from '../../database/database.ts'
import { pages } from '../../database/pages.ts'
import { writeTableFile } from '../table-file.ts'
import { newHeader } from './archive-file.ts'
import type { ArchiveOptions, WrittenArchive } from './archive-rows.ts'
import { oldBatches, oldImports, recordsOfBatch, rowsOfImport } from './archived-row-store.ts'

interface Source {
  /** The records that stay, without the details that are archived. */
  records: { table: string; columns: string[]; read: typeof oldBatches }
  details: { table: string; columns: string[]; read: typeof recordsOfBatch }
}

/** Images of records and cells of files are personal, so the file only names their records. */
export const sources: Record<'changes' | 'imports', Source> = {
  changes: {
    records: {
      table: 'change_batches',
      columns: ['batch_id', 'kind', 'executor_id', 'records', 'counts', 'ctime', 'mtime'],
      read: oldBatches,
    },
    details: {
      table: 'change_batch_records',
      columns: ['batch_id', 'position', 'record_type', 'record_id'],
      read: recordsOfBatch,
    },
  },
  imports: {
    records: {
      table: 'lead_imports',
      columns: ['import_id', 'executor_id', 'ctime', 'mtime'],
      read: oldImports,
    },
    details: {
      table: 'lead_import_rows',
      columns: ['import_id', 'row', 'outcome'],
      read: rowsOfImport,
    },
  },
}

const batchSize = 1000

/** Writes which records batches changed, or which outcomes the rows of lead files had. */
export async function writeRecordArchive(
  db: Database,
  { corp_id, kind, olderThan, out, now }: ArchiveOptions & { kind: keyof typeof sources },
): Promise<WrittenArchive | undefined> {
  const { records, details } = sources[kind]
  return db.of(corp_id).snapshot(async (tx) => {
    const ids: string[] = []
    const read = (after: string) => records.read(tx, corp_id, { before: olderThan, after, limit: batchSize })
    if ((await read('')).length === 0) return undefined
    async function* recordPages(): AsyncGenerator<string[]> {
      for await (const found of pages('', read, ({ id }) => id)) {
        ids.push(...found.map(({ id }) => id))
        yield found.map(({ text }) => text)
      }
    }
    const times = { made_at: now.toISOString(), older_than: olderThan.toISOString() }
    const end = await writeTableFile(out, newHeader({ corp_id, kind, ...times }), [
      { table: records.table, columns: records.columns, pages: recordPages },
      { table: details.table, columns: details.columns, pages: () => detailPages(tx, corp_id, kind, ids) },
    ])
    const rows = end.rows[details.table]!
    return { rows, sha256: end.sha256, length: null, head: null, ids }
  })
}

async function* detailPages(
  tx: Queryable,
  corp_id: string,
  kind: keyof typeof sources,
  ids: string[],
): AsyncGenerator<string[]> {
  const { read } = sources[kind].details
  for (const id of ids)
    for await (const found of pages(
      -1,
      (after) => read(tx, corp_id, id, { after, limit: batchSize }),
      ({ at }) => at,
    ))
      yield found.map(({ text }) => text)
}
