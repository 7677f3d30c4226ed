import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, type DataOf, type InputOf } from '../../calls/call.ts'
import { dryRunKey } from '../../calls/use-action.ts'

/** The operations that can be asked what they would do. */
export type RehearsedId =
  | 'createOrder'
  | 'updateOrder'
  | 'updateStatus'
  | 'createPayment'
  | 'voidPayment'
  | 'applyPayment'
  | 'unapplyPayment'
  | 'createRefund'
  | 'transferMoney'
  | 'writeOffOrder'
  | 'closePeriod'

const typingMs = 300

/** What an operation would do with this input, asked once somebody has stopped typing; undefined: not asked. */
export function useDryRun<Id extends RehearsedId>(id: Id, input: InputOf<Id> | undefined) {
  const text = input === undefined ? undefined : JSON.stringify(input)
  const [settled] = useDebouncedValue(text, typingMs)
  const { data, error, isFetching } = useQuery<DataOf<Id>>({
    queryKey: [dryRunKey, id, settled],
    enabled: settled !== undefined,
    queryFn: ({ signal }) => call(id, { ...JSON.parse(settled!), dry_run: true }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const isCurrent = text !== undefined && settled === text && !isFetching
  return {
    preview: text === undefined ? undefined : data,
    error: isCurrent ? error : undefined,
    /** Whether what is shown is what would happen with what stands there now. */
    isReady: isCurrent && data !== undefined && error === null,
  }
}
