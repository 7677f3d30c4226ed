import type { Database, Queryable } from '../../database/database.ts'
import { pages } from '../../database/pages.ts'
import { knownOrganizations } from '../organizations/organization-store.ts'
import {
  type AuditEnd,
  auditLinkHash,
  auditLinksAfter,
  countWaitingEntries,
  type FoundAuditLink,
  findEnd,
  findStrayEntries,
} from './audit-chain-store.ts'
import type { ExpectedLinks } from './expected-links.ts'
import { linkEntries, ofNoOrganization } from './link-entries.ts'
import { PublishedHeads } from './published-heads.ts'

export interface AuditBreach {
  corp_id: string
  entry_id: string | null
  what: string
  expected: string
  found: string
}

export interface AuditReport {
  organizations: number
  entries: number
  /** Number of breaches; `breaches` has the first ones. */
  total: number
  breaches: AuditBreach[]
  /** To be stored elsewhere and compared later. Entries that are not linked yet are not checked. */
  chains: (AuditEnd & { corp_id: string; unlinked: number })[]
}

const maxShown = 100
const batchSize = 1000

/** Heads from outside the database, which the chains must have. */
interface KnownHeads {
  /** The head of one organization's chain, without its length. */
  noted: string | undefined
  published: PublishedHeads
}

/**
 * Verifies that the audit entries are unchanged and in the order of their links, for one organization or for all chains.
 * Waiting entries are linked first. A head that was noted elsewhere must be the hash of a link; a published head, the hash
 * of the link at its length.
 */
export async function verifyAudit(
  db: Database,
  corpId?: string,
  noted?: string,
  published = new PublishedHeads(),
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
    await db.of(corp_id).snapshot(async (tx) => {
      const end = await findEnd(tx, corp_id)
      for await (const breach of findBreaches(tx, corp_id, end, { noted, published })) note(corp_id, breach)
      report.entries += end.length
      report.chains.push({ corp_id, ...end, unlinked: await countWaitingEntries(tx, corp_id) })
    })
  }
  if (corpId === undefined)
    for (const corp_id of published.corpIds().filter((each) => !corpIds.includes(each)))
      for (const breach of published.linksOf('audit', corp_id).compareLength(0))
        note(corp_id, { entry_id: null, ...breach })
  return report
}

type Breach = Omit<AuditBreach, 'corp_id'>

async function* findBreaches(
  tx: Queryable,
  corp_id: string,
  end: AuditEnd,
  { noted, published }: KnownHeads,
): AsyncGenerator<Breach> {
  const expected = published.linksOf('audit', corp_id)
  let last = { seq: 0, hash: '' }
  let done = 0
  let isNotedFound = false
  const read = (after: number) => auditLinksAfter(tx, corp_id, { after, limit: batchSize })
  for await (const links of pages(0, read, ({ seq }) => seq))
    for (const link of links) {
      yield* breachesOf(last, link, expected)
      isNotedFound ||= link.hash === noted
      last = link
      done++
    }
  const whole = { entry_id: null }
  if (done !== end.length)
    yield { ...whole, what: 'the length of the chain', expected: String(end.length), found: String(done) }
  if (last.hash !== end.head)
    yield { ...whole, what: 'the head of the chain', expected: end.head, found: last.hash }
  if (noted !== undefined && !isNotedFound)
    yield { ...whole, what: 'the head that was noted', expected: noted, found: 'no such link' }
  for (const broken of expected.compareLength(done)) yield { ...whole, ...broken }
  for (const { entry_id, fault } of await findStrayEntries(tx, corp_id, maxShown))
    yield { entry_id, what: 'the place of the entry', expected: 'linked or waiting', found: fault }
}

function* breachesOf(
  before: { seq: number; hash: string },
  link: FoundAuditLink,
  expectedLinks: ExpectedLinks,
): Generator<Breach> {
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
