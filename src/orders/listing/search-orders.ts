import { localTime } from '../../contract/days.ts'
import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import {
  described,
  Id,
  Money,
  namedObject,
  OrganizationId,
  oneOf,
  oneOfOr,
  optionalLine,
  Timestamp,
} from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import {
  dayParameters,
  examplePage,
  instantsOf,
  pageOf,
  pageParameters,
  rangeIsNotReversed,
  windowOf,
} from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { fullName } from '../../people/users/full-name.ts'
import { readQuery } from '../../people/users/read-query.ts'
import { limitContactSearches } from '../../people/users/user-filter.ts'
import { type ContactView, contactViewOf } from '../../people/users/user-row.ts'
import { isUser } from '../../people/users/user-store.ts'
import { readFacetPage } from '../../search/facet-page-store.ts'
import { withPrefix } from '../../search/facet-query-store.ts'
import { isBatch } from '../offerings/offering-store.ts'
import { isLikeNumber, orderFacet } from './order-facets.ts'
import type { OrderDetail } from './order-row.ts'
import {
  foundByText,
  isFoundBy,
  modifiedWithin,
  orderOfPage,
  type StoredSearchRow,
} from './order-search-store.ts'
import { renderOrders } from './project-orders.ts'
import type { Zoned } from './read-model-store.ts'

const OrderSearchRow = namedObject('OrderSearchRow', {
  order_id: Id,
  external_id: Type.String(),
  status: oneOf(orderStatuses),
  user_id: Id,
  user_name: described(Type.String(), 'The present name of the user'),
  course_code: Type.String(),
  course_name: Type.String(),
  batch_id: Type.String(),
  batch_name: Type.String(),
  owner_ids: Type.Array(Type.String(), { description: 'The owners who share the order' }),
  currency: Type.String(),
  total_price: Money,
  paid_price: Money,
  post_refund_price: described(Money, 'The held amount: paid less refunded'),
  unpaid_price: Money,
  installment_count: Type.Integer(),
  paid_installments: Type.Integer(),
  next_deadline: described(Timestamp, 'Of the next instalment that is not fully paid'),
  is_overdue: Type.Boolean(),
  ctime: Timestamp,
  mtime: Timestamp,
  version: Type.Integer(),
})

const Input = Type.Object({
  corp_id: OrganizationId,
  ...pageParameters,
  ...dayParameters,
  time_range_type: oneOfOr('create', ['create', 'modify'], 'The time that the days apply to'),
  sort: oneOfOr('newest', ['newest', 'oldest'], 'By the time of creation'),
  q: optionalLine(
    longest.name,
    'The beginning of the order’s id or external_id, the last eight characters of the id (at least six of them), ' +
      'or a name or number of its user, as in user/search',
  ),
  status: Type.Optional(oneOf(orderStatuses)),
  owing: Type.Optional(
    oneOf(['unpaid', 'overdue'], 'Only orders that owe something, or whose deadline has passed'),
  ),
  user_id: Type.Optional(described(Id, 'Only orders of this user')),
  course_code: optionalLine(undefined, 'Only orders of this course'),
  batch_id: Type.Optional(described(Id, 'Only orders of this batch')),
  owner_id: Type.Optional(described(Id, 'Only orders that this owner shares')),
})
type OrderQuery = Static<typeof Input>

/** Finds orders by text and filters. */
export const searchOrders = endpoint({
  id: 'searchOrders',
  method: 'GET',
  path: '/api/v5/entity/order/search',
  group: 'Orders',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone', limit: 'searches by contact' },
  summary: 'Search orders',
  description:
    'Every filter must match. `total` is exact. The first page is as fast as the last; a combination of filters costs as ' +
    'much as the rarest of them. Staff see masked contacts, and find the orders of a person by the whole number or its ' +
    'last four digits only.',
  input: Input,
  rules: rangeIsNotReversed,
  data: pageOf(OrderSearchRow),
  example: {
    input: { corp_id: 'lakeside', owing: 'overdue', course_code: 'EMBA-24S' },
    data: examplePage<Static<typeof OrderSearchRow>>({
      order_id: '01a00491d4087169b3c88f8f9813ae4a',
      external_id: 'checkout-4711',
      status: 'pending',
      user_id: '019672b93ea877f0b98a30ed5184dccd',
      user_name: '林晓',
      course_code: 'EMBA-24S',
      course_name: 'Executive MBA',
      batch_id: '0198c0de66667c41a2f0d8e6b4937215',
      batch_name: 'Spring 2024',
      owner_ids: ['owner-lin'],
      currency: 'CNY',
      total_price: 1_280_000,
      paid_price: 400_000,
      post_refund_price: 400_000,
      unpaid_price: 880_000,
      installment_count: 3,
      paid_installments: 1,
      next_deadline: '2024-03-31 23:59:59',
      is_overdue: true,
      ctime: '2024-03-10 18:05:12',
      mtime: '2024-03-11 09:30:00',
      version: 2,
    }),
  },

  errors: ['userNotFound', 'batchNotFound'],

  async handle(context, input) {
    const { db, organization, account, cursors } = context
    const { corp_id } = input
    await limitContactSearches(context, input.q)
    await refuseMissing(context, input)
    const { page, page_size } = windowOf(input)
    const now = localTime(context.now.toISOString(), organization.time_zone)
    const range = instantsOf(input, organization.time_zone)
    const isByChange = input.time_range_type === 'modify'
    const text = input.q === undefined ? undefined : textOf(input.q, contactViewOf(context))
    // Tens of thousands of people may have these initials. Orders have them as facets too.
    const isByInitials = text?.people.ranges.length === 0 && !(await isFoundBy(db, corp_id, text.own))
    const initials = isByInitials ? text.people.facets : []
    const query = {
      ...{ corp_id, list: 'orders' as const, facets: [...facetsOf(input), ...initials], page, page_size },
      ranges: input.owing === 'overdue' ? [[{ from: orderFacet.due(''), until: orderFacet.due(now) }]] : [],
      isDescending: input.sort !== 'oldest',
      ...(!isByChange && range),
    }
    const sources = [
      ...(isByChange && (range.from || range.until) ? [modifiedWithin(corp_id, range)] : []),
      ...(text === undefined || isByInitials ? [] : [await foundByText(db, corp_id, text.own, text.people)]),
    ]
    const walk = { ...input, page, page_size }
    const after = await cursors.endOfPageBefore(account.app_id, 'orders by facets', walk)
    const found = await readFacetPage<StoredSearchRow>(db, query, after, orderOfPage(corp_id), sources)
    await cursors.noteEnd(account.app_id, 'orders by facets', walk, found.end)
    const rows = await withDetails(db, organization, found.rows)
    return { total: found.total, page, page_size, list: rows.map((row) => rowOf(row, now)) }
  },
})

