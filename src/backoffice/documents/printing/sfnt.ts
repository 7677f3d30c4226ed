import { inflateSync } from 'node:zlib'

const headerBytes = { woff: 44, sfnt: 12 }
const entryBytes = { woff: 20, sfnt: 16 }

/** Unpacks a WOFF file, the form of fonts for browsers. The PDF library would unpack a table again for every glyph. */
export function sfntOf(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, index) => tableAt(woff, index))
  const power = Math.floor(Math.log2(count))
  const header = Buffer.alloc(headerBytes.sfnt + count * entryBytes.sfnt)
  woff.copy(header, 0, 4, 8)
  header.writeUInt16BE(count, 4)
  header.writeUInt16BE(2 ** power * 16, 6)
  header.writeUInt16BE(power, 8)
  header.writeUInt16BE((count - 2 ** power) * 16, 10)
  let offset = header.length
  const contents = tables.map(({ tag, checksum, content }, index) => {
    const entry = headerBytes.sfnt + index * entryBytes.sfnt
    tag.copy(header, entry)
    header.writeUInt32BE(checksum, entry + 4)
    header.writeUInt32BE(offset, entry + 8)
    header.writeUInt32BE(content.length, entry + 12)
    const padded = Buffer.alloc(Math.ceil(content.length / 4) * 4)
    content.copy(padded)
    offset += padded.length
    return padded
  })
  return Buffer.concat([header, ...contents])
}

function tableAt(woff: Buffer, index: number): { tag: Buffer; checksum: number; content: Buffer } {
  const entry = headerBytes.woff + index * entryBytes.woff
  const start = woff.readUInt32BE(entry + 4)
  const packed = woff.subarray(start, start + woff.readUInt32BE(entry + 8))
  const isPacked = packed.length < woff.readUInt32BE(entry + 12)
  return {
    tag: woff.subarray(entry, entry + 4),
    checksum: woff.readUInt32BE(entry + 16),
    content: isPacked ? inflateSync(packed) : packed,
  }
}
