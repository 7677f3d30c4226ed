import { join } from 'node:path'
import { type ArchivedWal, hashOfStart, nextSegmentName } from './archive-wal.ts'

/** The first log file of a backup that is not intact. The log is valid only up to it. */
export interface WalDamage {
  file: string
  /** Reads after the name of the file. */
  reason: string
}

/**
 * Finds the first log file that is missing or differs from its checksum. `hashes` are those of the files in `folder`,
 * `checksums` those of the completed files. `end` is the file that grew last; undefined: the end of the log is unknown.
 */
export async function findWalDamage(
  folder: string,
  hashes: Map<string, string>,
  checksums: Map<string, string>,
  end: ArchivedWal | undefined,
): Promise<WalDamage | undefined> {
  for (const file of expectedFiles(hashes, checksums, end)) {
    const reason =
      file === end?.file
        ? await faultOfLast(folder, hashes, end)
        : faultOfCompleted(hashes.get(file), checksums.get(file), end !== undefined && file < end.file)
    if (reason !== undefined) return { file, reason }
  }
  return undefined
}

/** In order. With a known end, every file up to it, whether or not it is there. */
function expectedFiles(
  hashes: Map<string, string>,
  checksums: Map<string, string>,
  end: ArchivedWal | undefined,
): string[] {
  const named = [...new Set([...hashes.keys(), ...checksums.keys()])].sort()
  if (!end) return named
  const files: string[] = []
  for (let file = named[0] ?? end.file; file <= end.file; file = nextSegmentName(file, end.segment_bytes))
    files.push(file)
  return [...files, ...named.filter((file) => file > end.file)]
}

function faultOfCompleted(
  hash: string | undefined,
  checksum: string | undefined,
  isRequired: boolean,
): string | undefined {
  if (hash === undefined) return 'is missing'
  if (checksum === undefined) return isRequired ? 'has no checksum' : undefined
  return hash === checksum ? undefined : 'does not match its checksum'
}

async function faultOfLast(
  folder: string,
  hashes: Map<string, string>,
  { file, bytes, sha256 }: ArchivedWal,
): Promise<string | undefined> {
  if (bytes === 0) return undefined
  if (!hashes.has(file)) return 'is missing'
  const hash = (await hashOfStart(join(folder, file), bytes))?.digest('hex')
  return hash === sha256 ? undefined : `does not match the checksum of its first ${bytes} bytes`
}
