import { useCallback, useState } from 'react'

/** Runs work that takes several calls, and keeps its error. */
export function useAttempt() {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const attempt = useCallback(async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    setRunning(true)
    setError(undefined)
    try {
      return await work()
    } catch (failure) {
      setError(failure)
      return undefined
    } finally {
      setRunning(false)
    }
  }, [])
  return { attempt, isRunning, error, forgetError: useCallback(() => setError(undefined), []) }
}
