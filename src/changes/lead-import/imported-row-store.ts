import type { Queryable } from '../../database/database.ts'
import { insertionOf } from '../../database/insert-rows.ts'
import { type Statement, sql } from '../../database/sql.ts'
import type { Mapping } from '../../files/map-columns.ts'
import type { RowFault } from '../../files/row-reasons.ts'
import type { SourceRow } from '../../files/row-source.ts'
import type { ValueMapping } from './value-mapping.ts'

/** The outcome of a row; `cells` are kept for rejected rows, and for the first rows of a plan. */
export interface ImportedRow {
  row: number
  outcome: string
  reason: string | null
  lead_id: string | null
  user_id: string | null
  cells: KeptRow | null
}

/** A rejected row with the places of its faults, or one of the first rows of a plan as it will be imported. */
export type KeptRow = SourceRow & { faults?: RowFault[] | undefined; shown?: string[] }

const rowColumns = {
  import_id: 'text',
  row: 'integer',
  outcome: 'text',
  reason: 'text',
  lead_id: 'text',
  user_id: 'text',
  cells: 'jsonb',
} as const

export function rowInsertion(corp_id: string, import_id: string, rows: ImportedRow[]): Statement {
  const sent = rows.map((row) => ({ ...row, import_id }))
  return sql`
    ${insertionOf('lead_import_rows', rowColumns, corp_id, sent)}
    on conflict (corp_id, import_id, row) do update
       set outcome = excluded.outcome, reason = excluded.reason, lead_id = excluded.lead_id,
           user_id = excluded.user_id, cells = excluded.cells`
}

/**
 * Rows of an import after a given row, of one outcome or of all, with the leads and users that exist now. A merge has
 * moved a lead to another user.
 */
export async function listRows(
  on: Queryable,
  corp_id: string,
  import_id: string,
  page: { outcome?: string; behind: number; limit: number; offset?: number },
): Promise<ImportedRow[]> {
  return on.query<ImportedRow>(sql`
    select r.row, r.outcome, r.reason, l.lead_id, u.user_id, r.cells
      from lead_import_rows r
      left join leads l on l.corp_id = ${corp_id} and l.lead_id = r.lead_id
      left join users u on u.corp_id = ${corp_id} and u.user_id = coalesce(l.user_id, r.user_id)
     where r.corp_id = ${corp_id} and r.import_id = ${import_id} and r.row > ${page.behind}
       and (${page.outcome ?? null}::text is null or r.outcome = ${page.outcome ?? null})
     order by r.row limit ${page.limit} offset ${page.offset ?? 0}`)
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

/** The columns and values to which the headers and cells of a file are mapped. */
interface Mappings {
  mapping: Mapping
  values: ValueMapping
}

export async function findMappings(
  on: Queryable,
  corp_id: string,
  header_hash: string,
): Promise<Mappings | undefined> {
  const [row] = await on.query<{ mapping: Mapping; value_mapping: ValueMapping }>(sql`
    select mapping, value_mapping
      from column_mappings where corp_id = ${corp_id} and header_hash = ${header_hash}`)
  return row && { mapping: row.mapping, values: row.value_mapping }
}

/** Omitted mappings stay unchanged. */
export async function storeMappings(
  on: Queryable,
  corp_id: string,
  header_hash: string,
  { mapping, values }: { mapping?: Mapping | undefined; values?: ValueMapping | undefined },
  now: Date,
): Promise<void> {
  if (!mapping && !values) return
  const [columns, meanings] = [mapping, values].map((each) => each && JSON.stringify(each))
  await on.query(sql`
    insert into column_mappings (corp_id, header_hash, mapping, value_mapping, mtime)
    values (${corp_id}, ${header_hash}, coalesce(${columns}::jsonb, '{}'), coalesce(${meanings}::jsonb, '{}'), ${now})
    on conflict (corp_id, header_hash) do update
       set mapping = coalesce(${columns}::jsonb, column_mappings.mapping),
           value_mapping = coalesce(${meanings}::jsonb, column_mappings.value_mapping), mtime = excluded.mtime`)
}
