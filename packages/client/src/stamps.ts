const mostRemembered = 500

/** Time stamps of signatures: of equal calls, each has another second. The service accepts seconds of the last five minutes. */
export class Stamps {
  readonly #used = new Map<string, { first: number; last: number }>()

  next(call: string, now: number): number {
    const used = this.#used.get(call)
    if (!used) {
      if (this.#used.size >= mostRemembered) this.#used.clear()
      this.#used.set(call, { first: now, last: now })
      return now
    }
    if (now <= used.last) return --used.first
    used.last = now
    return now
  }
}
