import { contact } from '../../contract/contacts.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { Id, NullableString, namedObject, OrganizationId, oneOf, Timestamp } from '../../contract/fields.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { pageOf, windowOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import {
  countVersions,
  listVersions,
  orderChanges,
  type RecordedVersion,
  type VersionRecord,
} from './history-store.ts'
import { isOrder } from './order-state-store.ts'

const Members = contact('members', Type.Record(Type.String(), Type.Unknown()))

const HistoryRow = namedObject('OrderChange', {
  version: Type.Integer(),
  time: Timestamp,
  change: oneOf(orderChanges),
  from_status: NullableString,
  to_status: oneOf(orderStatuses),
  executor_id: NullableString,
  reason: NullableString,
  subject_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The payment, refund, transfer or remark that made it',
  }),
  remark: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Text of the remark, if the change is a remark; empty once its user was erased',
  }),
  before: Type.Object({ order: Members, sub_orders: Type.Record(Type.String(), Members) }),
  after: Type.Object({ order: Members, sub_orders: Type.Record(Type.String(), Members) }),
})

const Input = Type.Object({
  corp_id: OrganizationId,
  order_id: Id,
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 10 })),
})

/** Every change of an order: author, time, reason, and the values before and after. */
export const listHistory = endpoint({
  id: 'listHistory',
  method: 'GET',
  path: '/api/v5/entity/order/history',
  group: 'Orders',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List every change of an order',
  description:
    '`before` and `after` hold the members that the change touched, of the order and by sub-order.',
  input: Input,
  data: pageOf(HistoryRow),
  example: {
    input: { corp_id: 'lakeside', order_id: '01a00491d4087169b3c88f8f9813ae4a' },
    data: {
      total: 2,
      page: 0,
      page_size: 10,
      list: [
        {
          version: 2,
          time: '2024-03-11 09:30:00',
          change: 'payment',
          from_status: 'created',
          to_status: 'success',
          executor_id: 'lakeside-finance',
          reason: null,
          subject_id: '01a0121322587365aa30fc31c91b3d5f',
          remark: null,
          before: { order: { status: 'created' }, sub_orders: {} },
          after: { order: { status: 'success' }, sub_orders: {} },
        },
      ],
    },
  },
  errors: ['orderNotFound'],

  async handle({ db, organization }, { corp_id, order_id, ...asked }) {
    const { page, page_size, ...window } = windowOf(asked)
    if (!(await isOrder(db, corp_id, order_id))) throw new ApiError('orderNotFound')
    const versions = await listVersions(db, { corp_id, order_id }, window, organization.time_zone)
    const total = versions[0]?.total ?? (await countVersions(db, { corp_id, order_id }))
    return { total, page, page_size, list: versions.map(rowOf) }
  },
})

function rowOf(row: RecordedVersion): Static<typeof HistoryRow> {
  const { version, at, change, from_status, to_status, executor_id, reason, subject_id, remark } = row
  return {
    version,
    time: at,
    change,
    from_status,
    to_status: to_status as Static<typeof HistoryRow>['to_status'],
    executor_id,
    reason,
    subject_id,
    remark,
    before: difference(row.previous, row.record),
    after: difference(row.record, row.previous),
  }
}

/** Derived members that change every time. */
const bookkeeping = new Set(['corp_id', 'mtime', 'version', 'creation_hash', 'user_copy_digest'])

/** The members of one record that differ in the other. */
function difference(record: VersionRecord | null, other: VersionRecord | null) {
  const subOrders = (from: VersionRecord | null) =>
    new Map(from?.sub_orders.map((subOrder) => [String(subOrder.sub_order_id), subOrder]))
  const otherSubOrders = subOrders(other)
  const changed = [...subOrders(record)]
    .map(([id, subOrder]) => [id, changedMembers(subOrder, otherSubOrders.get(id))] as const)
    .filter(([, members]) => Object.keys(members).length > 0)
  return { order: changedMembers(record?.order, other?.order), sub_orders: Object.fromEntries(changed) }
}

function changedMembers(record: Record<string, unknown> = {}, other: Record<string, unknown> = {}) {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) => !bookkeeping.has(name) && JSON.stringify(value) !== JSON.stringify(other[name]),
    ),
  )
}
