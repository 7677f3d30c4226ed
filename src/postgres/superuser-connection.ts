import pg from 'pg'
import { SOCKET_PORT } from './socket-folder.ts'

export interface SuperuserConnection {
  client: pg.Client
  closed: Promise<void>
}

/** Connects as the superuser; undefined means that nothing accepts connections (yet). */
export async function connectAsSuperuser(
  host: string,
  database = 'postgres',
): Promise<SuperuserConnection | undefined> {
  const client = new pg.Client({
    host,
    port: SOCKET_PORT,
    user: 'postgres',
    database,
    ssl: false,
    application_name: 'matricula keeper',
    connectionTimeoutMillis: 5_000,
  })
  const closed = new Promise<void>((resolve) => client.once('end', () => resolve()))
  // A lost connection is noticed by `closed`; without a listener it would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return { client, closed }
  } catch (error) {
    client.end().catch(() => undefined)
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code.startsWith('28')) throw new Error(refusalSentence(host), { cause: error })
    return undefined
  }
}

/** Whether nobody else is connected. */
export async function isAlone({ client }: SuperuserConnection): Promise<boolean> {
  const { rows } = await client.query(
    "select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1",
  )
  return rows.length === 0
}

function refusalSentence(host: string): string {
  return `The PostgreSQL running on ${host} was started by another user; run this as that user.`
}
