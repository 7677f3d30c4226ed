import { fingerprint } from '../contract/fingerprint.ts'
import type { Queryable } from '../database/database.ts'
import { pages } from '../database/pages.ts'
import { holdClock } from '../orders/ledger/ledger-clock-store.ts'
import { entriesOfLead } from '../people/leads/insert-leads.ts'
import { leadFacetsOf } from '../people/leads/lead-facets.ts'
import { lockLeadsAfter } from '../people/leads/lead-store.ts'
import { findTagsOf, tagFacetsOf } from '../people/user-tags/user-tag-store.ts'
import {
  addingPairs,
  allPairs,
  clearingPairs,
  findPairs,
  findPossibleDuplicates,
  pairCountDelta,
  removingPairs,
} from '../people/users/duplicate-store.ts'
import { likenessKeysOf } from '../people/users/likeness.ts'
import { findMergedInto } from '../people/users/merged-user-store.ts'
import { loadSearchKeys } from '../people/users/search/search-keys.ts'
import { searchTextOf } from '../people/users/search/search-text.ts'
import { documentOfMerged, documentOfUser } from '../people/users/search/user-document-store.ts'
import { entriesOf, type FacetedUser, facetsOf, userFacet } from '../people/users/user-facets.ts'
import { findOrderStates } from '../people/users/user-order-facet-store.ts'
import { lockUsers, lockUsersAfter, type StoredUser } from '../people/users/user-store.ts'
import {
  addingCountDeltas,
  addingEntries,
  type ChangedEntry,
  changingEntries,
  clearingFacets,
  countDeltasOf,
  type EntryKey,
  type FacetEntry,
  facetDerivation,
  type List,
  recountingEntries,
  removeForeignEntries,
  renewingEntries,
} from '../search/facet-store.ts'
import {
  clearingDocuments,
  documentDerivation,
  indexNext,
  puttingDocuments,
  removingObsolete,
  type SearchDocument,
} from '../search/search-index-store.ts'
import { byId, inPhases, type RebuildBatch } from './rebuild-steps.ts'

const batchSize = 1000
/** Ids of possible duplicates that are in memory at a time. */
const idsAtATime = 100_000

const exampleUser: FacetedUser = {
  user_id: 'u',
  name: '王小明 Zoë O’Connor',
  first_name: null,
  last_name: null,
  area_code: '86',
  mobile: '0138 0013 8000',
  backup_area_code: null,
  backup_mobile: null,
  email: 'Zoë+x@Example.com',
  wechat_id: 'Wxid_88',
  external_id: 'CRM 7',
  company_name: 'Harbour, Ltd.',
  owner_ids: ['a'],
  pool: 'public',
  ctime: new Date(0),
}
const exampleLead = { fields: { utm_source: 'fair', course_code: 'EMBA', owner_ids: ['a'] }, user_id: 'u' }

/** Identifies the code that derives facets and duplicate pairs. */
export const facetFingerprint = fingerprint([
  facetDerivation,
  documentDerivation,
  searchTextOf(exampleUser),
  [...facetsOf(exampleUser)],
  likenessKeysOf(exampleUser),
  [...leadFacetsOf(exampleLead)],
])

const lists: List[] = ['users', 'leads']

/**
 * Rebuilds the facets of users and leads, their counts, and the duplicate pairs of users. The caller holds the ledger
 * clock: a change of an order updates facets of its user, and would miss entries that are not committed yet. Returns the
 * number of users and leads.
 */
export async function rebuildFacets(tx: Queryable, corp_id: string): Promise<number> {
  await tx.pipeline([
    ...clearingFacets(corp_id, lists),
    clearingPairs(corp_id),
    ...clearingDocuments(corp_id),
  ])
  const users = await addUsers(tx, corp_id)
  const leads = await addLeads(tx, corp_id)
  const pairs = await addPairs(tx, corp_id)
  await tx.pipeline([
    recountingEntries(corp_id, lists, [allPairs.facet]),
    ...addingCountDeltas(corp_id, pairCountDelta(pairs)),
  ])
  return users + leads
}

async function addUsers(tx: Queryable, corp_id: string): Promise<number> {
  const read = (after: string) => lockUsersAfter(tx, corp_id, after, batchSize)
  let done = 0
  for await (const users of pages('', read, ({ user_id }) => user_id)) {
    await tx.pipeline([
      ...addingEntries(corp_id, await entriesOfUsers(tx, corp_id, users)),
      ...puttingDocuments(corp_id, await documentsOfUsers(tx, corp_id, users)),
    ])
    done += users.length
  }
  return done
}

async function entriesOfUsers(tx: Queryable, corp_id: string, users: StoredUser[]): Promise<FacetEntry[]> {
  const ids = users.map(({ user_id }) => user_id)
  const tags = Map.groupBy(await findTagsOf(tx, corp_id, ids), ({ user_id }) => user_id)
  const states = Map.groupBy(await findOrderStates(tx, corp_id, ids), ({ user_id }) => user_id)
  return users.flatMap((user) => {
    const statuses = states.get(user.user_id)?.map(({ status }) => status) ?? ['none' as const]
    return entriesOf(user, [
      ...facetsOf(user),
      ...(tags.get(user.user_id) ?? []).flatMap(tagFacetsOf),
      ...statuses.map(userFacet.order),
    ])
  })
}

