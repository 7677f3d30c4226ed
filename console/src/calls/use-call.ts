import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call, type DataOf, type InputOf, type OperationId } from './call.ts'
import type { CallError } from './call-error.ts'
import { chosenOrganization } from './chosen-organization.ts'

interface ReadOptions<Data> {
  /** False: not yet. */
  enabled?: boolean
  /** Shows what the last input answered until this one has. */
  keepsPrevious?: boolean
  /** Of what goes on by itself, more often than of what stands; undefined: not at all. */
  refetchEveryMs?: number | ((data: Data | undefined) => number | undefined)
  /** Asked whenever it is opened, however new what is there may be. */
  isFreshOnOpening?: boolean
}

/** Whoever turns page after page keeps the last ones, not all. */
const turnedPageMs = 5_000

/** A read as a query: kept under operation, organization and input. */
export function queryFor<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
): UseQueryOptions<DataOf<Id>, CallError> & { queryKey: unknown[] } {
  return {
    queryKey: [id, chosenOrganization(), input],
    queryFn: ({ signal }) => call(id, input, { signal }),
  }
}

/** Reads by an operation: `data`, `error` and `isPending` as Query has them. */
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
