import type { InputOf, OperationId, RowOf } from '../calls/call.ts'
import { useCall } from '../calls/use-call.ts'
import { type ListAddress, pageSize } from './use-list-address.ts'

interface ListOptions {
  enabled?: boolean
  refetchEveryMs?: number
  isFreshOnOpening?: boolean
}

/** Reads the page of a list that its address names; the last page stays visible until the next one arrives. */
export function useList<Id extends OperationId>(
  id: Id,
  { page }: Pick<ListAddress, 'page'>,
  filters: Omit<InputOf<Id>, 'page' | 'page_size'>,
  options: ListOptions = {},
): { data: { list: RowOf<Id>[]; total: number } | undefined; error: unknown } {
  const input = { ...filters, page, page_size: pageSize } as unknown as InputOf<Id>
  const { data, error } = useCall(id, input, { ...options, keepsPrevious: true })
  // Every operation that takes page and page_size answers list and total.
  return { data: data as { list: RowOf<Id>[]; total: number } | undefined, error }
}
