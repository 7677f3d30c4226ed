import type { Queryable } from '../../database/database.ts'
import { entriesOfLead, userFacetsOfLead } from '../../people/leads/insert-leads.ts'
import { findFoundByLeads } from '../../people/leads/lead-store.ts'
import { findTagsOf, tagFacetsOf } from '../../people/user-tags/user-tag-store.ts'
import { projectUsers } from '../../people/users/project-users.ts'
import { documentOfMerged, mergedDocumentId } from '../../people/users/search/user-document-store.ts'
import { entriesOf, type FacetedUser } from '../../people/users/user-facets.ts'
import { noteOrdersOfUsers } from '../../people/users/user-order-facet-store.ts'
import { findCreationTimes } from '../../people/users/user-store.ts'
import { changeEntries, type FacetEntry } from '../../search/facet-store.ts'
import { puttingDocuments, removingDocuments } from '../../search/search-index-store.ts'
import { type Image, isCreated, ofType, type Transition } from './record-images.ts'

type UserOf = (user_id: string) => { user_id: string; ctime: Date }

/** Updates the data derived from changed records: the facets by which lists and searches find them. */
export async function noteTransitions(
  tx: Queryable,
  corp_id: string,
  transitions: Transition[],
): Promise<void> {
  const users = ofType(transitions, 'users')
  const leads = ofType(transitions, 'leads')
  const tags = ofType(transitions, 'user_tags')
  await projectUsers(
    tx,
    corp_id,
    users.map(({ before, after }) => ({ before: before && faceted(before), after: after && faceted(after) })),
    { leadUserIds: leads.flatMap(usersOf) },
  )
  // A user who comes back may have orders again.
  const back = users.filter(isCreated).map(({ id }) => id)
  await noteOrdersOfUsers(tx, corp_id, back)
  await noteMerged(tx, corp_id, transitions)
  const userIds = [...new Set([...leads, ...tags].flatMap(usersOf))]
  if (userIds.length === 0) return
  const ctimes = await findCreationTimes(tx, corp_id, userIds)
  for (const { id, before } of users) if (before) ctimes.set(id, new Date(before.ctime))
  const userOf: UserOf = (user_id) => {
    const ctime = ctimes.get(user_id)
    if (!ctime) throw new Error(`User ${user_id} does not exist.`)
    return { user_id, ctime }
  }
  const added = [
    ...leads.flatMap(({ after }) => leadEntries(after, userOf)),
    ...(await presentEntries(tx, corp_id, userIds, userOf)),
  ]
  const kept = new Set(added.map(keyOf))
  const removed = [
    ...leads.flatMap(({ before }) => leadEntries(before, userOf)),
    ...tags.flatMap(({ before }) => (before ? entriesOf(userOf(before.user_id), tagFacetsOf(before)) : [])),
  ].filter((entry) => !kept.has(keyOf(entry)))
  await changeEntries(tx, corp_id, { added: unique(added), removed: unique(removed) })
}

/** Updates the documents that lead from merged users to their survivors. */
async function noteMerged(tx: Queryable, corp_id: string, transitions: Transition[]): Promise<void> {
  const merged = ofType(transitions, 'merged_users')
  if (merged.length === 0) return
  const survivors = merged.flatMap(({ after }) => after?.user_id ?? [])
  const ctimes = await findCreationTimes(tx, corp_id, survivors)
  const put = merged.flatMap(({ after }) => {
    const time = after && ctimes.get(after.user_id)
    return (time && documentOfMerged(after, time)) ?? []
  })
  const gone = merged.flatMap(({ id, after }) => (after ? [] : mergedDocumentId(id)))
  await tx.pipeline([...removingDocuments(corp_id, gone), ...puttingDocuments(corp_id, put)])
}

function leadEntries(image: Image<'leads'> | undefined, userOf: UserOf): FacetEntry[] {
  if (!image) return []
  const lead = { ...image, ctime: new Date(image.ctime), mtime: new Date(image.mtime) }
  return entriesOfLead({ lead, user: userOf(image.user_id) })
}

/** The entries of users for the leads and tags that they have now. */
async function presentEntries(
  tx: Queryable,
  corp_id: string,
  userIds: string[],
  userOf: UserOf,
): Promise<FacetEntry[]> {
  const found = await findFoundByLeads(tx, corp_id, userIds)
  const tags = await findTagsOf(tx, corp_id, userIds)
  return [
    ...found.flatMap(({ user_id, fields }) => entriesOf(userOf(user_id), userFacetsOfLead(fields))),
    ...tags.flatMap((tag) => entriesOf(userOf(tag.user_id), tagFacetsOf(tag))),
  ]
}

function faceted(image: Image<'users'>): FacetedUser {
  return { ...image, ctime: new Date(image.ctime) }
}

function usersOf({ before, after }: Transition<'leads' | 'user_tags'>): string[] {
  return [before, after].flatMap((image) => (image ? [image.user_id] : []))
}

function keyOf({ list, facet, id }: FacetEntry): string {
  return `${list} ${id} ${facet}`
}

function unique(entries: FacetEntry[]): FacetEntry[] {
  return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()]
}
