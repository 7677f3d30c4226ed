import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lineOf, type PublishedHead } from '../../access/audit/published-head.ts'
import { syncFolder } from '../../postgres/durable-files.ts'

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
