import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call, type DataOf, type InputOf, type OperationId } from './call.ts'
import type { CallError } from './call-error.ts'
import { chosenOrganization } from './chosen-organization.ts'

interface ReadOptions<Data> {
  /** False: waits. */
  enabled?: boolean
  /** Keeps the previous data until the new data arrives. */
  keepsPrevious?: boolean
  /** Polling interval; undefined: no polling. */
  refetchEveryMs?: number | ((data: Data | undefined) => number | undefined)
  /** Refetches on mount, even if the cached data is fresh. */
  isFreshOnOpening?: boolean
}

/** Cache time of pages of a list: turning pages must not fill the memory. */
const turnedPageMs = 5_000

/** A query of an operation, cached by operation, organization and input. */
export function queryFor<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
): UseQueryOptions<DataOf<Id>, CallError> & { queryKey: unknown[] } {
  return {
    queryKey: [id, chosenOrganization(), input],
    queryFn: ({ signal }) => call(id, input, { signal }),
  }
}

/** Reads with an operation. */
export function useCall<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  { enabled = true, keepsPrevious = false, refetchEveryMs, isFreshOnOpening }: ReadOptions<DataOf<Id>> = {},
): UseQueryResult<DataOf<Id>, CallError> {
  const query = queryFor(id, input)
  if (keepsPrevious) {
    query.placeholderData = ((previous: unknown) => previous) as never
    query.gcTime = turnedPageMs
  }
  return useQuery({
    ...query,
    enabled,
    refetchInterval: ({ state: { data } }) =>
      (typeof refetchEveryMs === 'function' ? refetchEveryMs(data) : refetchEveryMs) ?? false,
    refetchOnMount: isFreshOnOpening ? 'always' : true,
  })
}
