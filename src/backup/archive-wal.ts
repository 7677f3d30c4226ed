import { createHash, type Hash } from 'node:crypto'
import { appendFile, type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../postgres/durable-files.ts'

export interface WalSource {
  /** pg_wal of the database. */
  folder: string
  timeline: number
  segmentBytes: number
}

/** The end of the log of a backup: the growing file, its current length, and the checksum of that part. */
export interface ArchivedWal {
  file: string
  bytes: number
  sha256: string
  segment_bytes: number
}

/** The growing file, with the hash of its current content. */
export interface WalTail {
  name: string
  bytes: number
  hash: Hash
}

/**
 * Adds the log between two positions to a backup. Every file has its full size from the start, with zeros after the end
 * of the log, so that PostgreSQL can read it at any moment. `before` is the tail that the last call has returned.
 */
export async function archiveWal(
  { folder, timeline, segmentBytes }: WalSource,
  target: string,
  from: WalPosition,
  to: WalPosition,
  before?: WalTail,
): Promise<WalTail> {
  let tail = before
  for (let position = from; position < to; ) {
    const start = startOfSegment(position, segmentBytes)
    const next = start + BigInt(segmentBytes)
    const end = to < next ? to : next
    const name = segmentName(timeline, position, segmentBytes)
    const range = { from: Number(position - start), to: Number(end - start) }
    if (tail?.name !== name || tail.bytes !== range.from) tail = await readTail(target, name, range.from)
    const copied = await copyRange(join(folder, name), join(target, name), segmentBytes, range)
    tail.hash.update(copied)
    tail.bytes = range.to
    if (end === next) await noteChecksum(target, tail)
    position = end
  }
  await syncFolder(target)
  const name = segmentName(timeline, to, segmentBytes)
  return tail?.name === name ? tail : readTail(target, name, Number(to - startOfSegment(to, segmentBytes)))
}

export function describeTail({ name, bytes, hash }: WalTail, segment_bytes: number): ArchivedWal {
  return { file: name, bytes, sha256: hash.copy().digest('hex'), segment_bytes }
}

async function readTail(target: string, name: string, bytes: number): Promise<WalTail> {
  const hash = await hashOfStart(join(target, name), bytes)
  if (!hash) throw new Error(`The log file ${join(target, name)} is shorter than it should be.`)
  return { name, bytes, hash }
}

/** The hash of the first bytes of a file; undefined where it has fewer. */
export async function hashOfStart(file: string, bytes: number): Promise<Hash | undefined> {
  const hash = createHash('sha256')
  if (bytes === 0) return hash
  const handle = await open(file, 'r')
  try {
    const buffer = Buffer.allocUnsafe(bytes)
    const { bytesRead } = await handle.read(buffer, 0, bytes, 0)
    return bytesRead === bytes ? hash.update(buffer) : undefined
  } finally {
    await handle.close()
  }
}

async function copyRange(
  source: string,
  target: string,
  fileBytes: number,
  { from, to }: { from: number; to: number },
): Promise<Buffer> {
  const [input, output] = [await open(source, 'r'), await openOrMake(target)]
  try {
    await output.truncate(fileBytes)
    const buffer = Buffer.allocUnsafe(to - from)
    const { bytesRead } = await input.read(buffer, 0, buffer.length, from)
    if (bytesRead < buffer.length) throw new Error(`The log file ${source} is shorter than it should be.`)
    await output.write(buffer, 0, buffer.length, from)
    await output.sync()
    return buffer
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
async function noteChecksum(target: string, { name, hash }: WalTail): Promise<void> {
  await appendFile(join(target, 'SHA256SUMS'), `${hash.copy().digest('hex')}  ${name}\n`, {
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
  return nameOf(BigInt(timeline), position / BigInt(segmentBytes), segmentBytes)
}

/** The name of the file after another one of the same timeline. */
export function nextSegmentName(name: string, segmentBytes: number): string {
  const [timeline, high, low] = [0, 8, 16].map((start) => BigInt(`0x${name.slice(start, start + 8)}`))
  return nameOf(timeline!, high! * segmentsPerHalf(segmentBytes) + low! + 1n, segmentBytes)
}

function nameOf(timeline: bigint, segment: bigint, segmentBytes: number): string {
  const perHalf = segmentsPerHalf(segmentBytes)
  return [timeline, segment / perHalf, segment % perHalf].map(eightDigits).join('')
}

function segmentsPerHalf(segmentBytes: number): bigint {
  return 0x1_0000_0000n / BigInt(segmentBytes)
}

function eightDigits(number: bigint): string {
  return number.toString(16).toUpperCase().padStart(8, '0')
}
