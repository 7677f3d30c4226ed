import type { Queryable } from '../database/database.ts'
import { type Statement, sql } from '../database/sql.ts'

/** The versioned kinds of derived data. `src/derived/derived-data.ts` is their registry. */
export type DerivedName = 'orders' | 'profiles' | 'facets'

/** The fingerprints of the code that derived the data of an organization. A kind that was never derived is absent. */
export async function findFingerprints(on: Queryable, corp_id: string): Promise<Map<DerivedName, string>> {
  const rows = await on.query<{ name: DerivedName; fingerprint: string }>(sql`
    select name, fingerprint from derived_data_versions where corp_id = ${corp_id}`)
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]))
}

export function storingFingerprint(corp_id: string, name: DerivedName, fingerprint: string): Statement {
  return sql`
    insert into derived_data_versions (corp_id, name, fingerprint) values (${corp_id}, ${name}, ${fingerprint})
    on conflict (corp_id, name) do update set fingerprint = excluded.fingerprint`
}
