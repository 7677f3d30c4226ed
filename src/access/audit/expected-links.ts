/** A link that a chain must have, since it was published as its head. */
export interface ExpectedLink {
  length: number
  head: string
  /** The time of the last publication. */
  at: string
}

/** A published head that the current chain does not have. */
export interface MissingHead {
  what: string
  expected: string
  found: string
}

/** The links that a chain must have. Its current links are compared with them, in order. */
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

  /** The lengths at which links are expected, in a range. */
  seqsWithin(after: number, upTo: number): number[] {
    return [...this.bySeq.keys()]
      .filter((seq) => seq > after && seq <= upTo)
      .sort((one, other) => one - other)
  }

  /** Only the first link that differs is reported: all links after it differ too. */
  *compare(seq: number, hash: string): Generator<MissingHead> {
    const wrong = this.isRewritten ? undefined : this.bySeq.get(seq)?.find(({ head }) => head !== hash)
    if (!wrong) return
    this.isRewritten = true
    yield {
      what: `the chain was rewritten after ${wrong.at}: link ${seq}`,
      expected: wrong.head,
      found: hash,
    }
  }

  /** Called at the end of the chain, with its length. */
  *compareLength(length: number): Generator<MissingHead> {
    if (!this.longest || this.longest.length <= length) return
    yield {
      what: `links were removed after ${this.longest.at}: the length of the chain`,
      expected: `at least ${this.longest.length}`,
      found: String(length),
    }
  }
}

const batchSize = 1000

/** Compares expected links in a range with the stored ones. The links between them are not read. */
export async function* compareWithin(
  expected: ExpectedLinks,
  { after, upTo }: { after: number; upTo: number },
  read: (seqs: number[]) => Promise<{ seq: number; hash: string }[]>,
): AsyncGenerator<MissingHead> {
  const seqs = expected.seqsWithin(after, upTo)
  for (let at = 0; at < seqs.length; at += batchSize) {
    const batch = seqs.slice(at, at + batchSize)
    const stored = new Map((await read(batch)).map(({ seq, hash }) => [seq, hash]))
    for (const seq of batch) yield* expected.compare(seq, stored.get(seq) ?? 'no such link')
  }
}
