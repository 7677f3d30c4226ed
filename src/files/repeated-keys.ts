import { hash } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileRefused } from './row-source.ts'

const buckets = 64
const hashBytes = 16
const entryBytes = hashBytes + 6
const entriesAtATime = 3000
const mostRepetitions = 100_000

/**
 * Finds keys that stand in a file more than once, without holding them in memory: fingerprints are spread over
 * temporary files, so that equal ones meet in the same small file.
 */
export class RepeatedKeys {
  /** What waits to be written, and how many bytes that makes. */
  private readonly pending = Array.from({ length: buckets }, () => ({
    bytes: Buffer.allocUnsafe(entriesAtATime * entryBytes),
    length: 0,
  }))
  private readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async make(): Promise<RepeatedKeys> {
    return new RepeatedKeys(await mkdtemp(join(tmpdir(), 'matricula-keys-')))
  }

  async add(key: string, row: number): Promise<void> {
    const digest = hash('sha256', key, 'buffer')
    const bucket = digest[0]! % buckets
    const pending = this.pending[bucket]!
    digest.copy(pending.bytes, pending.length, 0, hashBytes)
    pending.length = pending.bytes.writeUIntLE(row, pending.length + hashBytes, 6)
    if (pending.length === pending.bytes.length) await this.flush(bucket)
  }

  /** Each row that repeats a key, with the row that has it first; the column is whose key it is. */
  async find(column: string): Promise<Map<number, number>> {
    const repetitions = new Map<number, number>()
    for (let bucket = 0; bucket < buckets; bucket++) {
      await this.flush(bucket)
      const bytes = await readFile(this.file(bucket)).catch(() => Buffer.alloc(0))
      const firsts = new Map<string, number>()
      for (let at = 0; at < bytes.length; at += entryBytes) {
        const digest = bytes.toString('latin1', at, at + hashBytes)
        const row = bytes.readUIntLE(at + hashBytes, 6)
        const first = firsts.get(digest)
        if (first === undefined) firsts.set(digest, row)
        else repetitions.set(row, first)
      }
      if (repetitions.size > mostRepetitions)
        throw new FileRefused(`The rows repeat each other: ${column} does not tell them apart.`)
    }
    return repetitions
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }

  private async flush(bucket: number): Promise<void> {
    const pending = this.pending[bucket]!
    if (pending.length > 0)
      await appendFile(this.file(bucket), pending.bytes.subarray(0, pending.length), { mode: 0o600 })
    pending.length = 0
  }

  private file(bucket: number): string {
    return join(this.folder, String(bucket))
  }
}
