import { join } from 'node:path'
import type { Logger } from 'pino'
import type { PublishedHead } from '../../access/audit/published-head.ts'
import { makePrivateFolder } from '../../postgres/durable-files.ts'
import { readContinued } from '../continued-backup.ts'
import { appendHeads, headFileOf } from './head-file.ts'

/** A place outside the database where heads are kept. */
export interface HeadDestination {
  /** Name for the log. It contains no secret. */
  name: string
  /** Resolves once the heads are kept there; where it rejects, they are sent again later. */
  publish(heads: PublishedHead[]): Promise<void>
}

/** Destinations of published heads, as configured by the operator. */
export type HeadTarget = { folder: string } | { address: URL }

interface Places {
  log: Logger
  /** The data folder of the embedded PostgreSQL, whose backups the server continues. */
  embeddedIn: string | undefined
  target: HeadTarget | undefined
}

export function destinationsOf({ log, embeddedIn, target }: Places): HeadDestination[] {
  return [
    logDestination(log),
    ...(embeddedIn === undefined ? [] : [backupDestination(embeddedIn)]),
    ...(target ? [destinationOf(target)] : []),
  ]
}

export function destinationOf(target: HeadTarget): HeadDestination {
  return 'folder' in target ? folderDestination(target.folder) : addressDestination(target.address)
}

/** One append-only file per day. */
function folderDestination(folder: string): HeadDestination {
  return {
    name: `the folder ${folder}`,
    async publish(heads) {
      await makePrivateFolder(folder)
      const day = new Date().toISOString().slice(0, 10)
      await appendHeads(join(folder, `audit-heads-${day}.ndjson`), heads)
    },
  }
}

const addressTimeoutMs = 5000

/** The operator's own address: it may be in a private network. Path and query may hold a secret, and are not logged. */
function addressDestination(address: URL): HeadDestination {
  return {
    name: `the address ${address.origin}`,
    async publish(heads) {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ heads }),
        redirect: 'error',
        signal: AbortSignal.timeout(addressTimeoutMs),
      }).catch((error: Error & { cause?: NodeJS.ErrnoException }) => {
        throw new Error(`The address does not answer (${error.cause?.code ?? error.name}).`)
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`The address answered with status ${response.status}.`)
    },
  }
}

function logDestination(log: Logger): HeadDestination {
  return {
    name: 'the log',
    async publish(heads) {
      for (const head of heads)
        log.info(head, head.restored ? 'restored: the chains continue from here' : 'head of the chains')
    },
  }
}

/** The backup that the server continues, if any. */
function backupDestination(dataDir: string): HeadDestination {
  return {
    name: 'the backup',
    async publish(heads) {
      const backup = await readContinued(dataDir)
      if (backup) await appendHeads(headFileOf(backup.folder), heads)
    },
  }
}
