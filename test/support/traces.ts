import type { TestDatabase } from '../harness/database.ts'

/** The columns that hold one of these words: unchanged, in lower case, or reversed as facets store numbers. */
export async function findTraces({ superuser }: TestDatabase, told: string[]): Promise<string[]> {
  const { rows } = await superuser.query<{ table: string; column: string; type: string }>(`
    select c.table_name as table, c.column_name as column, c.data_type as type
      from information_schema.columns c
     where c.table_schema = 'public' and c.data_type in ('text', 'jsonb', 'json', 'bytea', 'ARRAY', 'character varying')`)
  const words = told
    .flatMap((text) => [text, ...text.split(' '), Array.from(text).reverse().join('')])
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > (/\p{Script=Han}/u.test(word) ? 1 : 4))
  const found = await Promise.all(
    rows.map(async ({ table, column, type }) => {
      // Bytes of other scripts are escaped.
      const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
      const { rows: hits } = await superuser.query(
        `select count(*)::int as total from "${table}" where exists (
           select from unnest($1::text[]) word
            where strpos(lower(${text}), word) > 0 or strpos(lower(${text}), encode(convert_to(word, 'UTF8'), 'escape')) > 0)`,
        [words],
      )
      return hits[0].total > 0 ? [`${table}.${column}`] : []
    }),
  )
  return found.flat().sort()
}
