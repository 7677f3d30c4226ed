import type { Queryable } from '../../database/database.ts'
import { entriesOfLead } from '../../people/leads/insert-leads.ts'
import { coursesOf } from '../../people/leads/lead-store.ts'
import { findTagsOf, tagFacetsOf } from '../../people/user-tags/user-tag-store.ts'
import { projectUsers } from '../../people/users/project-users.ts'
import { entriesOf, type FacetedUser, userFacet } from '../../people/users/user-facets.ts'
import { noteOrdersOfUsers } from '../../people/users/user-order-facet-store.ts'
import { findCreationTimes } from '../../people/users/user-store.ts'
import { changeEntries, type FacetEntry } from '../../search/facet-store.ts'
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
  const courses = await coursesOf(tx, corp_id, userIds)
  const tags = await findTagsOf(tx, corp_id, userIds)
  return [
    ...courses.flatMap(({ user_id, course_code }) =>
      entriesOf(userOf(user_id), [userFacet.course(course_code)]),
    ),
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
