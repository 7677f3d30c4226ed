import pg from 'pg'

/** The role for `pg_dump`: it reads every row and writes none. */
export interface BackupRole {
  role: string
  exists: boolean
  may_log_in: boolean
  bypasses_rls: boolean
  /** Tables that it may not read. */
  unreadable: string[]
  /** Statements that create or complete it; empty if it is complete. An administrator runs them. */
  statements: string[]
}

/**
 * Row-level security is forced, so a dump by the owner of the tables either fails or holds no row of any organization. Only
 * a superuser may create the role that a dump needs, so this function reports and does not create.
 */
export async function findBackupRole(connection: pg.ClientConfig, role: string): Promise<BackupRole> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query(
      `select current_database() as database, r.oid is not null as exists,
              coalesce(r.rolcanlogin, false) as may_log_in,
              coalesce(r.rolsuper or r.rolbypassrls, false) as bypasses_rls,
              array(select c.oid::regclass::text from pg_class c
                     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S')
                       and not case c.relkind when 'S' then has_sequence_privilege(coalesce(r.oid, 0), c.oid, 'select')
                                   else has_table_privilege(coalesce(r.oid, 0), c.oid, 'select') end
                     order by 1) as unreadable
         from (select 1) one left join pg_roles r on r.rolname = $1`,
      [role],
    )
    const { database, ...found } = rows[0]
    return { role, ...found, statements: statementsFor(role, database, found) }
  } finally {
    await client.end()
  }
}

function statementsFor(
  name: string,
  database: string,
  found: Pick<BackupRole, 'exists' | 'may_log_in' | 'bypasses_rls' | 'unreadable'>,
): string[] {
  const role = pg.escapeIdentifier(name)
  const create = `create role ${role} login bypassrls password 'choose one';`
  const grants = [
    `grant connect on database ${pg.escapeIdentifier(database)} to ${role};`,
    `grant pg_read_all_data to ${role};`,
  ]
  if (!found.exists) return [create, ...grants]
  const alter = found.may_log_in && found.bypasses_rls ? [] : [`alter role ${role} login bypassrls;`]
  return [...alter, ...(found.unreadable.length > 0 ? grants : [])]
}
