import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queryable } from '../database/database.ts'
import { raw, type Statement, sql } from '../database/sql.ts'
import { lockVersion } from './derived-version-store.ts'
import { placeOf, segmentSize } from './document-set.ts'

/** A text that a record is found by. */
export interface SearchDocument {
  id: string
  user_id: string
  time: Date
  text: string
}

/**
 * Identifies the code that derives documents and their keys. Raise it with every change of these: a rebuild then indexes
 * all documents again.
 */
export const documentDerivation = 3

const deriver = raw(String(documentDerivation))

/** Stores documents. They are searched at once, and indexed by maintenance. */
export function puttingDocuments(corp_id: string, documents: SearchDocument[]): Statement[] {
  if (documents.length === 0) return []
  const sorted = documents.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return [
    sql`
      insert into search_documents as stored (corp_id, id, user_id, time, text, deriver)
      select ${corp_id}, d.id, d.user_id, d.time, d.text, ${deriver}
        from unnest(${sorted.map(({ id }) => id)}::text[], ${sorted.map(({ user_id }) => user_id)}::text[],
                    ${sorted.map(({ time }) => time.toISOString())}::timestamptz[],
                    ${sorted.map(({ text }) => text)}::text[]) as d (id, user_id, time, text)
      on conflict (corp_id, id) do update
         set user_id = excluded.user_id, time = excluded.time, text = excluded.text, deriver = excluded.deriver,
             number = case when stored.text = excluded.text and stored.deriver = excluded.deriver then stored.number end,
             obsolete = case when stored.text = excluded.text and stored.deriver = excluded.deriver then stored.obsolete
                             else coalesce(stored.number, stored.obsolete) end`,
  ]
}

/** Removes documents. Their numbers stay in postings: maintenance notes these as obsolete, and then deletes the rows. */
export function removingDocuments(corp_id: string, ids: string[]): Statement[] {
  if (ids.length === 0) return []
  return [
    sql`
      update search_documents d set text = '', number = null, obsolete = coalesce(d.number, d.obsolete)
       where d.corp_id = ${corp_id} and d.id = any(${ids}::text[])`,
  ]
}

/** Postings that are not of a key of a text. */
export const postingOf = {
  /** Numbers of documents that changed or are removed. */
  obsolete: '-',
  /** Documents of merged users. */
  merged: '+',
  /** The last number of each run. */
  last: '#',
}

/** Loads the function that derives the keys of a text. It is not loaded before there is a text. */
export type KeyLoader = () => Promise<(text: string) => Iterable<string>>

/** A run writes each posting again that it adds to, so that larger runs write less. */
const documentsAtATime = 2500
const documentsInATurn = 20
/** Fewer are not worth the work: a search reads their texts. */
const fewestToIndex = 200

/** Indexes new documents. Returns their number. Of several servers, one does it at a time. */
export async function indexDocuments(
  on: Queryable,
  corp_id: string,
  loadKeys: KeyLoader,
  { fewest = fewestToIndex, signal }: { fewest?: number; signal?: AbortSignal } = {},
): Promise<number> {
  let done = 0
  for (;;) {
    if (signal?.aborted) return done
    const indexed = await on.transaction(async (tx) => {
      if (!(await lockVersion(tx, corp_id, 'facets'))) return 0
      return indexNext(tx, corp_id, loadKeys, fewest)
    })
    done += indexed
    if (indexed < documentsAtATime) return done
  }
}

