import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../postgres/durable-files.ts'
import { nothingIfGone } from './backup-folder.ts'

/** The backup that receives the log of a data folder. A file in the data folder names it. */
export interface ContinuedBackup {
  folder: string
  /** Replication slot that makes PostgreSQL keep log that is not in the backup yet. */
  slot: string
}

export async function readContinued(dataDir: string): Promise<ContinuedBackup | undefined> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(nothingIfGone(undefined))
  return text === undefined ? undefined : JSON.parse(text)
}

export async function noteContinued(dataDir: string, continued: ContinuedBackup | undefined): Promise<void> {
  if (continued) await writeDurably(fileIn(dataDir), `${JSON.stringify(continued, null, 2)}\n`)
  else await rm(fileIn(dataDir), { force: true })
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'backup.json')
}
