import { ApiError } from '../../src/contract/errors.ts'
import { fetchOrder } from '../../src/orders/listing/fetch-order.ts'
import { financialRowOf, type LedgerSubOrder } from '../../src/orders/listing/financial-row.ts'
import { listFinancialRows } from '../../src/orders/listing/list-financial-rows.ts'
import { listOrders } from '../../src/orders/listing/list-orders.ts'
import { filterOf, type OrderFilter } from '../../src/orders/listing/order-filter.ts'
import { listUserTags } from '../../src/people/user-tags/assign-user-tag.ts'
import { fetchContact } from '../../src/people/users/fetch-contact.ts'
import { fetchProfile } from '../../src/people/users/fetch-profile.ts'
import { fullName } from '../../src/people/users/full-name.ts'
import { type PlainCall, plainRoute } from './route.ts'
import {
  contactsOfUser,
  financialRows,
  orderById,
  orderRows,
  profileOfUser,
  tagsOfUser,
} from './statements.ts'

/** The read operations in the plain way: one query, rows to objects, objects to JSON. */
export const reads = [
  plainRoute(fetchOrder, async ({ pool, organization }, { corp_id, order_id }) => {
    const values = [corp_id, order_id, organization.time_zone]
    const { rows } = await pool.query({ name: 'order', text: orderById, values })
    if (rows.length === 0) throw new ApiError('orderNotFound')
    return rows[0]
  }),

  plainRoute(fetchProfile, async ({ pool, organization }, { corp_id, user_id }) => {
    const values = [corp_id, user_id, organization.time_zone]
    const { rows } = await pool.query({ name: 'profile', text: profileOfUser, values })
    if (rows.length === 0) throw new ApiError('userNotFound')
    return { ...rows[0], name: fullName(rows[0]) }
  }),

  plainRoute(fetchContact, async ({ pool }, { corp_id, user_id, contact_type }) => {
    const { rows } = await pool.query({ name: 'contacts', text: contactsOfUser, values: [corp_id, user_id] })
    if (rows.length === 0) throw new ApiError('userNotFound')
    return { user_id, corp_id, contact_type, value: contactOf(rows[0], contact_type) }
  }),

  plainRoute(listUserTags, async ({ pool, organization }, { corp_id, user_id }) => {
    const values = [corp_id, user_id, organization.time_zone]
    const { rows } = await pool.query({ name: 'tags', text: tagsOfUser, values })
    if (rows.length === 0) throw new ApiError('userNotFound')
    const tags = rows.filter((row) => row.entity_id !== null)
    return { total: tags.length, rows: tags }
  }),

  plainRoute(listOrders, async (call, input) => {
    const filter = filterOf(input, call.organization)
    const { total, rows } = await readPage(call, filter, 'orders', 'order_id', orderRows)
    return { total, page: filter.page, page_size: filter.page_size, list: rows as never[] }
  }),

  plainRoute(listFinancialRows, async (call, input) => {
    const filter = filterOf(input, call.organization)
    const { total, rows } = await readPage(call, filter, 'sub_orders', 'sub_order_id', financialRows)
    const list = (rows as LedgerSubOrder[]).map((row) => financialRowOf(row))
    return { total, page: filter.page, page_size: filter.page_size, list }
  }),
]

function contactOf(
  user: Record<string, string | null>,
  type: 'mobile' | 'email' | 'mobile_backup',
): string[] {
  if (type === 'email') return user.email ? [user.email] : []
  const [code, mobile] =
    type === 'mobile' ? [user.area_code, user.mobile] : [user.backup_area_code, user.backup_mobile]
  return mobile ? [code ?? '', mobile] : []
}

/** The page and the total in one query, from the rows themselves. */
async function readPage(
  { pool, organization }: PlainCall,
  filter: OrderFilter,
  table: string,
  id: string,
  select: string,
): Promise<{ total: number; rows: object[] }> {
  const values: unknown[] = [
    filter.corp_id,
    filter.page_size,
    organization.time_zone,
    filter.page * filter.page_size,
  ]
  const conditions = table === 'orders' ? ['not t.is_deleted'] : []
  const compare = (column: string, operator: string, value: unknown) => {
    if (value !== undefined) conditions.push(`t.${column} ${operator} $${values.push(value)}`)
  }
  compare('status', '=', filter.status)
  compare(filter.timeColumn, '>=', filter.from)
  compare(filter.timeColumn, '<', filter.until)
  const matching = `from ${table} t where ${['t.corp_id = $1', ...conditions].join(' and ')}`
  const text = `
    with total as (select count(*) as total ${matching}),
         page as (
           select t.corp_id, t.${id} as id, t.${filter.timeColumn} as list_time ${matching}
            order by t.${filter.timeColumn}, t.${id} limit $2 offset $4),
         listed as (${select})
    select listed.*, total.total from total left join listed on true order by listed.list_time, listed.id`
  const name = [table, filter.timeColumn, ...conditions].join(' ')
  const { rows } = await pool.query({ name: name.slice(0, 63), text, values })
  return { total: rows[0].total, rows: rows[0].id === null ? [] : rows }
}
