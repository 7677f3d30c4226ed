import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileRefused } from './row-source.ts'

const buckets = 64
const hashBytes = 16
const entryBytes = hashBytes + 6
const flushBytes = 65_536
const mostRepetitions = 100_000

/**
 * Finds keys that stand in a file more than once, without holding them in memory: fingerprints are spread over
 * temporary files, so that equal ones meet in the same small file.
 */
export class RepeatedKeys {
  private readonly pending: Buffer[][] = Array.from({ length: buckets }, () => [])
  private readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async make(): Promise<RepeatedKeys> {
    return new RepeatedKeys(await mkdtemp(join(tmpdir(), 'matricula-keys-')))
  }

  async add(key: string, row: number): Promise<void> {
    const hash = createHash('sha256').update(key).digest().subarray(0, hashBytes)
    const entry = Buffer.alloc(entryBytes)
    hash.copy(entry)
    entry.writeUIntLE(row, hashBytes, 6)
    const bucket = hash[0]! % buckets
    this.pending[bucket]!.push(entry)
    if (this.pending[bucket]!.length * entryBytes >= flushBytes) await this.flush(bucket)
  }

  /** Each row that repeats a key, with the row that has it first; the column is whose key it is. */
  async find(column: string): Promise<Map<number, number>> {
    const repetitions = new Map<number, number>()
    for (let bucket = 0; bucket < buckets; bucket++) {
      await this.flush(bucket)
      const bytes = await readFile(this.file(bucket)).catch(() => Buffer.alloc(0))
      const firsts = new Map<string, number>()
      for (let at = 0; at < bytes.length; at += entryBytes) {
        const hash = bytes.toString('latin1', at, at + hashBytes)
        const row = bytes.readUIntLE(at + hashBytes, 6)
        const first = firsts.get(hash)
        if (first === undefined) firsts.set(hash, row)
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
    const entries = this.pending[bucket]!.splice(0)
    if (entries.length > 0) await appendFile(this.file(bucket), Buffer.concat(entries), { mode: 0o600 })
  }

  private file(bucket: number): string {
    return join(this.folder, String(bucket))
  }
}
