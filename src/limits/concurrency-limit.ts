/**
 * Lets so many through at a time, and the others wait in line. Pages of a thousand rows are megabytes each: read all
 * at once for dozens of callers they would fill the memory, and be no sooner done.
 */
export function createConcurrencyLimit(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let inside = 0
  return async (work) => {
    if (inside < most) inside++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inside--
    }
  }
}
