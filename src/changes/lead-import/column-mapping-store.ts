import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Mapping } from '../../files/map-columns.ts'
import type { ValueMapping } from './value-mapping.ts'

/** The columns and values to which the headers and cells of a file are mapped. */
export interface Mappings {
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

/** Omitted mappings stay as they are. */
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
