import { join } from 'node:path'
import type pg from 'pg'
import { archiveWal } from './archive-wal.ts'
import { noteThrough, walFolder } from './backup-folder.ts'
import { advanceSlot, findSlot, findWalEnd, identify } from './backup-store.ts'
import type { ContinuedBackup } from './continued-backup.ts'
import { startOfSegment, type WalPosition } from './wal-position.ts'

/** Adds the log up to now to a backup, from `from` on or from where it is still held. Returns where it has come to. */
export async function continueBackup(
  client: pg.Client,
  dataDir: string,
  { folder, slot }: ContinuedBackup,
  from?: WalPosition,
): Promise<WalPosition> {
  const { timeline, segmentBytes } = await identify(client)
  const held = await findSlot(client, slot)
  if (held === undefined)
    throw new Error(
      `The backup ${folder} cannot be continued, because its log is missing. Take a new backup.`,
    )
  const end = await findWalEnd(client)
  const source = { folder: join(dataDir, 'postgres', 'pg_wal'), timeline, segmentBytes }
  await archiveWal(source, walFolder(folder), from ?? startOfSegment(held, segmentBytes), end.position)
  await noteThrough(folder, end.at)
  const done = startOfSegment(end.position, segmentBytes)
  if (done > held) await advanceSlot(client, slot, done)
  return end.position
}
