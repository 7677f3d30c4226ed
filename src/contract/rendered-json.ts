declare const brand: unique symbol

/**
 * JSON as a binary string: each character is one byte of its UTF-8. Text that is stored as it is sent need not be decoded
 * and encoded.
 */
export type JsonBytes = string & { readonly [brand]: 'one character per byte' }

/** An ASCII piece, which is the same in both forms. */
export function asciiJson(piece: string): JsonBytes {
  return piece as JsonBytes
}

/** JSON text in the form of bytes. */
export function jsonBytes(json: string): JsonBytes {
  return Buffer.from(json).toString('latin1') as JsonBytes
}

export function parseJsonBytes(json: JsonBytes) {
  return JSON.parse(Buffer.from(json, 'latin1').toString())
}

/**
 * Data that is already JSON text: a fast path for records stored as text. The server adds the envelope. Tests check it
 * against the contract like any other response.
 */
export class RenderedJson {
  /** The whole response. Long pages are buffers outside the heap. */
  readonly response: JsonBytes | Buffer

  /** Takes pieces, so a long page is not joined to one string first. */
  constructor(...data: JsonBytes[]) {
    const [only = ''] = data
    if (data.length === 1 && only.length <= longText) this.response = `${head}${only}}` as JsonBytes
    else this.response = bytesOf([head, ...data, '}'])
  }

  /** In bytes. */
  get length(): number {
    return this.response.length
  }

  toString(): string {
    const { response } = this
    return (typeof response === 'string' ? Buffer.from(response, 'latin1') : response).toString()
  }
}

const head = '{"code":0,"msg":"success","data":'
const longText = 65_536

function bytesOf(pieces: string[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let written = 0
  for (const piece of pieces) written += bytes.write(piece, written, 'latin1')
  return bytes
}
