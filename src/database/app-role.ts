import pg from 'pg'
import { appRole } from './migrate.ts'

interface ChosenRole {
  /** Absent: the server works as the role that logs in. */
  role?: string
  notice: string
}

interface Standing {
  user: string
  is_superuser: boolean
  bypasses_rls: boolean
  may_create_roles: boolean
  /** Null where there is no such role. */
  app_bypasses_rls: boolean | null
}

/** The role of the server: the app role, if the login role may use it. */
export async function chooseAppRole(client: pg.Client): Promise<ChosenRole> {
  const standing = await readStanding(client)
  if (standing.app_bypasses_rls) {
    throw new Error(
      `The database role ${appRole} is a superuser or has BYPASSRLS, so row-level security would not confine the server: ` +
        `take that away with "alter role ${appRole} nosuperuser nobypassrls".`,
    )
  }
  if (standing.user === appRole) return { notice: `The server works as the database role ${appRole}.` }
  if (await canUseAppRole(client, standing)) {
    return { role: appRole, notice: noticeOfAppRole(standing) }
  }
  if (standing.is_superuser || standing.bypasses_rls) {
    throw new Error(
      `The database role ${standing.user} bypasses row-level security and may not work as the app role ${appRole}: ` +
        `have an administrator run "create role ${appRole}; grant ${appRole} to ${pg.escapeIdentifier(standing.user)}".`,
    )
  }
  return {
    notice: `The server works as the database role ${standing.user} itself, which may not create the role ${appRole}; row-level security is forced, so it applies to this role too.`,
  }
}

/** The URL of the same database, with connections that have another role from their start, and after a reset. */
export function withRole(databaseUrl: string, role: string): string {
  const url = new URL(databaseUrl)
  const options = url.searchParams.get('options')
  url.searchParams.set('options', `${options ? `${options} ` : ''}-c role=${role}`)
  return url.href
}

/**
 * The nodes of a cluster connect to each other with the role of the statement, so the app role must be able to log in
 * there. Citus forwards this to the nodes. Does nothing without an app role: the server then uses the login role.
 */
export async function letAppRoleLogIn(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select rolcanlogin from pg_roles where rolname = $1', [appRole])
  if (rows.length === 0 || rows[0].rolcanlogin) return
  try {
    await client.query(`alter role ${appRole} login`)
  } catch (error) {
    if (!isState(error, '42501')) throw error
    throw new Error(
      `The nodes of a cluster connect to each other as ${appRole}, which may not log in: ` +
        `have an administrator run "alter role ${appRole} login" on the coordinator.`,
    )
  }
}

async function readStanding(client: pg.Client): Promise<Standing> {
  const { rows } = await client.query<Standing>(
    `select me.rolname as user, me.rolsuper as is_superuser, me.rolbypassrls as bypasses_rls,
            me.rolcreaterole as may_create_roles, app.rolsuper or app.rolbypassrls as app_bypasses_rls
       from pg_roles me left join pg_roles app on app.rolname = $1
      where me.rolname = current_user`,
    [appRole],
  )
  return rows[0]!
}

async function canUseAppRole(client: pg.Client, standing: Standing): Promise<boolean> {
  const { is_superuser, may_create_roles, app_bypasses_rls } = standing
  const exists = app_bypasses_rls !== null
  if (!exists && !is_superuser && !may_create_roles) return false
  if (!exists) await createAppRole(client)
  if (await maySetAppRole(client)) return true
  return grantToSelf(client, standing.user)
}

async function createAppRole(client: pg.Client): Promise<void> {
  try {
    await client.query(`create role ${appRole} nologin nosuperuser nobypassrls nocreatedb nocreaterole`)
  } catch (error) {
    // Another server that starts at the same moment has created it.
    if (!isState(error, '42710', '23505')) throw error
  }
}

/** Since PostgreSQL 16, the creator of a role administers it, but may not use it without a grant. */
async function maySetAppRole(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int >= 160000 as knows_set`,
  )
  const privilege = rows[0].knows_set ? 'set' : 'member'
  const answer = await client.query('select pg_has_role($1, $2) as may', [appRole, privilege])
  return answer.rows[0].may
}

async function grantToSelf(client: pg.Client, user: string): Promise<boolean> {
  try {
    await client.query(`grant ${appRole} to ${client.escapeIdentifier(user)}`)
    return true
  } catch (error) {
    if (isState(error, '42501')) return false
    // Two servers grant at the same time. One grant is enough.
    if (isState(error, '23505', 'XX000') && (await maySetAppRole(client))) return true
    throw error
  }
}

function noticeOfAppRole({ user, is_superuser, bypasses_rls }: Standing): string {
  const might = is_superuser
    ? ' is a superuser'
    : bypasses_rls
      ? ' bypasses row-level security'
      : ' owns the tables'
  return `The database role ${user}${might}, so the server works as the app role ${appRole}.`
}

function isState(error: unknown, ...states: string[]): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && states.includes(error.code)
}
