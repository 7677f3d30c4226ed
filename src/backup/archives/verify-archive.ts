import { type Archive, listArchives } from '../../access/audit/archive-store.ts'
import { isProven } from '../../access/audit/archives.ts'
import { auditLinkHash, hashesOfEntries } from '../../access/audit/audit-chain-store.ts'
import type { PublishedHeads } from '../../access/audit/published-heads.ts'
import type { AuditBreach } from '../../access/audit/verify-audit.ts'
import type { Keyring } from '../../access/organizations/keyring.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { type ArchiveHeader, readArchiveFile } from './archive-file.ts'

/** The result of the verification of a file. */
export interface VerifiedArchive {
  file: string
  corp_id: string
  /** The file has the links from after `from` up to `length`. */
  from: number
  length: number
  older_than: string
  breaches: AuditBreach[]
}

const batchSize = 1000

/**
 * Verifies the file of an archived audit: every link follows from its entry and the link before it, and the file joins the
 * chain as this installation has noted it. A damaged file throws.
 */
export async function verifyArchive(
  db: Database,
  file: string,
  { keyring, published }: { keyring: Keyring | undefined; published: PublishedHeads },
): Promise<VerifiedArchive> {
  let header: ArchiveHeader | undefined
  let sha256 = ''
  const last = { seq: 0, hash: '' }
  const breaches: AuditBreach[] = []
  const add = (entry_id: string | null, what: string, expected: string, found: string) => {
    if (expected !== found) breaches.push({ corp_id: header!.corp_id, entry_id, what, expected, found })
  }
  let waiting: string[][] = []
  const check = async () => {
    const hashes = await hashesOfEntries(
      db.shared,
      waiting.map(([, , , entry]) => entry!),
    )
    const expected = published.linksOf('audit', header!.corp_id)
    for (const [index, [seq, content_hash = '', hash = '', entry]] of waiting.entries()) {
      const { entry_id } = JSON.parse(entry!)
      add(entry_id, 'archive: consecutive links', String(last.seq + 1), seq!)
      add(entry_id, 'archive: the content of the entry', content_hash, hashes[index]!)
      const link = auditLinkHash(last.hash, { entry_id, content_hash })
      add(entry_id, 'archive: the hash of the previous link and the entry', link, hash)
      for (const { what, ...broken } of expected.compare(Number(seq), hash))
        add(entry_id, `archive: ${what}`, broken.expected, broken.found)
      Object.assign(last, { seq: Number(seq), hash })
    }
    waiting = []
  }
  for await (const line of readArchiveFile(file)) {
    if ('header' in line) {
      header = line.header
      if (header.kind !== 'audit' || !header.from)
        throw new Error(`The file ${file} is an archive of ${header.kind}, and has no chain.`)
      Object.assign(last, { seq: header.from.length, hash: header.from.head })
    } else if ('row' in line) {
      waiting.push(JSON.parse(line.row))
      if (waiting.length === batchSize) await check()
    } else if ('end' in line) {
      await check()
      sha256 = line.end.sha256
    }
  }
  const { corp_id, from, older_than } = header!
  await joins(db.of(corp_id), { header: header!, sha256, last }, keyring, add)
  return { file, corp_id, from: from!.length, length: last.seq, older_than, breaches }
}

/** The file is an archive of this chain, follows the one before it, and ends where it was noted. */
async function joins(
  on: Queryable,
  { header, sha256, last }: { header: ArchiveHeader; sha256: string; last: { seq: number; hash: string } },
  keyring: Keyring | undefined,
  add: (entry_id: null, what: string, expected: string, found: string) => void,
): Promise<void> {
  const { corp_id, from } = header
  const known = (await listArchives(on, corp_id)).filter(({ kind }) => kind === 'audit')
  const index = known.findIndex((each) => each.sha256 === sha256)
  const archive = known[index]
  if (!archive) return add(null, 'archive: its hash', 'noted by this installation', sha256)
  if (keyring && !isProven(corp_id, archive, keyring))
    add(null, 'archive: its note', 'sealed by this installation', 'not')
  const end = ({ length, head }: Pick<Archive, 'length' | 'head'>) => `link ${length} ${head}`
  const before = known[index - 1] ?? { length: 0, head: '' }
  add(null, 'archive: the link before it', end(before), end(from!))
  add(null, 'archive: its last link', end(archive), end({ length: last.seq, head: last.hash }))
}
