import { hash } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileRefused, type RowSource, type SourceRow } from './row-source.ts'

const buckets = 64
const hashBytes = 16
const entryBytes = hashBytes + 6
const entriesAtATime = 3000
const mostRepetitions = 100_000

/**
 * Finds repeated keys of a file without holding them in memory: equal hashes are written to the same temporary file.
 */
class RepeatedKeys {
  /** Bytes to be written. */
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

  /** The rows that repeat a key, with the first row that has it. The column is for the message. */
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
        throw new FileRefused(`Too many rows repeat the same ${column}.`)
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

/** The findings of a first pass over a file. */
export interface Survey<Name extends string> {
  rows: number
  /** The first repeated key of the row, and the earlier row that has it. */
  repetitionOf(row: number): { column: Name; first: number } | undefined
}

/** The unique keys of a row, by column. "" is no key. */
export type RowKeys<Name extends string> = (row: SourceRow) => Record<Name, string>

/**
 * Reads the whole file before anything is done. Finds faults of the file, and rows that repeat a key of an earlier
 * row.
 */
export async function surveyRows<Name extends string>(
  source: RowSource,
  columns: Name[],
  keysOf: RowKeys<Name>,
): Promise<Survey<Name>> {
  const seen = await Promise.all(columns.map(async (column) => ({ column, keys: await RepeatedKeys.make() })))
  try {
    let rows = 0
    for await (const row of source.rows()) {
      rows++
      const keysOfRow = keysOf(row)
      for (const { column, keys } of seen)
        if (keysOfRow[column] !== '') await keys.add(keysOfRow[column], row.row)
    }
    const repeated: [Name, Map<number, number>][] = []
    for (const { column, keys } of seen) repeated.push([column, await keys.find(column)])
    return {
      rows,
      repetitionOf(row) {
        for (const [column, repetitions] of repeated) {
          const first = repetitions.get(row)
          if (first !== undefined) return { column, first }
        }
        return undefined
      },
    }
  } finally {
    await Promise.all(seen.map(({ keys }) => keys.close()))
  }
}
