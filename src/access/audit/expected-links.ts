/** A link that a chain must have, since it was published as its head. */
export interface ExpectedLink {
  length: number
  head: string
  /** When it was published last. */
  at: string
}

/** A published head that the chain of today does not hold. */
export interface BrokenPromise {
  what: string
  expected: string
  found: string
}

/** The links that one chain must have; its links of today are held against them, in their order. */
export class ExpectedLinks {
  private readonly bySeq: Map<number, ExpectedLink[]>
  private readonly longest: ExpectedLink | undefined
  private isRewritten = false

  constructor(links: ExpectedLink[]) {
    this.bySeq = Map.groupBy(links, ({ length }) => length)
    this.longest = links.reduce<ExpectedLink | undefined>(
      (longest, link) => (longest && longest.length >= link.length ? longest : link),
      undefined,
    )
  }

  /** A link by all hashes that it may rightly have been published with. The first that differs tells of all behind it. */
  *compare(seq: number, hashes: string[]): Generator<BrokenPromise> {
    const wrong = this.isRewritten
      ? undefined
      : this.bySeq.get(seq)?.find(({ head }) => !hashes.includes(head))
    if (!wrong) return
    this.isRewritten = true
    yield {
      what: `the chain was rewritten after ${wrong.at}: link ${seq}`,
      expected: wrong.head,
      found: hashes[0]!,
    }
  }

  /** Called at the end of a chain of so many links. */
  *compareLength(length: number): Generator<BrokenPromise> {
    if (!this.longest || this.longest.length <= length) return
    yield {
      what: `links were removed after ${this.longest.at}: the length of the chain`,
      expected: `at least ${this.longest.length}`,
      found: String(length),
    }
  }
}
