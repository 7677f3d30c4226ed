import type { Database, Queryable } from '../../database/database.ts'
import { pages } from '../../database/pages.ts'
import { findDeleted } from '../organizations/deletion-store.ts'
import { knownOrganizations } from '../organizations/organization-store.ts'
import { type ArchivedEnd, findArchivedEnd } from './archives.ts'
import {
  type AuditEnd,
  auditHashesOf,
  auditLinkHash,
  auditLinksAfter,
  countWaitingEntries,
  type FoundAuditLink,
  findEnd,
  findStrayEntries,
} from './audit-chain-store.ts'
import { compareWithin, type ExpectedLinks } from './expected-links.ts'
import { linkEntries, ofNoOrganization } from './link-entries.ts'
import { PublishedHeads } from './published-heads.ts'
import {
  type CheckedFrom,
  type CheckRange,
  checkedFrom,
  keepVerified,
  type RangeStart,
  startOfRange,
} from './verified-heads.ts'

export interface AuditBreach {
  corp_id: string
  entry_id: string | null
  what: string
  expected: string
  found: string
}

export interface AuditReport {
  organizations: number
  /** Number of entries that were checked. */
  entries: number
  /** Number of breaches; `breaches` has the first ones. */
  total: number
  breaches: AuditBreach[]
  /** To be stored elsewhere and compared later. Entries that are not linked yet are not checked. */
  chains: (AuditEnd & CheckedFrom & { corp_id: string; unlinked: number; archived: number })[]
}

const maxShown = 100
const batchSize = 1000

interface VerifyOptions {
  /** An earlier head of one organization's chain, without its length. */
  head?: string | undefined
  /** Heads that were published outside the database. */
  published?: PublishedHeads
  /** Undefined: everything, and nothing is noted. */
  range?: CheckRange
}

/**
 * Verifies that the audit entries are unchanged and in the order of their links, for one organization or for all chains.
 * Waiting entries are linked first. A head that was noted elsewhere must be the hash of a link; a published head, the hash
 * of the link at its length.
 */
export async function verifyAudit(
  db: Database,
  corpId?: string,
  { head: noted, published = new PublishedHeads(), range }: VerifyOptions = {},
): Promise<AuditReport> {
  const organizations = await knownOrganizations(db.shared, corpId)
  const corpIds = organizations.map(({ corp_id }) => corp_id)
  if (corpId === undefined) corpIds.unshift(ofNoOrganization)
  const report: AuditReport = {
    organizations: corpIds.length,
    entries: 0,
    total: 0,
    breaches: [],
    chains: [],
  }
  const note = (corp_id: string, breach: Breach) => {
    report.total++
    if (report.breaches.length < maxShown) report.breaches.push({ corp_id, ...breach })
  }
  for (const corp_id of corpIds) {
    await linkEntries(db, corp_id)
    const before = report.total
    const { end, from } = await db.of(corp_id).snapshot(async (tx) => {
      const end = await findEnd(tx, corp_id)
      const base = await findArchivedEnd(tx, corp_id, range?.keyring)
      const from = await startOfRange(tx, corp_id, 'audit', range, { end, base })
      const known = { noted, expected: published.linksOf('audit', corp_id, from.noted) }
      for await (const breach of findBreaches(tx, corp_id, { end, base, from }, known)) note(corp_id, breach)
      const since = checkedFrom(from, range)
      report.entries += Math.max(0, end.length - since.from)
      const unlinked = await countWaitingEntries(tx, corp_id)
      report.chains.push({ corp_id, ...end, ...since, unlinked, archived: base.length })
      return { end, from }
    })
    if (report.total === before) await keepVerified(range, corp_id, 'audit', from, end)
  }
  if (corpId === undefined) {
    // The chain of a deleted organization ends with its certificate.
    const missing = published.corpIds().filter((each) => !corpIds.includes(each))
    const deleted = await findDeleted(db.shared, missing)
    for (const corp_id of missing.filter((each) => !deleted.includes(each)))
      for (const breach of published.linksOf('audit', corp_id).compareLength(0))
        note(corp_id, { entry_id: null, ...breach })
  }
  return report
}

