import { plain } from '../../people/users/search-words.ts'
import { initialsOf, isInitial, type NamedUser, shortened } from '../../people/users/user-facets.ts'
import { everyRecord } from '../../search/facet-store.ts'

/** Ids begin with a time, so people distinguish orders by the end of the id. */
const numberLength = 8

/** Fewer characters could also be a name (ada) or a mobile (1380). */
const fewestOfNumber = 6
const beginningOfNumber = new RegExp(`^[0-9a-f]{${fewestOfNumber},${numberLength}}$`)

/** Whether a text may be the number of an order. */
export const isLikeNumber = (text: string) => beginningOfNumber.test(plain(text))

/** The facets of orders. */
export const orderFacet = {
  status: (status: string) => `status:${status}`,
  user: (user_id: string) => `user:${user_id}`,
  course: (course_code: string) => shortened('course:', course_code),
  batch: (batch_id: string) => `batch:${batch_id}`,
  owner: (owner_id: string) => shortened('owner:', owner_id),
  unpaid: 'unpaid',
  /** The deadline of the next unpaid instalment, in the organization's zone. */
  due: (time: string) => `due:${time}`,
  /** The id and the external id. */
  reference: (id: string) => shortened('ref:', plain(id)),
  /** The end of the id, which people use as the order's number. */
  number: (id: string) => `number:${plain(id).slice(-numberLength)}`,
}

/** The members of an order that determine its facets. */
export interface FacetedOrder {
  entity_id: string
  status: string
  is_deleted: boolean
  user_id: string
  /** The present names of the user. */
  user_names: NamedUser
  course_code: string
  batch_id: string
  external_id: string
  managers: string
  share_proportion: Record<string, number>
  sub_orders: { unpaid_price: number; payment_deadline: string }[]
}

/** A deleted order has no facets, since no list shows it. */
export function orderFacetsOf(order: FacetedOrder): string[] {
  if (order.is_deleted) return []
  const owed = order.sub_orders.filter(({ unpaid_price }) => unpaid_price > 0)
  const deadlines = owed.map(({ payment_deadline }) => payment_deadline).filter(Boolean)
  const [due] = deadlines.sort()
  const facets = [
    everyRecord,
    orderFacet.status(order.status),
    orderFacet.user(order.user_id),
    ...initialsOf(order.user_names),
    orderFacet.reference(order.entity_id),
    orderFacet.number(order.entity_id),
    ...(order.external_id ? [orderFacet.reference(order.external_id)] : []),
    ...(order.course_code ? [orderFacet.course(order.course_code)] : []),
    ...(order.batch_id ? [orderFacet.batch(order.batch_id)] : []),
    ...ownersOf(order).map(orderFacet.owner),
    ...(owed.length > 0 ? [orderFacet.unpaid] : []),
    ...(due === undefined ? [] : [orderFacet.due(due)]),
  ]
  return [...new Set(facets)].sort()
}

/** The facets of an order after its user was renamed. */
export function renamedFacets(facets: string[], user: NamedUser): string[] {
  // A deleted order has none.
  if (facets.length === 0) return facets
  return [...facets.filter((facet) => !isInitial(facet)), ...initialsOf(user)].sort()
}

/** The owners who share an order or, without shares, the owners copied from its user. */
function ownersOf({ share_proportion, managers }: FacetedOrder): string[] {
  const sharing = Object.keys(share_proportion)
  return sharing.length > 0 ? sharing : managers.split(', ').filter(Boolean)
}
