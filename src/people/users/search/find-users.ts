import type { Queryable } from '../../../database/database.ts'
import { findCandidates } from '../../../search/candidate-store.ts'
import type { RankedRecords } from '../../../search/ranked-page-store.ts'
import type { ContactView } from '../user-row.ts'
import { rankOf } from './match-user.ts'
import { candidatesOf, minTypoLength, namesContact, readSearch, type UserSearch } from './read-search.ts'
import { loadReadings } from './readings.ts'
import { parseSearchText } from './search-text.ts'

/** The users that a typed text finds. */
export interface FoundUsers extends RankedRecords {
  search: UserSearch
}

/** Candidates that are compared with the typed text. More are usually found by a text that is too short. */
const maxCompared = 500
/** The same where only the comparison may tell who is found. */
const maxComparedOnly = 4000

/** Finds users by a typed text. A typing error is allowed only if nobody is found without. */
export async function findUsers(
  db: Queryable,
  corp_id: string,
  q: string,
  view: ContactView,
): Promise<FoundUsers> {
  await loadReadings()
  const found = await findBy(db, corp_id, readSearch(q, view))
  const hasLongWord = found.search.terms.some(({ words }) =>
    words.some(({ length }) => length >= minTypoLength),
  )
  if (found.best.length + found.others.length > 0 || !hasLongWord) return found
  return findBy(db, corp_id, readSearch(q, view, true))
}

async function findBy(db: Queryable, corp_id: string, search: UserSearch): Promise<FoundUsers> {
  // Keys disclose more than a mask, and a typing error hardly anything: both take a comparison.
  const isCompared = search.allowsTypo || (search.view === 'masked' && namesContact(search))
  const limit = isCompared ? maxComparedOnly : maxCompared
  const { documents, others } = await findCandidates(db, corp_id, candidatesOf(search), limit)
  const best = new Map<string, RankedRecords['best'][number]>()
  for (const { user_id: id, time, text } of documents) {
    const rank = rankOf(search, parseSearchText(text))
    // A merged user has a document of its own, which leads to the survivor.
    if (rank !== undefined && rank < (best.get(id)?.rank ?? Number.POSITIVE_INFINITY))
      best.set(id, { id, time, rank })
  }
  return { search, best: [...best.values()].sort(byRank), others: isCompared ? [] : others }
}

type Ranked = RankedRecords['best'][number]

/** The best first, then the newest. */
function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || b.time - a.time || (a.id < b.id ? 1 : -1)
}