type Breach = Omit<AuditBreach, 'corp_id'>

interface ChainRange {
  end: AuditEnd
  base: ArchivedEnd
  from: RangeStart
}

function noSuchLink({ length }: ArchivedEnd): string {
  return length === 0 ? 'no such link' : `no such link after the ${length} that are archived`
}

/** Heads from outside the chain, which it must have. */
interface KnownHeads {
  noted: string | undefined
  expected: ExpectedLinks
}

async function* findBreaches(
  tx: Queryable,
  corp_id: string,
  { end, base, from: { start, isFull, noted: verified } }: ChainRange,
  { noted, expected }: KnownHeads,
): AsyncGenerator<Breach> {
  const whole = { entry_id: null }
  let last = { seq: start.length, hash: start.head }
  let length = last.seq
  let isNotedFound = base.length > 0 && base.head === noted
  if (base.isProven === false)
    yield { ...whole, what: 'the note of an archive', expected: 'sealed by this installation', found: 'not' }
  for (const broken of expected.compare(base.length, base.head)) yield { ...whole, ...broken }
  const readHashes = (seqs: number[]) => auditHashesOf(tx, corp_id, seqs)
  for await (const broken of compareWithin(expected, { after: base.length, upTo: length }, readHashes))
    yield { ...whole, ...broken }
  const read = (after: number) => auditLinksAfter(tx, corp_id, { after, limit: batchSize })
  for await (const links of pages(length, read, ({ seq }) => seq))
    for (const link of links) {
      yield* breachesOf(last, link, expected)
      isNotedFound ||= link.hash === noted
      last = link
      length++
    }
  if (length !== end.length)
    yield { ...whole, what: 'the length of the chain', expected: String(end.length), found: String(length) }
  if (last.hash !== end.head)
    yield { ...whole, what: 'the head of the chain', expected: end.head, found: last.hash }
  if (noted !== undefined && !isNotedFound)
    yield { ...whole, what: 'the head that was noted', expected: noted, found: noSuchLink(base) }
  for (const broken of expected.compareLength(length)) yield { ...whole, ...broken }
  const strays = { fromId: isFull ? '' : idsSince(verified?.verified_at), limit: maxShown }
  for (const { entry_id, fault } of await findStrayEntries(tx, corp_id, strays))
    yield { entry_id, what: 'the place of the entry', expected: 'linked or waiting', found: fault }
}

const hourMs = 3_600_000

/** Where ids of entries since an instant begin. Clocks of servers may differ. */
function idsSince(instant: string | undefined): string {
  const sinceMs = instant === undefined ? Date.now() : Date.parse(instant)
  return (sinceMs - hourMs).toString(16).padStart(12, '0')
}

/** The faults of a link, in itself and after the previous one. */
export function* breachesOf(
  before: { seq: number; hash: string },
  link: FoundAuditLink,
  expectedLinks: ExpectedLinks,
): Generator<Omit<AuditBreach, 'corp_id'>> {
  const { entry_id, digest, digest_now, is_erased } = link
  const comparisons: Record<string, [expected: string, found: string]> = {
    'consecutive links': [String(before.seq + 1), String(link.seq)],
    'the content of the entry': [link.content_hash, link.content_now ?? 'no such entry'],
    'the hash of the previous link and the entry': [auditLinkHash(before.hash, link), link.hash],
    ...(digest !== null &&
      !(digest_now === null && is_erased) && {
        'the personal part of the entry': [
          digest,
          digest_now ?? 'missing, although the person was not erased',
        ],
      }),
  }
  for (const [what, [expected, found]] of Object.entries(comparisons))
    if (expected !== found) yield { entry_id, what, expected, found }
  for (const broken of expectedLinks.compare(link.seq, link.hash)) yield { entry_id, ...broken }
}
