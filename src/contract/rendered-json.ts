declare const brand: unique symbol

/**
 * JSON of which each character stands for one byte of its UTF-8: a binary string. What is stored as it is answered need
 * not be decoded when it is read, nor encoded again when it is sent.
 */
export type JsonBytes = string & { readonly [brand]: 'one character per byte' }

/** A piece of ASCII only, whose characters are their own bytes. */
export function asciiJson(piece: string): JsonBytes {
  return piece as JsonBytes
}

export function parseJsonBytes(json: JsonBytes) {
  return JSON.parse(Buffer.from(json, 'latin1').toString())
}

/**
 * Data that is JSON text already: a fast path for reads whose records are kept as text. The server puts the envelope
 * around it and sends it as it is; tests hold it against the contract like any other answer.
 */
export class RenderedJson {
  /** The whole response. A long page waits for a slow caller outside of the heap. */
  readonly response: JsonBytes | Buffer

  /** Takes the data in pieces, so that a long page need not be joined to a text before it becomes bytes. */
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
