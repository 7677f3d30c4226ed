import type { Database, Queryable } from '../database/database.ts'
import { knownOrganizations } from '../organizations/organization-store.ts'
import {
  type AuditEnd,
  auditLinkHash,
  auditLinksAfter,
  countLooseEntries,
  type FoundAuditLink,
  findEnd,
} from './audit-chain-store.ts'
import { linkEntries, ofNoOrganization } from './link-entries.ts'

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
  /** How many there are in all; the first of them follow. */
  total: number
  breaches: AuditBreach[]
  /** To be noted down elsewhere, and held against the chains later. */
  chains: (AuditEnd & { corp_id: string; unlinked: number })[]
}

const mostShown = 100
const batchSize = 1000

/**
 * Proves that the entries of the audit are those that were written, in the order in which they were linked, for one
 * organization or for all and what concerns none. A head that was noted down elsewhere must be the hash of a link.
 */
export async function verifyAudit(db: Database, corpId?: string, head?: string): Promise<AuditReport> {
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
  for (const corp_id of corpIds) {
    await linkEntries(db, corp_id, true)
    await db.of(corp_id).snapshot(async (tx) => {
      const end = await findEnd(tx, corp_id)
      for await (const breach of findBreaches(tx, corp_id, end, head)) {
        report.total++
        if (report.breaches.length < mostShown) report.breaches.push({ corp_id, ...breach })
      }
      report.entries += end.length
      report.chains.push({ corp_id, ...end, unlinked: await countLooseEntries(tx, corp_id) })
    })
  }
  return report
}

type Breach = Omit<AuditBreach, 'corp_id'>

async function* findBreaches(
  tx: Queryable,
  corp_id: string,
  end: AuditEnd,
  noted: string | undefined,
): AsyncGenerator<Breach> {
  let last = { seq: 0, hash: '' }
  let done = 0
  let isNotedFound = noted === undefined
  for (;;) {
    const links = await auditLinksAfter(tx, corp_id, { after: last.seq, limit: batchSize })
    if (links.length === 0) break
    for (const link of links) {
      yield* breachesOf(last, link)
      isNotedFound ||= link.hash === noted
      last = link
      done++
    }
  }
  const whole = { entry_id: null }
  if (done !== end.length)
    yield { ...whole, what: 'the length of the chain', expected: String(end.length), found: String(done) }
  if (last.hash !== end.head)
    yield { ...whole, what: 'the head of the chain', expected: end.head, found: last.hash }
  if (!isNotedFound)
    yield { ...whole, what: 'the head that was noted', expected: noted!, found: 'no such link' }
}

function* breachesOf(before: { seq: number; hash: string }, link: FoundAuditLink): Generator<Breach> {
  const { entry_id, digest, digest_now, is_erased } = link
  const expected = {
    'one link behind the other': [String(before.seq + 1), String(link.seq)],
    'the content of the entry': [link.content_hash, link.content_now ?? 'no such entry'],
    'the hash of the link before and the entry': [auditLinkHash(before.hash, link), link.hash],
    ...(digest !== null &&
      !(digest_now === null && is_erased) && {
        'what the entry tells of a person': [digest, digest_now ?? 'nothing, and the person was not erased'],
      }),
  }
  for (const [what, [should, is]] of Object.entries(expected))
    if (should !== is) yield { entry_id, what, expected: should!, found: is! }
}
