import { listOrganizations } from '../access/organizations/organization-store.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { Database, Queryable } from '../database/database.ts'
import { holdClock } from '../orders/ledger/ledger-clock-store.ts'
import { entriesOfLead } from '../people/leads/insert-leads.ts'
import { leadFacetsOf } from '../people/leads/lead-facets.ts'
import { leadsAfter } from '../people/leads/lead-store.ts'
import { findTagsOf, tagFacetsOf } from '../people/user-tags/user-tag-store.ts'
import {
  addingPairs,
  allPairs,
  changeOfPairs,
  clearingPairs,
  findAlikeAfter,
  findPairs,
} from '../people/users/duplicate-store.ts'
import { likenessKeysOf } from '../people/users/likeness.ts'
import { profileStatement, rebuildProfiles } from '../people/users/profile-store.ts'
import { entriesOf, type FacetedUser, facetsOf, userFacet } from '../people/users/user-facets.ts'
import { findOrderStates } from '../people/users/user-order-facet-store.ts'
import { lockUsers, lockUsersAfter, type StoredUser } from '../people/users/user-store.ts'
import {
  addingEntries,
  addingParts,
  clearingFacets,
  countingAnew,
  findFacetFingerprint,
  type List,
  storeFacetFingerprint,
} from '../search/facet-store.ts'

const batchSize = 1000
/** Ids of people who may be like somebody, as many as fit into memory with ease. */
const alikeAtATime = 100_000

/** Raise it where facets come out otherwise though no example shows it. */
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

/**
 * Stands for everything that facets, and profiles beside them, are derived by. Those that were derived by another one are
 * not searched.
 */
const facetFingerprint = fingerprint([
  derivationVersion,
  [...facetsOf(exampleUser)],
  likenessKeysOf(exampleUser),
  [...leadFacetsOf(exampleLead as never)],
  profileStatement,
])

const lists: List[] = ['users', 'leads']

/** Makes what users and leads are found by, and profiles, anew from the data, in one transaction that holds the users and their orders. */
export async function rebuildFacets(on: Queryable, corp_id: string): Promise<void> {
  await on.transaction(async (tx) => {
    // What orders change meanwhile would not find the entries that are being made.
    await holdClock(tx, corp_id)
    await tx.pipeline([...clearingFacets(corp_id, lists), clearingPairs(corp_id)])
    await addUsers(tx, corp_id)
    await rebuildProfiles(tx, corp_id)
    await addLeads(tx, corp_id)
    const pairs = await addPairs(tx, corp_id)
    await tx.pipeline([
      countingAnew(corp_id, lists, [allPairs.facet]),
      ...addingParts(corp_id, changeOfPairs(pairs)),
    ])
    await storeFacetFingerprint(tx, corp_id, facetFingerprint)
  })
}

async function addUsers(tx: Queryable, corp_id: string): Promise<void> {
  for (let after = ''; ; ) {
    const users = await lockUsersAfter(tx, corp_id, after, batchSize)
    if (users.length === 0) return
    const byId = new Map(users.map((user) => [user.user_id, { user, facets: facetsOf(user) }]))
    const ids = [...byId.keys()]
    for (const tag of await findTagsOf(tx, corp_id, ids))
      for (const facet of tagFacetsOf(tag)) byId.get(tag.user_id)!.facets.add(facet)
    const states = await findOrderStates(tx, corp_id, ids)
    for (const { user_id, status } of states) byId.get(user_id)!.facets.add(userFacet.order(status))
    const withOrders = new Set(states.map(({ user_id }) => user_id))
    for (const { user, facets } of byId.values())
      if (!withOrders.has(user.user_id)) facets.add(userFacet.order('none'))
    const entries = [...byId.values()].flatMap(({ user, facets }) => entriesOf(user, facets))
    await tx.pipeline(addingEntries(corp_id, entries))
    after = users.at(-1)!.user_id
  }
}

async function addLeads(tx: Queryable, corp_id: string): Promise<void> {
  for (let after = ''; ; ) {
    const leads = await leadsAfter(tx, corp_id, after, batchSize)
    if (leads.length === 0) return
    const entries = leads.flatMap(({ user_ctime, ...lead }) =>
      entriesOfLead({ lead, user: { user_id: lead.user_id, ctime: user_ctime } }),
    )
    await tx.pipeline(addingEntries(corp_id, entries))
    after = leads.at(-1)!.lead_id
  }
}

/** Most people are like nobody: only those who may be are looked up. Answers how many pairs there are. */
async function addPairs(tx: Queryable, corp_id: string): Promise<number> {
  let added = 0
  for (let after = ''; ; ) {
    const ids = await findAlikeAfter(tx, corp_id, after, alikeAtATime)
    for (let from = 0; from < ids.length; from += batchSize) {
      const users = await tx.query<StoredUser>(lockUsers(corp_id, ids.slice(from, from + batchSize)))
      const pairs = await findPairs(tx, corp_id, users.flatMap(likenessKeysOf))
      const made = await tx.pipeline(addingPairs(corp_id, pairs))
      added += made.flat().length
    }
    if (ids.length < alikeAtATime) return added
    after = ids.at(-1)!
  }
}

/** Rebuilds what another version of the service has derived, or none yet; returns of which organizations. */
export async function rebuildOutdatedFacets(db: Database): Promise<string[]> {
  const rebuilt: string[] = []
  for (const { corp_id } of await listOrganizations(db.shared)) {
    const on = db.of(corp_id)
    if ((await findFacetFingerprint(on, corp_id)) === facetFingerprint) continue
    await rebuildFacets(on, corp_id)
    rebuilt.push(corp_id)
  }
  return rebuilt
}
