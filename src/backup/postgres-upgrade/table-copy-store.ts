import type pg from 'pg'

/** Copies complete tables of all organizations, as the superuser of the embedded PostgreSQL. */

export interface TableColumns {
  table: string
  columns: string[]
}

/** The tables of the service with their writable columns, sorted by name. */
export async function listTables(client: pg.ClientBase): Promise<TableColumns[]> {
  const { rows } = await client.query(`
    select c.relname as table, array_agg(a.attname::text order by a.attname) as columns
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
     group by c.relname
     order by c.relname`)
  return rows
}

/** Disables foreign keys: the old tables satisfy them, and every row is copied. */
export async function skipForeignKeys(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica')
}

export async function writeToFile(client: pg.Client, table: TableColumns, file: string): Promise<void> {
  await client.query(`copy ${describe(client, table)} to ${client.escapeLiteral(file)}`)
}

export async function readFromFile(client: pg.Client, table: TableColumns, file: string): Promise<void> {
  await client.query(`copy ${describe(client, table)} from ${client.escapeLiteral(file)}`)
}

/** The number of rows, and a checksum over all values. */
export async function sumUp(client: pg.Client, { table, columns }: TableColumns): Promise<string> {
  const row = columns.map((name) => client.escapeIdentifier(name)).join(', ')
  const { rows } = await client.query(
    `select count(*) || ':' || coalesce(sum(('x' || left(md5(row(${row})::text), 15))::bit(60)::bigint), 0) as sum
       from ${client.escapeIdentifier(table)}`,
  )
  return rows[0].sum
}

export async function refreshAllStatistics(client: pg.Client): Promise<void> {
  await client.query('analyze')
}

function describe(client: pg.Client, { table, columns }: TableColumns): string {
  return `${client.escapeIdentifier(table)} (${columns.map((name) => client.escapeIdentifier(name)).join(', ')})`
}
