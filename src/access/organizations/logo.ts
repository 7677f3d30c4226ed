import { createHash } from 'node:crypto'
import type { Logo } from './issuer-store.ts'

export const maxLogoBytes = 204_800
const maxPixels = 4000

/** Reads a PNG or JPEG image. Returns the fault if it is none, or too large: a small file can unpack to a large image. */
export function readLogo(base64: string): Logo | string {
  const content = Buffer.from(base64, 'base64')
  if (content.length === 0 || content.toString('base64') !== base64) return 'must be Base64'
  if (content.length > maxLogoBytes) return `must have at most ${maxLogoBytes} bytes`
  const size = pngSize(content) ?? jpegSize(content)
  if (!size) return 'must be a PNG or JPEG image'
  if (size.width < 1 || size.height < 1 || size.width > maxPixels || size.height > maxPixels)
    return `must be at most ${maxPixels} pixels wide and high`
  return { logo_id: createHash('sha256').update(content).digest('hex'), type: size.type, content }
}

interface Size {
  type: Logo['type']
  width: number
  height: number
}

const pngStart = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

function pngSize(content: Buffer): Size | undefined {
  if (content.length < 33 || !content.subarray(0, pngStart.length).equals(pngStart)) return undefined
  return { type: 'image/png', width: content.readUInt32BE(16), height: content.readUInt32BE(20) }
}

/** Reads the segments up to the one with the size. */
function jpegSize(content: Buffer): Size | undefined {
  if (content.length < 4 || content.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= content.length; ) {
    if (content[at] !== 0xff) return undefined
    const marker = content[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame)
      return { type: 'image/jpeg', width: content.readUInt16BE(at + 7), height: content.readUInt16BE(at + 5) }
    at += 2 + content.readUInt16BE(at + 2)
  }
  return undefined
}
