import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'
import { lineOf, type PublishedHead, readLine } from '../../access/audit/published-head.ts'
import { PublishedHeads } from '../../access/audit/published-heads.ts'
import { listOrganizations } from '../../access/organizations/organization-store.ts'
import { newId } from '../../contract/new-id.ts'
import type { Database } from '../../database/database.ts'
import { startEpoch } from '../../events/feed-store.ts'
import { makePrivateFolder, syncFolder, writeDurably } from '../../postgres/durable-files.ts'
import { readContinued } from '../continued-backup.ts'
import { findAllHeads } from './head-store.ts'

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

/**
 * A file marks a restored data folder until a server has published the restore. Without the mark, chains that continue
 * from an earlier point would look manipulated.
 */
interface RestoredMarker {
  /** Absent where the restored schema was older than the version that restored it. */
  heads?: PublishedHead[] | undefined
}

/** Without heads: no entry may be linked before a server has read the ends of the chains. */
export async function noteRestored(dataDir: string, heads: PublishedHead[] | undefined): Promise<void> {
  const marker: RestoredMarker = { heads: heads && asRestored(heads) }
  await writeDurably(markerIn(dataDir), `${JSON.stringify(marker)}\n`)
}

/** The ends of all restored chains, at one instant. */
export function asRestored(heads: PublishedHead[]): PublishedHead[] {
  const { at } = heads.at(-1)!
  return heads.map((head) => ({ ...head, at, restored: true }))
}

/** The heads from which the chains of a restored database continue. */
export interface RestoredChains {
  heads: PublishedHead[]
  onPublished(): Promise<void>
}

/** Undefined where the data folder was not restored, or this is published. Called before anything more is linked. */
export async function findRestored(db: Database, dataDir: string): Promise<RestoredChains | undefined> {
  const marker = await readMarker(dataDir)
  if (!marker) return undefined
  if (!marker.heads) {
    // Before new events get numbers that others had: cursors from after the restored instant must not continue.
    for (const { corp_id } of await listOrganizations(db.shared))
      await startEpoch(db.of(corp_id), corp_id, newId())
    await noteRestored(dataDir, await findAllHeads(db))
  }
  return {
    heads: await restoredHeads(dataDir),
    onPublished: () => rm(markerIn(dataDir), { force: true }),
  }
}

/** The marker of a restored data folder whose restore is not published yet. */
export async function restoredHeads(dataDir: string): Promise<PublishedHead[]> {
  return (await readMarker(dataDir))?.heads ?? []
}

async function readMarker(dataDir: string): Promise<RestoredMarker | undefined> {
  const text = await readFile(markerIn(dataDir), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

function markerIn(dataDir: string): string {
  return join(dataDir, 'restored.json')
}

/** The file of heads next to a backup. */
export function headFileOf(backup: string): string {
  return join(backup, 'audit-heads.ndjson')
}

/** Appends lines to a file, and returns when they are on disk. */
export async function appendHeads(file: string, heads: PublishedHead[]): Promise<void> {
  const handle = await open(file, 'a+', 0o600)
  try {
    const broken = (await endsInALine(handle)) ? '' : '\n'
    await handle.appendFile(broken + heads.map(lineOf).join(''))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await syncFolder(dirname(file))
}

/** A crash may have truncated the last line. */
async function endsInALine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return true
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 0x0a
}

/**
 * Reads heads from files and folders: files of heads and logs of the server, folders of such files, backups and folders
 * of backups. A file or folder that is not there is an error.
 */
export async function readPublishedHeads(
  places: string[],
  /** Only heads that were published up to this instant. */
  until?: string,
): Promise<PublishedHeads> {
  const published = new PublishedHeads()
  for (const place of places)
    for (const file of await filesOf(place))
      for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
        const head = readLine(line)
        if (head && (until === undefined || head.at <= until)) published.add(place, head)
      }
  return published
}

async function filesOf(place: string): Promise<string[]> {
  const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${place} cannot be read (${error.code}). Name a file or folder of published heads.`)
  })
  if (!found.isDirectory()) return [place]
  const entries = await readdir(place, { withFileTypes: true })
  const inside = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map(({ name }) => headFilesIn(join(place, name))),
  )
  return [...(await headFilesIn(place)), ...inside.flat()]
}

async function headFilesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson')).sort()
  return names.map((name) => join(folder, name))
}
