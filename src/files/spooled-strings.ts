import { readSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const pageBytes = 65_536
const keptPages = 64
const entryBytes = 8

/**
 * Strings by number, in a temporary file; memory holds a few pages. Rows use strings in about the order in which they
 * were added, so most pages are in memory.
 */
export class SpooledStrings {
  private readonly pages = new Map<string, Buffer>()
  private readonly pending: { texts: Buffer[]; ends: Buffer[]; bytes: number } = {
    texts: [],
    ends: [],
    bytes: 0,
  }
  private end = 0
  count = 0
  private readonly folder: string
  private readonly texts: FileHandle
  private readonly ends: FileHandle

  private constructor(folder: string, texts: FileHandle, ends: FileHandle) {
    this.folder = folder
    this.texts = texts
    this.ends = ends
  }

  static async make(): Promise<SpooledStrings> {
    const folder = await mkdtemp(join(tmpdir(), 'matricula-strings-'))
    return new SpooledStrings(
      folder,
      await open(join(folder, 'texts'), 'wx+', 0o600),
      await open(join(folder, 'ends'), 'wx+', 0o600),
    )
  }

  add(text: string): void {
    const bytes = Buffer.from(text)
    this.end += bytes.length
    this.count++
    const entry = Buffer.alloc(entryBytes)
    entry.writeBigUInt64LE(BigInt(this.end))
    this.pending.texts.push(bytes)
    this.pending.ends.push(entry)
    this.pending.bytes += bytes.length + entryBytes
  }

  /** Writes added strings. Call it regularly, and at the end. */
  async flush(atLeast = 0): Promise<void> {
    if (this.pending.bytes < atLeast) return
    const { texts, ends } = this.pending
    Object.assign(this.pending, { texts: [], ends: [], bytes: 0 })
    await this.texts.appendFile(Buffer.concat(texts))
    await this.ends.appendFile(Buffer.concat(ends))
  }

  get(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return undefined
    const from = index === 0 ? 0 : this.endOf(index - 1)
    return this.read(this.texts, from, this.endOf(index) - from).toString('utf8')
  }

  async close(): Promise<void> {
    await Promise.all([this.texts.close(), this.ends.close()])
    await rm(this.folder, { recursive: true, force: true })
  }

  private endOf(index: number): number {
    return Number(this.read(this.ends, index * entryBytes, entryBytes).readBigUInt64LE())
  }

  private read(file: FileHandle, from: number, length: number): Buffer {
    const first = Math.floor(from / pageBytes)
    const last = Math.floor((from + Math.max(0, length - 1)) / pageBytes)
    const pages = []
    for (let page = first; page <= last; page++) pages.push(this.page(file, page))
    const bytes = pages.length === 1 ? pages[0]! : Buffer.concat(pages)
    return bytes.subarray(from - first * pageBytes, from - first * pageBytes + length)
  }

  private page(file: FileHandle, page: number): Buffer {
    const key = `${file.fd}:${page}`
    let bytes = this.pages.get(key)
    if (bytes) {
      this.pages.delete(key)
    } else {
      bytes = Buffer.alloc(pageBytes)
      bytes = bytes.subarray(0, readSync(file.fd, bytes, 0, pageBytes, page * pageBytes))
      if (this.pages.size >= keptPages) this.pages.delete(this.pages.keys().next().value!)
    }
    this.pages.set(key, bytes)
    return bytes
  }
}

/** A folder for temporary files, which is always removed at the end. */
export async function inTemporaryFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `matricula-${name}-`))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
