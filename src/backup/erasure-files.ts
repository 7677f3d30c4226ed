import { dirname, join } from 'node:path'
import { listName } from '../changes/erasure/erasure-list.ts'
import { readContinued } from './continued-backup.ts'

/** The list of erasures of a data folder, which a server compares with its database when it starts. */
export function listOfDataFolder(dataDir: string): string {
  return join(dataDir, listName)
}

/** The list beside the backups of a folder. */
export function listOfBackups(backups: string): string {
  return join(backups, listName)
}

/** Where a server keeps the list: in its data folder, and beside the backup that it continues. */
export async function erasureFiles(dataDir: string): Promise<string[]> {
  const continued = await readContinued(dataDir)
  return [listOfDataFolder(dataDir), ...(continued ? [listOfBackups(dirname(continued.folder))] : [])]
}
