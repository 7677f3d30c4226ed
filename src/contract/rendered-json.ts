/**
 * Data that is JSON text already: a fast path for reads whose records are kept as text. The server puts the envelope
 * around it and sends it as it is; tests hold it against the contract like any other answer.
 */
export class RenderedJson {
  /** The whole response: bytes, since a long page waits as such for a slow caller at half the size of a string. */
  readonly response: string | Buffer

  constructor(data: string) {
    const response = `{"code":0,"msg":"success","data":${data}}`
    this.response = response.length > longText ? Buffer.from(response) : response
  }
}

const longText = 65_536
