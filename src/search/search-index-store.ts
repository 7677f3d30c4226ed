import type { Queryable } from '../database/database.ts'
import { raw, type Statement, sql } from '../database/sql.ts'
import { lockVersion } from './derived-version-store.ts'
import { type Bits, evaluate, type KeyExpression, keysIn } from './key-expression.ts'

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
export const documentDerivation = 2

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
             number = case when stored.text = excluded.text and stored.deriver = excluded.deriver then stored.number end`,
  ]
}

export function removingDocuments(corp_id: string, ids: string[]): Statement[] {
  if (ids.length === 0) return []
  return [
    sql`delete from search_documents where corp_id = ${corp_id} and id = any(${ids}::text[]) returning 1`,
  ]
}

const segmentBits = 15
const segmentSize = 1 << segmentBits

/** Loads the function that derives the keys of a text. It is not loaded before there is a text. */
export type KeyLoader = () => Promise<(text: string) => Iterable<string>>

const documentsAtATime = 1000
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
  const documents = await tx.query<{ id: string; text: string }>(sql`
    select d.id, d.text from search_documents d
     where d.corp_id = ${corp_id} and d.number is null
     order by d.time, d.id limit ${documentsAtATime} for update`)
  if (documents.length < fewest) return 0
  const [last] = await tx.query<{ number: number }>(sql`
    select d.number from search_documents d
     where d.corp_id = ${corp_id} and d.number is not null order by d.number desc limit 1`)
  const first = (last?.number ?? -1) + 1
  const keysOf = await loadKeys()
  const members = new Map<string, { key: string; segment: number; rests: number[] }>()
  for (const [index, { text }] of documents.entries()) {
    const number = first + index
    const segment = number >> segmentBits
    for (const key of keysOf(text)) {
      const place = `${segment} ${key}`
      const posting = members.get(place)
      if (posting) posting.rests.push(number % segmentSize)
      else members.set(place, { key, segment, rests: [number % segmentSize] })
    }
  }
  const postings = [...members.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  await tx.pipeline([
    sql`
      insert into search_postings as stored (corp_id, key, segment, members)
      select ${corp_id}, p.key, p.segment, decode(p.members, 'hex')
        from unnest(${postings.map(({ key }) => key)}::text[], ${postings.map(({ segment }) => segment)}::integer[],
                    ${postings.map(({ rests }) => packed(rests))}::text[]) as p (key, segment, members)
      on conflict (corp_id, key, segment) do update set members = stored.members || excluded.members`,
    sql`
      update search_documents d set number = n.number
        from unnest(${documents.map(({ id }) => id)}::text[],
                    ${documents.map((_, index) => first + index)}::integer[]) as n (id, number)
       where d.corp_id = ${corp_id} and d.id = n.id`,
  ])
  return documents.length
}

/** Two bytes per number, as hexadecimal text. */
function packed(rests: number[]): string {
  const bytes = Buffer.alloc(rests.length * 2)
  for (const [index, rest] of rests.entries()) bytes.writeUInt16LE(rest, index * 2)
  return bytes.toString('hex')
}

/** A document that a search may match. */
export interface Candidate {
  user_id: string
  /** In milliseconds. */
  time: number
  text: string
}

export interface Candidates {
  documents: Candidate[]
  /** The numbers of further candidates, if there are too many to compare. */
  others: number[]
}

/**
 * The documents with the keys of an expression, and all that are not indexed yet. At most `limit` indexed documents are
 * read, the last ones by their numbers.
 */
export async function findCandidates(
  on: Queryable,
  corp_id: string,
  expression: KeyExpression,
  limit: number,
): Promise<Candidates> {
  // First the documents that are not indexed: one that is indexed at this moment is then found twice, and not missed.
  const { pending, postings } = await on.pipeline<{ pending: Candidate; postings: Posting }>({
    pending: [
      sql`
        select d.user_id, ${milliseconds} as time, d.text from search_documents d
         where d.corp_id = ${corp_id} and d.number is null`,
    ],
    postings: [
      sql`
        select p.key, p.segment, p.members from search_postings p
         where p.corp_id = ${corp_id} and p.key = any(${[...new Set(keysIn(expression))]}::text[])`,
    ],
  })
  const numbers = numbersOf(expression, postings)
  const read = numbers.slice(0, limit)
  const indexed =
    read.length === 0
      ? []
      : await on.query<Candidate>(sql`
          select d.user_id, ${milliseconds} as time, d.text from search_documents d
           where d.corp_id = ${corp_id} and d.number = any(${read}::integer[])`)
  return { documents: [...pending, ...indexed], others: numbers.slice(limit) }
}

const milliseconds = raw('(extract(epoch from d.time) * 1000)::double precision')

interface Posting {
  key: string
  segment: number
  members: Buffer
}

/** The numbers that an expression finds, last first. */
function numbersOf(expression: KeyExpression, postings: Posting[]): number[] {
  const segments = Map.groupBy(postings, ({ segment }) => segment)
  return [...segments]
    .sort(([a], [b]) => b - a)
    .flatMap(([segment, found]) => {
      const bits = new Map(found.map(({ key, members }) => [key, bitsOf(members)]))
      const matching = evaluate(expression, (key) => bits.get(key))
      return matching ? setBits(matching).map((rest) => segment * segmentSize + rest) : []
    })
}

function bitsOf(members: Buffer): Bits {
  const bits = new Uint32Array(segmentSize / 32)
  for (let at = 0; at < members.length; at += 2) {
    const rest = members[at]! | (members[at + 1]! << 8)
    bits[rest >> 5]! |= 1 << (rest & 31)
  }
  return bits
}

/** The places of set bits, last first. */
function setBits(bits: Bits): number[] {
  const places: number[] = []
  for (let word = bits.length - 1; word >= 0; word--)
    for (let rest = bits[word]!; rest !== 0; ) {
      const bit = 31 - Math.clz32(rest)
      places.push(word * 32 + bit)
      rest ^= 1 << bit
    }
  return places
}

/** Selects the positions of documents by their numbers. */
export function documentsNumbered(corp_id: string, numbers: number[]): Statement {
  return sql`
    select d.time, d.user_id as id from search_documents d
     where d.corp_id = ${corp_id} and d.number = any(${numbers}::integer[])`
}

/** Deletes all documents and postings of an organization. */
export function clearingDocuments(corp_id: string): Statement[] {
  return [
    sql`delete from search_documents where corp_id = ${corp_id}`,
    sql`delete from search_postings where corp_id = ${corp_id}`,
  ]
}

/** Deletes documents that other code derived, and postings without documents. */
export function removingObsolete(corp_id: string): Statement[] {
  return [
    sql`delete from search_documents where corp_id = ${corp_id} and deriver <> ${deriver} returning 1`,
    sql`
      delete from search_postings p
       where p.corp_id = ${corp_id}
         and p.segment < (select coalesce(min(d.number), 0) / ${segmentSize} from search_documents d
                           where d.corp_id = ${corp_id} and d.number is not null)
      returning 1`,
  ]
}
