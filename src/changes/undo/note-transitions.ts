import type { Queryable } from '../../database/database.ts'
import { entriesOfLead } from '../../people/leads/insert-leads.ts'
import { coursesOf } from '../../people/leads/lead-store.ts'
import { findTagsOf, tagFacetsOf } from '../../people/user-tags/user-tag-store.ts'
import { noteUsers } from '../../people/users/note-users.ts'
import { entriesOf, type FacetedUser, userFacet } from '../../people/users/user-facets.ts'
import { noteOrdersOfUsers } from '../../people/users/user-order-facet-store.ts'
import { findCreationTimes } from '../../people/users/user-store.ts'
import { changeEntries, type FacetEntry } from '../../search/facet-store.ts'
import type { Image, Transition } from './record-images.ts'

/** Brings up to date what is kept beside records that were put back: what lists and searches find them by. */
export async function noteTransitions(
  tx: Queryable,
  corp_id: string,
  transitions: Transition[],
): Promise<void> {
  const users = transitions.filter(({ type }) => type === 'users')
  const leads = transitions.filter(({ type }) => type === 'leads')
  await noteUsers(
    tx,
    corp_id,
    users.map(({ before, after }) => ({ before: before && faceted(before), after: after && faceted(after) })),
    { userIds: leads.flatMap(usersOf) },
  )
  // One that comes back may come back to orders.
  const back = users.filter(({ before, after }) => !before && after).map(({ id }) => id)
  await noteOrdersOfUsers(tx, corp_id, back)
  const tags = transitions.filter(({ type }) => type === 'user_tags')
  const userIds = [...leads, ...tags].flatMap(usersOf)
  if (userIds.length === 0) return
  const ctimes = await findCreationTimes(tx, corp_id, [...new Set(userIds)])
  for (const { id, before } of users) if (before) ctimes.set(id, new Date(before.ctime as string))
  const userOf = (user_id: string) => ({ user_id, ctime: ctimes.get(user_id)! })
  const leadEntries = (image: Image | undefined) =>
    image ? entriesOfLead({ lead: instants(image) as never, user: userOf(image.user_id as string) }) : []
  const tagEntries = (image: Image | undefined) =>
    image ? entriesOf(userOf(image.user_id as string), tagFacetsOf(image as never)) : []
  const added = [
    ...leads.flatMap(({ after }) => leadEntries(after)),
    ...(await standing(tx, corp_id, [...new Set(userIds)], userOf)),
  ]
  const stays = new Set(added.map(keyOf))
  const removed = [
    ...leads.flatMap(({ before }) => leadEntries(before)),
    ...tags.flatMap(({ before }) => tagEntries(before)),
  ].filter((entry) => !stays.has(keyOf(entry)))
  await changeEntries(tx, corp_id, { added: unique(added), removed: unique(removed) })
}

/** What users are found by for the leads and tags that they have now. */
async function standing(
  tx: Queryable,
  corp_id: string,
  userIds: string[],
  userOf: (user_id: string) => { user_id: string; ctime: Date },
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

function faceted(image: Image): FacetedUser {
  return instants(image) as unknown as FacetedUser
}

function instants(image: Image): Image {
  return { ...image, ctime: new Date(image.ctime as string) }
}

function usersOf({ before, after }: Transition): string[] {
  return [before, after].flatMap((image) => (image ? [image.user_id as string] : []))
}

function keyOf({ list, facet, id }: FacetEntry): string {
  return `${list} ${id} ${facet}`
}

function unique(entries: FacetEntry[]): FacetEntry[] {
  return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()]
}