/** Indexes the next documents, in the order of lists. The caller holds the version of the facets. Returns their number. */
export async function indexNext(
  tx: Queryable,
  corp_id: string,
  loadKeys: KeyLoader,
  fewest = 1,
): Promise<number> {
  const documents = await tx.query<UnindexedDocument>(sql`
    select d.id, d.user_id, d.text, d.obsolete from search_documents d
     where d.corp_id = ${corp_id} and d.number is null
     order by d.time, d.id limit ${documentsAtATime} for update`)
  if (documents.length < fewest) return 0
  const first = (await lastNumber(tx, corp_id)) + 1
  const keysOf = await loadKeys()
  const members = new Map<string, { key: string; segment: number; rests: number[] }>()
  const add = (key: string, number: number) => {
    const { segment, rest } = placeOf(number)
    const place = `${segment} ${key}`
    const posting = members.get(place)
    if (posting) posting.rests.push(rest)
    else members.set(place, { key, segment, rests: [rest] })
  }
  for (const { obsolete } of documents) if (obsolete !== null) add(postingOf.obsolete, obsolete)
  const present = documents.filter(({ text }) => text !== '')
  const removed = documents.filter(({ text }) => text === '')
  for (const [index, { id, user_id, text }] of present.entries()) {
    // The process that does this also links the audit and adds events, which must not wait for a whole batch.
    if (index % documentsInATurn === documentsInATurn - 1) await nextTurn()
    for (const key of keysOf(text)) add(key, first + index)
    if (id !== user_id) add(postingOf.merged, first + index)
  }
  if (present.length > 0) add(postingOf.last, first + present.length - 1)
  const postings = [...members.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  await tx.pipeline([
    sql`
      insert into search_postings as stored (corp_id, key, segment, members)
      select ${corp_id}, p.key, p.segment, decode(p.members, 'hex')
        from unnest(${postings.map(({ key }) => key)}::text[], ${postings.map(({ segment }) => segment)}::integer[],
                    ${postings.map(({ rests }) => packed(rests))}::text[]) as p (key, segment, members)
      on conflict (corp_id, key, segment) do update set members = stored.members || excluded.members`,
    sql`
      update search_documents d set number = n.number, obsolete = null
        from unnest(${present.map(({ id }) => id)}::text[],
                    ${present.map((_, index) => first + index)}::integer[]) as n (id, number)
       where d.corp_id = ${corp_id} and d.id = n.id`,
    sql`
      delete from search_documents
       where corp_id = ${corp_id} and id = any(${removed.map(({ id }) => id)}::text[])`,
  ])
  return documents.length
}

interface UnindexedDocument {
  id: string
  user_id: string
  /** "" if the document is removed. */
  text: string
  obsolete: number | null
}

/** The last number that was given out: no number is given out twice, also if its document is gone. */
async function lastNumber(tx: Queryable, corp_id: string): Promise<number> {
  const [run] = await tx.query<{ segment: number; members: Buffer }>(sql`
    select p.segment, p.members from search_postings p
     where p.corp_id = ${corp_id} and p.key = ${postingOf.last} order by p.segment desc limit 1`)
  return run ? run.segment * segmentSize + run.members.readUInt16LE(run.members.length - 2) : -1
}

/** Two bytes per number, as hexadecimal text. */
function packed(rests: number[]): string {
  const bytes = Buffer.alloc(rests.length * 2)
  for (const [index, rest] of rests.entries()) bytes.writeUInt16LE(rest, index * 2)
  return bytes.toString('hex')
}

/** Deletes all documents and postings of an organization. */
export function clearingDocuments(corp_id: string): Statement[] {
  return [
    sql`delete from search_documents where corp_id = ${corp_id}`,
    sql`delete from search_postings where corp_id = ${corp_id}`,
  ]
}

/** Removes documents that other code derived, and postings without documents. */
export function removingObsolete(corp_id: string): Statement[] {
  return [
    sql`
      update search_documents d set text = '', number = null, obsolete = coalesce(d.number, d.obsolete), deriver = ${deriver}
       where d.corp_id = ${corp_id} and d.deriver <> ${deriver}`,
    sql`
      delete from search_postings p
       where p.corp_id = ${corp_id}
         and p.segment < (select coalesce(min(d.number), 0) / ${segmentSize} from search_documents d
                           where d.corp_id = ${corp_id} and d.number is not null)
      returning 1`,
  ]
}
