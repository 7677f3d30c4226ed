import type pg from 'pg'
import { appRole } from '../database/migrate.ts'
import { connectAsSuperuser } from './superuser-connection.ts'

export const OWNER_ROLE = 'matricula_owner'
export const DATABASE = 'matricula'

const SETUP_LOCK = 7_281_940_114

/** Creates missing roles and corrects different ones, so that the next start completes an interrupted set-up. */
export async function createMatriculaRoles(superuser: pg.Client, host: string): Promise<void> {
  // Concurrent grants by two processes would make one of them fail.
  await superuser.query('select pg_advisory_lock($1)', [SETUP_LOCK])
  try {
    for (const role of [OWNER_ROLE, appRole]) await createRole(superuser, role)
    await createDatabase(superuser)
    await restrictSchema(host)
  } finally {
    await superuser.query('select pg_advisory_unlock($1)', [SETUP_LOCK])
  }
}

async function createRole(superuser: pg.Client, role: string): Promise<void> {
  const { rowCount } = await superuser.query('select from pg_roles where rolname = $1', [role])
  if (!rowCount) await superuser.query(`create role ${role}`)
  await superuser.query(
    `alter role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls`,
  )
}

async function createDatabase(superuser: pg.Client): Promise<void> {
  const { rowCount } = await superuser.query('select from pg_database where datname = $1', [DATABASE])
  if (!rowCount) await superuser.query(`create database ${DATABASE} owner ${OWNER_ROLE}`)
  await superuser.query(`alter database ${DATABASE} owner to ${OWNER_ROLE}`)
  // The server's lock lives in the database postgres, where the application's role must not be able to take it.
  await superuser.query(`revoke connect on database ${DATABASE}, postgres, template1 from public`)
  await superuser.query(`grant connect on database ${DATABASE} to ${OWNER_ROLE}, ${appRole}`)
}

async function restrictSchema(host: string): Promise<void> {
  const connection = await connectAsSuperuser(host, DATABASE)
  if (!connection) throw new Error(`PostgreSQL on ${host} stopped accepting connections while it was set up.`)
  try {
    await connection.client.query(`revoke create on schema public from public, ${appRole}`)
  } finally {
    await connection.client.end()
  }
}
