import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, type DataOf, dryRunKey, type InputOf } from '../../calls/call.ts'

/** The operations with a dry run. */
export type DryRunId =
  | 'createOrder'
  | 'updateOrder'
  | 'updateStatus'
  | 'createPayment'
  | 'recordReceipt'
  | 'voidPayment'
  | 'applyPayment'
  | 'unapplyPayment'
  | 'createRefund'
  | 'transferMoney'
  | 'writeOffOrder'
  | 'reverseVoid'
  | 'reverseRefund'
  | 'reverseTransfer'
  | 'reverseWriteOff'
  | 'closePeriod'
  | 'matchBankLines'

const typingMs = 300

/** Runs an operation without effect, after typing stops. Without input it does not run. */
export function useDryRun<Id extends DryRunId>(id: Id, input: InputOf<Id> | undefined) {
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
    /** Whether the preview belongs to the current input. */
    isReady: isCurrent && data !== undefined && error === null,
  }
}
