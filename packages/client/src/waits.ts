const firstWaitMs = 200
const longestBackoffMs = 10_000

/**
 * How long to wait before a retry. After the time that the service asked for, some jitter, so that callers who were refused
 * together do not return together; otherwise exponential backoff, of which half is random.
 */
export function waitBefore(attempt: number, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return retryAfterMs + Math.random() * Math.max(250, retryAfterMs / 10)
  return Math.min(longestBackoffMs, firstWaitMs * 2 ** attempt) * (0.5 + Math.random() / 2)
}

/** Retry-After in seconds, or as a date. */
export function retryAfterOf(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** Rejects with the reason of the signal when it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
