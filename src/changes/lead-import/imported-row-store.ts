import type { Queryable } from '../../database/database.ts'
import { insertionOf } from '../../database/insert-rows.ts'
import { type Statement, sql } from '../../database/sql.ts'
import type { SourceRow } from '../../files/row-source.ts'

/** The outcome of a row; `cells` are kept for rejected rows only. */
export interface ImportedRow {
  row: number
  outcome: string
  reason: string | null
  cells: SourceRow | null
}

const rowColumns = {
  import_id: 'text',
  row: 'integer',
  outcome: 'text',
  reason: 'text',
  cells: 'jsonb',
} as const

export function rowInsertion(corp_id: string, import_id: string, rows: ImportedRow[]): Statement {
  const sent = rows.map((row) => ({ ...row, import_id }))
  return sql`
    ${insertionOf('lead_import_rows', rowColumns, corp_id, sent)}
    on conflict (corp_id, import_id, row) do update
       set outcome = excluded.outcome, reason = excluded.reason, cells = excluded.cells`
}

/** Rows of an import after a given row, of one outcome or of all. */
export async function listRows(
  on: Queryable,
  corp_id: string,
  import_id: string,
  page: { outcome?: string; behind: number; limit: number; offset?: number },
): Promise<ImportedRow[]> {
  return on.query<ImportedRow>(sql`
    select row, outcome, reason, cells from lead_import_rows
     where corp_id = ${corp_id} and import_id = ${import_id} and row > ${page.behind}
       and (${page.outcome ?? null}::text is null or outcome = ${page.outcome ?? null})
     order by row limit ${page.limit} offset ${page.offset ?? 0}`)
}

export async function countRows(
  on: Queryable,
  corp_id: string,
  import_id: string,
  outcome: string | undefined,
): Promise<number> {
  const [row] = await on.query<{ total: number }>(sql`
    select count(*) as total from lead_import_rows
     where corp_id = ${corp_id} and import_id = ${import_id}
       and (${outcome ?? null}::text is null or outcome = ${outcome ?? null})`)
  return row?.total ?? 0
}
