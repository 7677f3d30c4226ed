/**
 * Data that is JSON text already: a fast path for reads whose records are kept as text. The server puts the envelope
 * around it and sends it as it is; tests hold it against the contract like any other answer.
 */
export class RenderedJson {
  /** The whole response: bytes, since a long page waits as such for a slow caller at half the size of a string. */
  readonly response: string | Buffer

  /** Takes the data in pieces, so that a long page need not be joined to a text before it becomes bytes. */
  constructor(...data: string[]) {
    const [only = ''] = data
    if (data.length === 1 && only.length <= longText) this.response = `${head}${only}}`
    else this.response = bytesOf([head, ...data, '}'])
  }
}

const head = '{"code":0,"msg":"success","data":'
const longText = 65_536

function bytesOf(pieces: string[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
  let written = 0
  for (const piece of pieces) written += bytes.write(piece, written)
  return bytes
}
