import { findArchivedEnd } from '../../access/audit/archives.ts'
import { wholeLinksAfter } from '../../access/audit/audit-chain-store.ts'
import { ExpectedLinks } from '../../access/audit/expected-links.ts'
import { linkEntries } from '../../access/audit/link-entries.ts'
import { breachesOf } from '../../access/audit/verify-audit.ts'
import type { Database } from '../../database/database.ts'
import { pages } from '../../database/pages.ts'
import { writeTableFile } from '../table-file.ts'
import { newHeader } from './archive-file.ts'
import type { ArchiveOptions, WrittenArchive } from './archive-rows.ts'
import { followedLinks } from './archived-row-store.ts'

const batchSize = 1000

/**
 * Writes the first part of an audit chain, up to the first entry that is younger. Every link is checked, so that no broken
 * chain is archived. Personal parts of entries are not written: an archive never holds a person who is erased later.
 */
export async function writeAuditArchive(
  db: Database,
  { corp_id, olderThan, out, now, keyring }: ArchiveOptions,
): Promise<WrittenArchive | undefined> {
  await linkEntries(db, corp_id)
  return db.of(corp_id).snapshot(async (tx) => {
    const base = await findArchivedEnd(tx, corp_id, keyring)
    if (!base.isProven) throw new Error(brokenSentence(corp_id, 'the note of an earlier archive'))
    // The event feed still needs links that it has not followed.
    const upTo = await followedLinks(tx, corp_id)
    const isOld = ({ at, seq }: { at: Date; seq: number }) => at < olderThan && seq <= upTo
    const read = (after: number, limit: number) => wholeLinksAfter(tx, corp_id, { after, limit })
    const [first] = await read(base.length, 1)
    if (!first || !isOld(first)) return undefined
    let last = { seq: base.length, hash: base.head }
    async function* rows(): AsyncGenerator<string[]> {
      for await (const links of pages(
        base.length,
        (after) => read(after, batchSize),
        ({ seq }) => seq,
      )) {
        const texts: string[] = []
        for (const link of links) {
          if (!isOld(link)) return void (yield texts)
          for (const { what } of breachesOf(last, link, new ExpectedLinks([])))
            throw new Error(brokenSentence(corp_id, what))
          texts.push(JSON.stringify([String(link.seq), link.content_hash, link.hash, link.entry]))
          last = link
        }
        yield texts
      }
    }
    const from = { length: base.length, head: base.head }
    const times = { made_at: now.toISOString(), older_than: olderThan.toISOString() }
    const header = newHeader({ corp_id, kind: 'audit', ...times, from })
    const columns = ['seq', 'content_hash', 'hash', 'entry']
    const end = await writeTableFile(out, header, [{ table: 'audit', columns, pages: rows }])
    return { rows: last.seq - base.length, sha256: end.sha256, length: last.seq, head: last.hash, ids: [] }
  })
}

function brokenSentence(corp_id: string, what: string): string {
  return `The audit of ${corp_id || 'no organization'} is not in order (${what}), so it is not archived. Run matricula audit verify --full.`
}
