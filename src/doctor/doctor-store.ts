import type { Queryable } from '../database/database.ts'
import { appRole } from '../database/migrate.ts'
import { sql } from '../database/sql.ts'
import { tenantTables } from '../database/tables.ts'

/** The rights of the login role in the database. */
export interface RoleStanding {
  role: string
  database: string
  has_app_role: boolean
  may_use_schema: boolean
  may_create_tables: boolean
  /** Tables that another role owns. */
  foreign_tables: string[]
  /** Tables of organizations that row-level security does not protect. */
  open_tables: string[]
}

export async function readRoleStanding(on: Queryable): Promise<RoleStanding> {
  const [standing] = await on.query<RoleStanding>(sql`
    select current_user::text as role, current_database()::text as database,
           exists (select from pg_roles where rolname = ${appRole}) as has_app_role,
           has_schema_privilege('public', 'usage') as may_use_schema,
           has_schema_privilege('public', 'create') as may_create_tables,
           array(select c.relname::text from pg_class c
                  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
                    and not pg_has_role(c.relowner, 'usage')
                  order by 1) as foreign_tables,
           array(select c.relname::text from pg_class c
                  where c.relnamespace = 'public'::regnamespace and c.relname = any(${[...tenantTables]}::text[])
                    and not (c.relrowsecurity and c.relforcerowsecurity)
                  order by 1) as open_tables`)
  return standing!
}

/** Settings of the server, as our connection sees them. */
export interface ServerState {
  version: string
  jit: string
  max_connections: number
  /** Connections of other clients now. */
  others: number
  at: Date
}

export async function readServerState(on: Queryable): Promise<ServerState> {
  const [state] = await on.query<ServerState>(sql`
    select current_setting('server_version') as version, current_setting('jit') as jit,
           current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
             as max_connections,
           (select count(*)::integer from pg_stat_activity
             where backend_type = 'client backend' and application_name not like 'matricula%') as others,
           clock_timestamp() as at`)
  return state!
}
