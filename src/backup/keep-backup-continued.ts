import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { connectAsSuperuser } from '../postgres/superuser-connection.ts'
import { type ContinuedBackup, readContinued } from './continued-backup.ts'
import { continueBackup, type Reached } from './take-backup.ts'

interface Options {
  dataDir: string
  /** Folder of the socket of PostgreSQL. */
  host: string
  log: Logger
  /** Upper bound of the data loss if the disk of the data folder fails. */
  intervalMs: number
  signal: AbortSignal
}

/** Adds the log to the last backup while the server runs, and once more when it stops. */
export async function keepBackupContinued({
  dataDir,
  host,
  log,
  intervalMs,
  signal,
}: Options): Promise<void> {
  let client: pg.Client | undefined
  let reached: (Reached & { slot: string }) | undefined
  let lastFault: string | undefined

  async function addTo(backup: ContinuedBackup): Promise<void> {
    client ??= (await connectAsSuperuser(host))?.client
    if (!client) return
    const before = reached?.slot === backup.slot ? reached : undefined
    reached = { slot: backup.slot, ...(await continueBackup(client, dataDir, backup, before)) }
  }

  async function round(): Promise<void> {
    let backup: ContinuedBackup | undefined
    try {
      backup = await readContinued(dataDir)
      if (backup) await addTo(backup)
      if (lastFault !== undefined) log.info('the backup is continued again')
      lastFault = undefined
    } catch (error) {
      reached = undefined
      await client?.end().catch(() => undefined)
      client = undefined
      // A newer backup has replaced this one.
      if (backup && (await readContinued(dataDir).catch(() => backup))?.slot !== backup.slot) return
      const { message } = error as Error
      // A missing disk stays missing for more than a second: log the fault once.
      if (message !== lastFault) log.error({ fault: message }, 'the backup cannot be continued')
      lastFault = message
    }
  }

  while (!signal.aborted) {
    await round()
    await pause(intervalMs, undefined, { signal }).catch(() => undefined)
  }
  await round()
  await client?.end().catch(() => undefined)
}
