import { fingerprint } from './contract/fingerprint.ts'
import type { Database, Queryable } from './database/database.ts'
import {
  changeEntries,
  clearingFacets,
  findFacetFingerprint,
  foldCounts,
  storeFacetFingerprint,
} from './facets/facet-store.ts'
import { entriesOfLead } from './leads/insert-leads.ts'
import { leadFacetsOf } from './leads/lead-facets.ts'
import { leadsAfter } from './leads/lead-store.ts'
import { listOrganizations } from './organizations/organization-store.ts'
import { findTagsOf, tagFacetsOf } from './user-tags/user-tag-store.ts'
import { clearingPairs } from './users/duplicate-store.ts'
import { likenessKeysOf } from './users/likeness.ts'
import { noteUsers } from './users/note-users.ts'
import { entriesOf, type FacetedUser, facetsOf } from './users/user-facets.ts'
import { noteOrdersOfUsers } from './users/user-order-facet-store.ts'
import { lockUsersAfter } from './users/user-store.ts'

const batchSize = 1000

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

/** Stands for everything that facets are derived by. Those that were derived by another one are not searched. */
const facetFingerprint = fingerprint([
  derivationVersion,
  [...facetsOf(exampleUser)],
  likenessKeysOf(exampleUser),
  [...leadFacetsOf(exampleLead as never)],
])

/** Makes what users and leads are found by anew from the data, in one transaction that holds the users. */
export async function rebuildFacets(on: Queryable, corp_id: string): Promise<void> {
  await on.transaction(async (tx) => {
    await tx.pipeline([...clearingFacets(corp_id, ['users', 'leads']), clearingPairs(corp_id)])
    await addUsers(tx, corp_id)
    await addLeads(tx, corp_id)
    await storeFacetFingerprint(tx, corp_id, facetFingerprint)
    await foldCounts(tx, corp_id)
  })
}

async function addUsers(tx: Queryable, corp_id: string): Promise<void> {
  for (let after = ''; ; ) {
    const users = await lockUsersAfter(tx, corp_id, after, batchSize)
    if (users.length === 0) return
    const byId = new Map(users.map((user) => [user.user_id, user]))
    await noteUsers(
      tx,
      corp_id,
      users.map((user) => ({ after: user })),
    )
    await noteOrdersOfUsers(tx, corp_id, [...byId.keys()])
    const tags = await findTagsOf(tx, corp_id, [...byId.keys()])
    const added = tags.flatMap((tag) => entriesOf(byId.get(tag.user_id)!, tagFacetsOf(tag)))
    await changeEntries(tx, corp_id, { added, removed: [] })
    after = users.at(-1)!.user_id
  }
}

async function addLeads(tx: Queryable, corp_id: string): Promise<void> {
  for (let after = ''; ; ) {
    const leads = await leadsAfter(tx, corp_id, after, batchSize)
    if (leads.length === 0) return
    const added = leads.flatMap(({ user_ctime, ...lead }) =>
      entriesOfLead({ lead, user: { user_id: lead.user_id, ctime: user_ctime } }),
    )
    await changeEntries(tx, corp_id, { added, removed: [] })
    after = leads.at(-1)!.lead_id
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
