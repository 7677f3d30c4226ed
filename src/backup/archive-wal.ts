import { appendFile, type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOf, syncFolder } from '../postgres/durable-files.ts'

export interface WalSource {
  /** pg_wal of the database. */
  folder: string
  timeline: number
  segmentBytes: number
}

/**
 * Adds the log between two positions to a backup. Every file has its full size from the start, with zeros after the end
 * of the log, so that PostgreSQL can read it at any moment.
 */
export async function archiveWal(
  { folder, timeline, segmentBytes }: WalSource,
  target: string,
  from: WalPosition,
  to: WalPosition,
): Promise<void> {
  for (let position = from; position < to; ) {
    const start = startOfSegment(position, segmentBytes)
    const next = start + BigInt(segmentBytes)
    const end = to < next ? to : next
    const name = segmentName(timeline, position, segmentBytes)
    await copyRange(join(folder, name), join(target, name), segmentBytes, {
      from: Number(position - start),
      to: Number(end - start),
    })
    if (end === next) await noteChecksum(target, name)
    position = end
  }
  await syncFolder(target)
}

async function copyRange(
  source: string,
  target: string,
  fileBytes: number,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const [input, output] = [await open(source, 'r'), await openOrMake(target)]
  try {
    await output.truncate(fileBytes)
    const buffer = Buffer.allocUnsafe(to - from)
    const { bytesRead } = await input.read(buffer, 0, buffer.length, from)
    if (bytesRead < buffer.length) throw new Error(`The log file ${source} is shorter than it should be.`)
    await output.write(buffer, 0, buffer.length, from)
    await output.sync()
  } finally {
    await input.close()
    await output.close()
  }
}

async function openOrMake(file: string): Promise<FileHandle> {
  return open(file, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return open(file, 'wx+', 0o600)
  })
}

/** In the format of `sha256sum`. A file that was completed twice has two equal lines. */
async function noteChecksum(target: string, name: string): Promise<void> {
  await appendFile(join(target, 'SHA256SUMS'), `${await hashOf(join(target, name))}  ${name}\n`, {
    mode: 0o600,
    flush: true,
  })
}

/** Checksums of the completed files. A truncated line is ignored. */
export async function readChecksums(target: string): Promise<Map<string, string>> {
  const text = await readFile(join(target, 'SHA256SUMS'), 'utf8').catch(() => '')
  const lines = text.matchAll(/^([0-9a-f]{64}) {2}([0-9A-F]{24})$/gm)
  return new Map([...lines].map(([, hash, name]) => [name!, hash!]))
}

/** A position in the write-ahead log, in bytes since the creation of the database. */
export type WalPosition = bigint

export function parsePosition(text: string): WalPosition {
  const [high, low] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

export function formatPosition(position: WalPosition): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffffffffn).toString(16)}`.toUpperCase()
}

export function startOfSegment(position: WalPosition, segmentBytes: number): WalPosition {
  return position - (position % BigInt(segmentBytes))
}

/** The name of the file that contains a position: timeline, then the segment number in two halves. */
function segmentName(timeline: number, position: WalPosition, segmentBytes: number): string {
  const segment = position / BigInt(segmentBytes)
  const perHalf = 0x1_0000_0000n / BigInt(segmentBytes)
  return [BigInt(timeline), segment / perHalf, segment % perHalf].map(eightDigits).join('')
}

function eightDigits(number: bigint): string {
  return number.toString(16).toUpperCase().padStart(8, '0')
}
