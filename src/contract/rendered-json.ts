/**
 * Data that is JSON text already: a fast path for reads whose records are kept as text. The server puts the envelope
 * around it and sends it as it is; tests hold it against the contract like any other answer.
 */
export class RenderedJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
