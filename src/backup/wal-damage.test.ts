import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextSegmentName } from './archive-wal.ts'
import { findWalDamage } from './wal-damage.ts'

const segment_bytes = 0x100_0000
const [first, second, third, last] = [
  '0000000100000000000000FE',
  '0000000100000000000000FF',
  '000000010000000100000000',
  '000000010000000100000001',
] as const

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matricula-wal-'))
  await writeFile(join(folder, last), 'the log and more')
})
afterAll(() => rm(folder, { recursive: true }))

const sha256 = createHash('sha256').update('the log').digest('hex')
const end = { file: last, bytes: 7, sha256, segment_bytes }
const completed = { [first]: 'a', [second]: 'b', [third]: 'c' }
const damageOf = (hashes: object, checksums: object = completed, noted: typeof end | null = end) =>
  findWalDamage(
    folder,
    new Map(Object.entries(hashes)),
    new Map(Object.entries(checksums)),
    noted ?? undefined,
  )

test('file names continue across a carry in their middle part', () => {
  expect(nextSegmentName(first, segment_bytes)).toBe(second)
  expect(nextSegmentName(second, segment_bytes)).toBe(third)
})

test('a log with all its files is intact; bytes after the noted end are ignored', async () => {
  expect(await damageOf({ ...completed, [last]: 'anything' })).toBeUndefined()
})

test('the first file that is missing, differs or has no checksum is found', async () => {
  expect(await damageOf({ [first]: 'a', [third]: 'x', [last]: '' })).toEqual({
    file: second,
    reason: 'is missing',
  })
  expect(await damageOf({ ...completed, [third]: 'x', [last]: '' })).toEqual({
    file: third,
    reason: 'does not match its checksum',
  })
  expect(await damageOf({ ...completed, [last]: '' }, { [first]: 'a' })).toEqual({
    file: second,
    reason: 'has no checksum',
  })
})

test('the last growing file is compared up to its noted length', async () => {
  expect(await damageOf(completed)).toEqual({ file: last, reason: 'is missing' })
  const hashes = { ...completed, [last]: '' }
  const reason = 'does not match the checksum of its first 8 bytes'
  expect(await damageOf(hashes, completed, { ...end, bytes: 8 })).toEqual({ file: last, reason })
  expect(await damageOf(hashes, completed, { ...end, bytes: 800 })).toMatchObject({ file: last })
})

test('without a noted end, the existing files are compared', async () => {
  expect(await damageOf(completed, completed, null)).toBeUndefined()
  expect(await damageOf({ [first]: 'a' }, completed, null)).toMatchObject({ file: second })
})
