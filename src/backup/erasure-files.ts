import { dirname, join } from 'node:path'
import { listName } from '../changes/erasure/erasure-list.ts'
import { readContinued } from './continued-backup.ts'

/** The list of erasures of a data folder. A server compares it with its database at start-up. */
export function listOfDataFolder(dataDir: string): string {
  return join(dataDir, listName)
}

/** The list of erasures in a folder of backups. */
export function listOfBackups(backups: string): string {
  return join(backups, listName)
}

/** The lists that a server updates: in its data folder, and next to the backup that it continues. */
export async function erasureFiles(dataDir: string): Promise<string[]> {
  const continued = await readContinued(dataDir)
  return [listOfDataFolder(dataDir), ...(continued ? [listOfBackups(dirname(continued.folder))] : [])]
}
