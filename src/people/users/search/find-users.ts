import type { Queryable } from '../../../database/database.ts'
import type { RankedRecords } from '../../../search/facet-page-store.ts'
import { findCandidates } from '../../../search/search-index-store.ts'
import type { ContactView } from '../user-row.ts'
import { rankOf } from './match-user.ts'
import { candidatesOf, minTypoLength, namesContact, readSearch, type UserSearch } from './read-search.ts'
import { loadReadings } from './readings.ts'
import { parseSearchText } from './search-text.ts'

/** The users that a typed text finds. */
export interface FoundUsers extends RankedRecords {
  search: UserSearch
  times: Date[]
  /** Numbers of documents that have all keys of the text, but were not compared with it: there are too many. */
  others: number[]
}

/** Candidates that are compared with the typed text. More are usually found by a text that is too short. */
const maxCompared = 4000

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
  if (found.ids.length + found.others.length > 0 || !hasLongWord) return found
  return findBy(db, corp_id, readSearch(q, view, true))
}

async function findBy(db: Queryable, corp_id: string, search: UserSearch): Promise<FoundUsers> {
  const { documents, others } = await findCandidates(db, corp_id, candidatesOf(search), maxCompared)
  const found: FoundUsers = { search, ids: [], ranks: [], times: [], others: [] }
  for (const { user_id, time, text } of documents) {
    const rank = rankOf(search, parseSearchText(text))
    if (rank === undefined) continue
    found.ids.push(user_id)
    found.ranks.push(rank)
    found.times.push(new Date(time))
  }
  // Keys disclose more than a mask, and a typing error hardly anything: both take a comparison.
  const isCompared = search.allowsTypo || (search.view === 'masked' && namesContact(search))
  return isCompared ? found : { ...found, others }
}
