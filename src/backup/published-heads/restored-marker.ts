import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PublishedHead } from '../../access/audit/published-head.ts'
import type { Database } from '../../database/database.ts'
import { writeDurably } from '../../postgres/durable-files.ts'
import { findAllHeads } from './head-store.ts'

/**
 * A restored data folder says so in a file, until a server that works on it has published it: chains that go on from an
 * earlier point would look rewritten.
 */
interface RestoredMarker {
  /** Absent where the restored schema was older than the version that restored it. */
  heads?: PublishedHead[] | undefined
}

/** Without heads, nothing may be linked before a server reads them. */
export async function noteRestored(dataDir: string, heads: PublishedHead[] | undefined): Promise<void> {
  const marker: RestoredMarker = { heads: heads && asRestored(heads) }
  await writeDurably(markerIn(dataDir), `${JSON.stringify(marker)}\n`)
}

/** The chains as they were restored, all at one instant. */
export function asRestored(heads: PublishedHead[]): PublishedHead[] {
  const { at } = heads.at(-1)!
  return heads.map((head) => ({ ...head, at, restored: true }))
}

/** Where the chains of a restored database begin again. */
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

/** Of a data folder that was restored, while this is not published yet. */
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
