import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { call, type DataOf, type InputOf, newIdempotencyKey, type OperationId } from './call.ts'
import { CallError } from './call-error.ts'

/** First element of the query keys of dry runs. */
export const dryRunKey = 'dry run'

export interface Action<Id extends OperationId> {
  /** Runs the operation; throws a CallError, which is also in `error`. */
  run(input: InputOf<Id>): Promise<DataOf<Id>>
  isRunning: boolean
  error: CallError | undefined
  forgetError(): void
}

/**
 * An operation that changes something. A second click during the call joins it, and a retry with the same input keeps the
 * idempotency key, so nothing happens twice. Success refetches all queries except dry runs, which would preview the same
 * action again.
 */
export function useAction<Id extends OperationId>(id: Id): Action<Id> {
  const queries = useQueryClient()
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<CallError>()
  const intended = useRef<{ input: string; key: string; underWay?: Promise<DataOf<Id>> }>(undefined)

  const run = useCallback(
    (input: InputOf<Id>): Promise<DataOf<Id>> => {
      const text = JSON.stringify(input)
      if (intended.current?.input !== text) intended.current = { input: text, key: newIdempotencyKey() }
      const action = intended.current
      if (action.underWay) return action.underWay
      setRunning(true)
      setError(undefined)
      action.underWay = call(id, input, { idempotencyKey: action.key })
        .then((data) => {
          if (intended.current === action) intended.current = undefined
          void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== dryRunKey })
          return data
        })
        .catch((failure) => {
          if (failure instanceof CallError) setError(failure)
          throw failure
        })
        .finally(() => {
          delete action.underWay
          setRunning(false)
        })
      return action.underWay
    },
    [id, queries],
  )
  return { run, isRunning, error, forgetError: useCallback(() => setError(undefined), []) }
}