/** A person or batch that does not exist is an error, not an empty list. */
async function refuseMissing(
  { db }: OrganizationContext,
  { corp_id, user_id, batch_id }: OrderQuery,
): Promise<void> {
  if (user_id !== undefined && !(await isUser(db, { corp_id, user_id }))) throw new ApiError('userNotFound')
  if (batch_id !== undefined && !(await isBatch(db, corp_id, batch_id))) throw new ApiError('batchNotFound')
}

function facetsOf({ status, owing, user_id, course_code, batch_id, owner_id }: OrderQuery): string[] {
  return [
    ...(status === undefined ? [] : [orderFacet.status(status)]),
    ...(owing === 'unpaid' ? [orderFacet.unpaid] : []),
    ...(user_id === undefined ? [] : [orderFacet.user(user_id)]),
    ...(course_code === undefined ? [] : [orderFacet.course(course_code)]),
    ...(batch_id === undefined ? [] : [orderFacet.batch(batch_id)]),
    ...(owner_id === undefined ? [] : [orderFacet.owner(owner_id)]),
  ]
}

/** The meanings of a text: the beginning of an order's id or number, or people. */
function textOf(q: string, view: ContactView) {
  const text = q.trim()
  const own = [orderFacet.reference(text), ...(isLikeNumber(text) ? [orderFacet.number(text)] : [])]
  return { own: own.map(withPrefix), people: readQuery(q, view) }
}

/** Renders the details that are missing, or that other code rendered. */
async function withDetails(
  db: Queryable,
  organization: Zoned,
  rows: StoredSearchRow[],
): Promise<(StoredSearchRow & { detail: string })[]> {
  const stale = rows.flatMap(({ order_id, detail }) => (detail === null ? [order_id] : []))
  const { orders } = stale.length > 0 ? await renderOrders(db, organization, stale) : { orders: [] }
  const rendered = new Map(orders.map(({ order_id, detail }) => [order_id, detail]))
  return rows.flatMap((row) => {
    const detail = row.detail ?? rendered.get(row.order_id)
    return detail === undefined ? [] : { ...row, detail }
  })
}

function rowOf(
  { detail, ...stored }: StoredSearchRow & { detail: string },
  now: string,
): Static<typeof OrderSearchRow> {
  const order = JSON.parse(detail) as Static<typeof OrderDetail>
  const owed = order.sub_orders.filter(({ unpaid_price }) => unpaid_price > 0)
  const [next_deadline = ''] = owed
    .map(({ payment_deadline }) => payment_deadline)
    .filter(Boolean)
    .sort()
  return {
    order_id: stored.order_id,
    external_id: stored.external_id,
    status: order.status,
    user_id: order.user_id,
    user_name: fullName(stored),
    course_code: order.course_code,
    course_name: stored.course_name,
    batch_id: stored.batch_id,
    batch_name: stored.batch_name,
    owner_ids: stored.owner_ids,
    currency: order.currency,
    total_price: order.total_price,
    paid_price: order.paid_price,
    post_refund_price: order.post_refund_price,
    unpaid_price: order.unpaid_price,
    installment_count: order.installment_count,
    paid_installments: order.sub_orders.filter(({ status }) => status === 'success').length,
    next_deadline,
    is_overdue: next_deadline !== '' && next_deadline < now,
    ctime: order.ctime,
    mtime: order.mtime,
    version: order.version,
  }
}
