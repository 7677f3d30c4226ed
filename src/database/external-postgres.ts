import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { isUnavailable } from './availability.ts'

const oldestVersion = 15
const retryMs = 250
/** Short attempts: a lost packet is sent again, and Ctrl-C works between attempts. */
const longestAttemptMs = 5000

/** Connects to the PostgreSQL of DATABASE_URL. Waits a limited time for it to accept connections. */
export async function reachExternalPostgres(
  connection: pg.ClientConfig,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<pg.Client> {
  const client = await connectWithoutTimeouts(connection, performance.now() + patienceMs, signal)
  try {
    await refuseOldVersion(client)
    await refuseOtherEncoding(client)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

async function connectWithoutTimeouts(
  connection: pg.ClientConfig,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<pg.Client> {
  for (;;) {
    signal?.throwIfAborted()
    const leftMs = Math.min(longestAttemptMs, Math.max(1, Math.ceil(deadline - performance.now())))
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: leftMs })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      const isLate = performance.now() + retryMs >= deadline
      if (isLate || !isUnavailable(error as Error)) throw explain(client, error as Error)
      await pause(retryMs)
    }
  }
}

/** The messages of pg may be empty or name no server. None may show the password. */
function explain(client: pg.Client, error: Error & { code?: string }): Error {
  const place = client.host.startsWith('/') ? client.host : `${client.host}:${client.port}`
  if (!isUnavailable(error)) {
    return new Error(
      `PostgreSQL at ${place}, named in DATABASE_URL, refuses the connection: ${error.message}.`,
    )
  }
  const reason = error.code ?? 'no answer'
  return new Error(`PostgreSQL at ${place}, named in DATABASE_URL, does not accept connections (${reason}).`)
}

async function refuseOldVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version') as name, current_setting('server_version_num')::int / 10000 as major`,
  )
  if (rows[0].major >= oldestVersion) return
  throw new Error(
    `Matricula needs PostgreSQL ${oldestVersion} or later, and DATABASE_URL names a ${rows[0].name}.`,
  )
}

/** Names are written in every script, so the database must store Unicode. */
async function refuseOtherEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_encoding') as name`)
  if (rows[0].name === 'UTF8') return
  throw new Error(
    `Matricula needs a database with the encoding UTF8, and the one that DATABASE_URL names has ${rows[0].name}.`,
  )
}
