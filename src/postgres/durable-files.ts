import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Files that survive a power cut after the writing function has resolved. */

const CHUNK_BYTES = 1024 * 1024

export interface CopiedFile {
  bytes: number
  sha256: string
}

/** Copies the content at the time of reading. The target is new and private. */
export async function copyDurably(
  source: string,
  target: string,
  progress: (bytes: number) => void = () => {},
  durable = true,
): Promise<CopiedFile> {
  const from = await open(source, 'r')
  try {
    const to = await open(target, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      let bytes = 0
      for await (const chunk of chunksOf(from)) {
        hash.update(chunk)
        await to.write(chunk)
        bytes += chunk.length
        progress(chunk.length)
      }
      if (durable) await to.sync()
      return { bytes, sha256: hash.digest('hex') }
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

export async function hashOf(file: string): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const hash = createHash('sha256')
    for await (const chunk of chunksOf(handle)) hash.update(chunk)
    return hash.digest('hex')
  } finally {
    await handle.close()
  }
}

async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

/** Replaces a file atomically. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${file}.new`, file)
  await syncFolder(dirname(file))
}

export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Files that root creates get the owner of their folder, who must be able to change them later. */
export async function giveToOwnerOf(handle: FileHandle, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const owner = await stat(folder)
  await handle.chown(owner.uid, owner.gid)
}

/** Runs several tasks at once, because most of the time is spent waiting for the disk. */
export async function severalAtOnce<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]()
  const workThrough = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: 8 }, workThrough))
}
