import type { Search } from '../../app/address.ts'
import { useSession } from '../../app/session.tsx'
import type { InputOf, RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { type ListAddress, pageSize } from '../../parts/use-list-address.ts'

export type Person = RowOf<'listUsers'>

/** Means the reader in an address, so that a view can be shared. */
export const me = 'me'

/** Reads the people of an address. */
export function usePeople({ search, page }: ListAddress) {
  const { staff } = useSession()
  const { q, ...filters } = search
  const input = { ...filterOf(filters, staff.staff_id), page, page_size: pageSize, sort: 'newest' as const }
  const listed = useCall('listUsers', input, { enabled: !q, keepsPrevious: true })
  const found = useCall('searchUsers', { ...input, q: q ?? '' }, { enabled: !!q, keepsPrevious: true })
  return q ? found : listed
}

function filterOf(
  search: Search,
  staffId: string,
): Omit<InputOf<'listUsers'>, 'page' | 'page_size' | 'sort'> {
  const { pool, owner_id, tags_group_id, tag_value, course_code, order_status, start_date, end_date } = search
  return {
    ...{ pool, tags_group_id, course_code, start_date, end_date },
    owner_id: owner_id === me ? staffId : owner_id,
    tag_value: tags_group_id ? tag_value : undefined,
    order_status: order_status as InputOf<'listUsers'>['order_status'],
  }
}
