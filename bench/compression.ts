import { readFile } from 'node:fs/promises'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { printRows } from './report.ts'

/** node bench/compression.ts RESPONSE.json: size and processor time of each way to compress a stored response. */
const [file] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('Usage: node bench/compression.ts RESPONSE.json\n')
  process.exit(2)
}
const whole = await readFile(file)

const zstd = (level: number) => (bytes: Buffer) =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } })
const gzip = (level: number) => (bytes: Buffer) => gzipSync(bytes, { level })
const ways = [
  ...[1, 3, 6].map((level) => ({ name: `zstd ${level}`, compress: zstd(level) })),
  ...[1, 4, 6, 9].map((level) => ({ name: `gzip ${level}`, compress: gzip(level) })),
]

const parts = [2048, 4096, 16_384, whole.length].filter((bytes) => bytes <= whole.length)
const rows = parts.flatMap((bytes) => {
  const part = whole.subarray(0, bytes)
  return ways.map(({ name, compress }) => {
    const count = Math.max(5, Math.round(20_000_000 / bytes / 10))
    for (let n = 0; n < count; n++) compress(part)
    const beganMs = performance.now()
    for (let n = 0; n < count; n++) compress(part)
    const ms = (performance.now() - beganMs) / count
    const length = compress(part).length
    return [`${bytes}`, name, `${length}`, (bytes / length).toFixed(1), ms.toFixed(3)]
  })
})
printRows([['bytes', 'way', 'compressed', 'ratio', 'ms'], ...rows])
