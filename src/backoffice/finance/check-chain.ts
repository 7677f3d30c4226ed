import { compareWithin, type ExpectedLinks } from '../../access/audit/expected-links.ts'
import type { Queryable } from '../../database/database.ts'
import { type ChainEnd, linkHash } from '../../orders/ledger/chain/chain-store.ts'
import { type FoundLink, linkHashesOf, linksAfter } from './check-chain-store.ts'
import type { Breach } from './check-store.ts'

const batchSize = 1000

/** The start of a check, and the heads that the chain must have. */
interface ChainRange {
  end: ChainEnd
  /** The first link that is followed comes after this one. */
  start: ChainEnd
  /** An earlier head, without its length. */
  noted: string | undefined
  expected: ExpectedLinks
}

/** Reports the number of links followed. */
export type ChainProgress = (done: number, total: number) => void

/**
 * Follows the chain of an organization from its first link, or from a verified one, and yields links that do not follow from
 * the versions and the previous link. A head that was stored elsewhere must be the hash of some link. A published head must be the hash of
 * the link at its length.
 */
export async function* findBrokenLinks(
  tx: Queryable,
  corp_id: string,
  { end, start, noted, expected }: ChainRange,
  progress: ChainProgress,
): AsyncGenerator<Omit<Breach, 'total'>> {
  const whole = { order_id: null, subject: null }
  let last: Pick<FoundLink, 'seq' | 'hash'> = { seq: start.length, hash: start.head }
  let done = last.seq
  let isNotedFound = noted === undefined
  const readHashes = (seqs: number[]) => linkHashesOf(tx, corp_id, seqs)
  for await (const { what, ...broken } of compareWithin(expected, { after: 0, upTo: done }, readHashes))
    yield { ...whole, what: `chain: ${what}`, ...broken }
  progress(done, end.length)
  for (;;) {
    const links = await linksAfter(tx, corp_id, { after: last.seq, limit: batchSize })
    if (links.length === 0) break
    for (const link of links) {
      yield* breachesOfLink(last, link)
      isNotedFound ||= link.hash === noted
      for (const { what, ...broken } of expected.compare(link.seq, link.hash))
        yield { order_id: link.order_id, subject: `link ${link.seq}`, what: `chain: ${what}`, ...broken }
      last = link
      done++
    }
    progress(done, end.length)
  }
  if (done !== end.length)
    yield { ...whole, what: 'chain: its length', expected: String(end.length), found: String(done) }
  if (last.hash !== end.head)
    yield { ...whole, what: 'chain: its head', expected: end.head, found: last.hash }
  if (!isNotedFound)
    yield { ...whole, what: 'chain: holds the head that was noted', expected: noted!, found: 'no such link' }
  for (const { what, ...broken } of expected.compareLength(done))
    yield { ...whole, what: `chain: ${what}`, ...broken }
}

function* breachesOfLink(
  before: Pick<FoundLink, 'seq' | 'hash'>,
  link: FoundLink,
): Generator<Omit<Breach, 'total'>> {
  const { order_id, version, content_hash, content_now, is_at_right } = link
  const about = { order_id, subject: `link ${link.seq}` }
  const expected = {
    'chain: one link behind the other': [String(before.seq + 1), String(link.seq)],
    [`chain: the content of version ${version}`]: [content_hash, content_now ?? 'no such version'],
    'chain: the hash of the link before and the content': [linkHash(before.hash, content_hash), link.hash],
    'chain: the instant of the version': ['the same', is_at_right ? 'the same' : 'another'],
  }
  for (const [what, [should, is]] of Object.entries(expected))
    if (should !== is) yield { ...about, what, expected: should!, found: is! }
}
