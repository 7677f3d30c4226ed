import { fingerprint } from '../contract/fingerprint.ts'
import type { Queryable } from '../database/database.ts'
import { pages } from '../database/pages.ts'
import { entriesOfLead } from '../people/leads/insert-leads.ts'
import { leadFacetsOf } from '../people/leads/lead-facets.ts'
import { leadsAfter } from '../people/leads/lead-store.ts'
import { findTagsOf, tagFacetsOf } from '../people/user-tags/user-tag-store.ts'
import {
  addingPairs,
  allPairs,
  clearingPairs,
  findPairs,
  findPossibleDuplicates,
  pairCountDelta,
} from '../people/users/duplicate-store.ts'
import { likenessKeysOf } from '../people/users/likeness.ts'
import { entriesOf, type FacetedUser, facetsOf, userFacet } from '../people/users/user-facets.ts'
import { findOrderStates } from '../people/users/user-order-facet-store.ts'
import { lockUsers, lockUsersAfter, type StoredUser } from '../people/users/user-store.ts'
import {
  addingCountDeltas,
  addingEntries,
  clearingFacets,
  type List,
  recountingEntries,
} from '../search/facet-store.ts'

const batchSize = 1000
/** Ids of possible duplicates that are in memory at a time. */
const idsAtATime = 100_000

/** Raise it after a change of the derivation that the examples do not show. */
const derivationVersion = 2

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
  company_name: 'Harbour, Ltd.',
  owner_ids: ['a'],
  pool: 'public',
  ctime: new Date(0),
}
const exampleLead = { fields: { utm_source: 'fair', course_code: 'EMBA', owner_ids: ['a'] }, user_id: 'u' }

/** Identifies the code that derives facets and duplicate pairs. */
export const facetFingerprint = fingerprint([
  derivationVersion,
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
  await tx.pipeline([...clearingFacets(corp_id, lists), clearingPairs(corp_id)])
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
    const ids = users.map(({ user_id }) => user_id)
    const tags = Map.groupBy(await findTagsOf(tx, corp_id, ids), ({ user_id }) => user_id)
    const states = Map.groupBy(await findOrderStates(tx, corp_id, ids), ({ user_id }) => user_id)
    const entries = users.flatMap((user) => {
      const statuses = states.get(user.user_id)?.map(({ status }) => status) ?? ['none' as const]
      return entriesOf(user, [
        ...facetsOf(user),
        ...(tags.get(user.user_id) ?? []).flatMap(tagFacetsOf),
        ...statuses.map(userFacet.order),
      ])
    })
    await tx.pipeline(addingEntries(corp_id, entries))
    done += users.length
  }
  return done
}

async function addLeads(tx: Queryable, corp_id: string): Promise<number> {
  const read = (after: string) => leadsAfter(tx, corp_id, after, batchSize)
  let done = 0
  for await (const leads of pages('', read, ({ lead_id }) => lead_id)) {
    const entries = leads.flatMap(({ user_ctime, ...lead }) =>
      entriesOfLead({ lead, user: { user_id: lead.user_id, ctime: user_ctime } }),
    )
    await tx.pipeline(addingEntries(corp_id, entries))
    done += leads.length
  }
  return done
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
