import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PublishedHead } from '../../access/audit/published-head.ts'
import type { Database } from '../../database/database.ts'
import { writeDurably } from '../../postgres/durable-files.ts'
import { findAllHeads } from './head-store.ts'

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
  if (!marker.heads) await noteRestored(dataDir, await findAllHeads(db))
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