/** The documents of users, and of those that were merged into them. */
async function documentsOfUsers(
  tx: Queryable,
  corp_id: string,
  users: StoredUser[],
): Promise<SearchDocument[]> {
  const ids = users.map(({ user_id }) => user_id)
  const merged = await findMergedInto(tx, corp_id, ids)
  return [
    ...users.flatMap((user) => documentOfUser(user) ?? []),
    ...merged.flatMap((user) => documentOfMerged(user, user.ctime) ?? []),
  ]
}

async function addLeads(tx: Queryable, corp_id: string): Promise<number> {
  const read = (after: string) => lockLeadsAfter(tx, corp_id, after, batchSize)
  let done = 0
  for await (const leads of pages('', read, ({ lead_id }) => lead_id)) {
    await tx.pipeline(addingEntries(corp_id, entriesOfLeads(leads)))
    done += leads.length
  }
  return done
}

function entriesOfLeads(leads: Awaited<ReturnType<typeof lockLeadsAfter>>): FacetEntry[] {
  return leads.flatMap(({ user_ctime, ...lead }) =>
    entriesOfLead({ lead, user: { user_id: lead.user_id, ctime: user_ctime } }),
  )
}

/** Most users share a key with nobody: only possible duplicates are searched. Returns the number of pairs. */
async function addPairs(tx: Queryable, corp_id: string): Promise<number> {
  const read = (after: string) => findPossibleDuplicates(tx, corp_id, after, idsAtATime)
  let added = 0
  for await (const ids of pages('', read, (id) => id))
    for (let from = 0; from < ids.length; from += batchSize) {
      const users = await tx.query<StoredUser>(lockUsers(corp_id, ids.slice(from, from + batchSize)))
      const pairs = await findPairs(tx, corp_id, users.flatMap(likenessKeysOf))
      const { inserted } = await tx.pipeline<{ inserted: object }>({ inserted: addingPairs(corp_id, pairs) })
      added += inserted.length
    }
  return added
}

/** About a tenth of a second each, since changes of orders wait for it. */
const recordsAtATime = 200
const entriesAtATime = 5000

/**
 * The same in batches. Entries stay until they are derived again; then those that only other code derived are removed.
 * Lists and their counts agree at every moment.
 */
export const rebuildNextFacets = inPhases(
  byId(renewUsersAfter, recordsAtATime),
  byId(renewLeadsAfter, recordsAtATime),
  removingForeign('users'),
  removingForeign('leads'),
  byId(renewPairsAfter, recordsAtATime),
  indexingDocuments,
)

/** Indexes the documents that this code derived, and removes those of other code. */
async function indexingDocuments(tx: Queryable, corp_id: string) {
  const records = await indexNext(tx, corp_id, loadSearchKeys)
  if (records === 0) await tx.pipeline(removingObsolete(corp_id))
  return { last: records === 0 ? undefined : 'next', records: 0 }
}

async function renewUsersAfter(
  tx: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const users = await lockUsersAfter(tx, corp_id, after, limit)
  // After the users, as writers of users take them.
  await holdClock(tx, corp_id)
  await renew(tx, corp_id, await entriesOfUsers(tx, corp_id, users))
  await tx.pipeline(puttingDocuments(corp_id, await documentsOfUsers(tx, corp_id, users)))
  return users.map(({ user_id }) => user_id)
}

async function renewLeadsAfter(
  tx: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const leads = await lockLeadsAfter(tx, corp_id, after, limit)
  await renew(tx, corp_id, entriesOfLeads(leads))
  return leads.map(({ lead_id }) => lead_id)
}

/** Adds missing entries, with their counts, and marks the others as derived by this code. */
async function renew(tx: Queryable, corp_id: string, entries: FacetEntry[]): Promise<void> {
  const added = await tx.pipeline<ChangedEntry[]>(changingEntries(corp_id, { added: entries, removed: [] }))
  await tx.pipeline([
    ...renewingEntries(corp_id, entries),
    ...addingCountDeltas(corp_id, countDeltasOf(added.flat())),
  ])
}

function removingForeign(list: List): RebuildBatch {
  return async (tx, corp_id, after) => {
    const key = after === '' ? undefined : (JSON.parse(after) as EntryKey)
    const last = await removeForeignEntries(tx, corp_id, list, key, entriesAtATime)
    return { last: last && JSON.stringify(last), records: 0 }
  }
}

async function renewPairsAfter(
  tx: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const users = await lockUsersAfter(tx, corp_id, after, limit)
  const ids = users.map(({ user_id }) => user_id)
  const removed = await tx.pipeline<object[]>(removingPairs(corp_id, ids))
  const pairs = await findPairs(tx, corp_id, users.flatMap(likenessKeysOf))
  const { added } = await tx.pipeline<{ added: object }>({ added: addingPairs(corp_id, pairs) })
  await tx.pipeline(addingCountDeltas(corp_id, pairCountDelta(added.length - removed.flat().length)))
  return ids
}
