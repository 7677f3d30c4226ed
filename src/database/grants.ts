import type pg from 'pg'

/** Privileges of a role on tables, from the lines `grant … to <role>;` and `revoke … from <role>;` of SQL files. */

/** A file without these lines: the role may be created after the tables. */
export function withoutGrants(text: string, role: string): string {
  return text.replace(grantLines(role), '')
}

/**
 * Gives a role exactly the privileges that the files state, in case it was created after the tables or somebody granted
 * it more. Only tables that differ are touched: on a cluster, a grant needs every node.
 */
export async function alignGrants(client: pg.Client, role: string, texts: string[]): Promise<void> {
  const stated = privilegesIn(texts, role)
  for (const { table, privileges } of await privilegesOf(client, role, [...stated.keys()])) {
    const found = new Set(privileges)
    const wanted = stated.get(table) ?? new Set()
    if (found.symmetricDifference(wanted).size === 0) continue
    if (found.size > 0) await client.query(`revoke all on ${table} from ${role}`)
    if (wanted.size > 0) await client.query(`grant ${[...wanted]} on ${table} to ${role}`)
  }
}

/** Only of tables that exist. */
async function privilegesOf(
  client: pg.Client,
  role: string,
  tables: string[],
): Promise<{ table: string; privileges: string[] }[]> {
  const { rows } = await client.query(
    `select named.table,
            array(select lower(t.privilege_type) from aclexplode(c.relacl) t where t.grantee = $2::text::regrole)
            || array(select lower(t.privilege_type) || ' (' || a.attname || ')'
                       from pg_attribute a cross join lateral aclexplode(a.attacl) t
                      where a.attrelid = c.oid and not a.attisdropped and t.grantee = $2::text::regrole) as privileges
       from unnest($1::text[]) named ("table")
       join pg_class c on c.oid = to_regclass(named.table)`,
    [tables, role],
  )
  return rows
}

/** By table: `select`, or `update (name)` for one column. */
function privilegesIn(texts: string[], role: string): Map<string, Set<string>> {
  const byTable = new Map<string, Set<string>>()
  for (const line of texts.flatMap((text) => [...text.matchAll(grantLines(role))])) {
    const { verb, what, columns, table } = line.groups as Record<string, string>
    const names = what!.split(', ')
    const stated = columns ? columns.split(', ').map((column) => `${what} (${column})`) : names
    const before = byTable.get(table!) ?? new Set()
    byTable.set(table!, verb === 'grant' ? before.union(new Set(stated)) : before.difference(new Set(stated)))
  }
  return byTable
}

function grantLines(role: string): RegExp {
  return new RegExp(
    `^(?<verb>grant|revoke) (?<what>[a-z, ]+?)(?: \\((?<columns>.+)\\))? on (?<table>\\w+) (?:to|from) ${role};$`,
    'gm',
  )
}
