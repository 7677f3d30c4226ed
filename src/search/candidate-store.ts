import type { Queryable } from '../database/database.ts'
import { raw, type Statement, sql } from '../database/sql.ts'
import { DocumentSet, documentSetOf, type Posting } from './document-set.ts'
import { type KeyExpression, keysIn } from './key-expression.ts'
import { postingOf } from './search-index-store.ts'

/** A document that a search may match. */
export interface Candidate {
  user_id: string
  /** In milliseconds. */
  time: number
  text: string
}

export interface Candidates {
  /** The documents to compare with the search. */
  documents: Candidate[]
  /** The numbers of further candidates, the last first, if there are too many to compare. Each is of another user. */
  others: number[]
}

interface PendingDocument extends Candidate {
  id: string
  obsolete: number | null
}

/** Documents without a number that a search reads: more are left by an import or a rebuild for a moment. */
const maxPending = 10_000

/**
 * The documents that expressions find, each of which finds more than the one before, and all that are not indexed yet. At
 * most `limit` indexed documents are read: those of the first expressions, and of each the last by their numbers.
 */
export async function findCandidates(
  on: Queryable,
  corp_id: string,
  expressions: KeyExpression[],
  limit: number,
): Promise<Candidates> {
  const widest = expressions.at(-1)!
  const keys = new Set(keysIn(widest))
  // First the documents that are not indexed: one that is indexed at this moment is then found twice, and not missed.
  const { pending, short } = await on.pipeline<{ pending: PendingDocument; short: Posting }>({
    pending: [
      sql`
        select d.id, d.user_id, ${milliseconds} as time, d.text, d.obsolete from search_documents d
         where d.corp_id = ${corp_id} and d.number is null
         order by d.time desc, d.id desc limit ${maxPending}`,
    ],
    short: [
      sql`
        select p.key, p.segment,
               case when octet_length(p.members) <= ${longPosting}::integer or p.key = any(${ownKeys}::text[]) then p.members end as members
          from search_postings p
         where p.corp_id = ${corp_id} and p.key = any(${[...keys, ...ownKeys]}::text[])`,
    ],
  })
  const setOfShort = documentSetOf(short)
  const gone = setOfShort({ key: postingOf.obsolete }).or(
    DocumentSet.of(pending.flatMap(({ obsolete }) => obsolete ?? [])),
  )
  const found = setOfShort(widest).without(gone)
  if (found.size <= limit)
    return { documents: [...pending, ...(await readDocuments(on, corp_id, found.numbers()))], others: [] }
  const setOf = documentSetOf(await completed(on, corp_id, short, expressions))
  const all = setOf(widest).without(gone)
  const nearest = nearestOf(all, expressions.map(setOf), limit)
  const merged = await findMerged(on, corp_id, all.and(setOfShort({ key: postingOf.merged })), pending)
  // The documents of one user are read together: it is found once.
  const own = merged.flatMap((each) =>
    each.own !== null && (each.number === null || nearest.has(each.number)) ? each.own : [],
  )
  const read = nearest.or(all.and(DocumentSet.of(own)))
  const seen = new Set<string>()
  const repeated = merged
    .toSorted((a, b) => Number(isIn(read, b)) - Number(isIn(read, a)))
    .flatMap(({ number, user_id, own }) => {
      const isRepeated = seen.has(user_id) || (own !== null && all.has(own))
      seen.add(user_id)
      return isRepeated && number !== null ? number : []
    })
  return {
    documents: [...pending, ...(await readDocuments(on, corp_id, read.numbers()))],
    others: all.without(read).without(DocumentSet.of(repeated)).numbers(),
  }
}

const milliseconds = raw(`date_part('epoch', d.time) * 1000`)

/** Bytes of a posting that a search reads at once: of 2,048 documents. A longer one is rarely needed beside others. */
const longPosting = 4096
const ownKeys = [postingOf.obsolete, postingOf.merged]

/** The whole postings of all expressions. */
async function completed(
  on: Queryable,
  corp_id: string,
  postings: Posting[],
  expressions: KeyExpression[],
): Promise<Posting[]> {
  const known = Map.groupBy(postings, ({ key }) => key)
  const isWhole = (key: string) => known.get(key)?.every(({ members }) => members !== null) ?? false
  const missing = [...new Set(expressions.flatMap(keysIn))].filter((key) => !isWhole(key))
  const more = await on.query<Posting>(sql`
    select p.key, p.segment, p.members from search_postings p
     where p.corp_id = ${corp_id} and p.key = any(${missing}::text[])`)
  return [...postings.filter(({ key }) => isWhole(key)), ...more]
}

/** The nearest of too many candidates: those of the first sets, and of each the last. */
function nearestOf(all: DocumentSet, sets: DocumentSet[], limit: number): DocumentSet {
  let nearest = new DocumentSet()
  for (const set of sets) {
    const found = set.and(all).without(nearest)
    if (nearest.size + found.size >= limit)
      return nearest.or(DocumentSet.of(found.numbers(limit - nearest.size)))
    nearest = nearest.or(found)
  }
  return nearest
}

async function readDocuments(on: Queryable, corp_id: string, numbers: number[]): Promise<Candidate[]> {
  if (numbers.length === 0) return []
  return on.query<Candidate>(sql`
    select d.user_id, ${milliseconds} as time, d.text from search_documents d
     where d.corp_id = ${corp_id} and d.number = any(${numbers}::integer[])`)
}

/** A document of a merged user, which leads to the survivor. */
interface MergedDocument {
  /** Null if it is not indexed. */
  number: number | null
  user_id: string
  /** The number of the document of the survivor itself. */
  own: number | null
}

async function findMerged(
  on: Queryable,
  corp_id: string,
  merged: DocumentSet,
  pending: PendingDocument[],
): Promise<MergedDocument[]> {
  const ids = pending.flatMap(({ id, user_id }) => (id === user_id ? [] : id))
  if (merged.size + ids.length === 0) return []
  const selectWhere = (condition: Statement) => sql`
    select d.number, d.user_id, o.number as own
      from search_documents d
      left join search_documents o on o.corp_id = ${corp_id} and o.id = d.user_id
     where d.corp_id = ${corp_id} and ${condition}`
  const { indexed, others } = await on.pipeline<{ indexed: MergedDocument; others: MergedDocument }>({
    indexed: [selectWhere(sql`d.number = any(${merged.numbers()}::integer[])`)],
    others: [selectWhere(sql`d.id = any(${ids}::text[])`)],
  })
  return [...indexed, ...others]
}

/** Whether a document is read. */
function isIn(read: DocumentSet, { number }: MergedDocument): boolean {
  return number === null || read.has(number)
}

/** Selects the positions of documents by their numbers. */
export function documentsNumbered(corp_id: string, numbers: number[]): Statement {
  return sql`
    select d.time, d.user_id as id from search_documents d
     where d.corp_id = ${corp_id} and d.number = any(${numbers}::integer[])`
}

/** Selects the ids of the users of documents, each with its place in the list of their numbers. */
export function usersNumbered(corp_id: string, numbers: number[]): Statement {
  return sql`
    select d.user_id as id, n.place
      from unnest(${numbers}::integer[]) with ordinality as n (number, place)
      join search_documents d on d.corp_id = ${corp_id} and d.number = n.number`
}
