import type { RequestLogEntry } from './request-log.ts'

const bounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
const name = 'matricula_request_seconds'

interface Times {
  seconds: number
  /** Counts per bound; the last has no bound. */
  within: number[]
  codes: Map<number, number>
}

export interface RequestMetrics {
  note(entry: RequestLogEntry): void
  counts(): { operation: string; code: number; count: number }[]
  /** The metric object for the registry. */
  histogram: object
}

/**
 * Counts requests by operation and code, and their times. The histogram and counter of prom-client render their labels for
 * every request, which takes 2.4 µs instead of 0.2 µs (15.1). Here labels are rendered when metrics are read.
 */
export function createRequestMetrics(): RequestMetrics {
  const operations = new Map<string, Times>()

  const note = ({ operation = 'other', code, ms }: RequestLogEntry): void => {
    let times = operations.get(operation)
    if (!times) {
      times = { seconds: 0, within: Array.from({ length: bounds.length + 1 }, () => 0), codes: new Map() }
      operations.set(operation, times)
    }
    const seconds = ms / 1000
    times.seconds += seconds
    times.codes.set(code, (times.codes.get(code) ?? 0) + 1)
    let bound = 0
    while (bound < bounds.length && seconds > bounds[bound]!) bound++
    times.within[bound]!++
  }

  return { note, counts: () => countsOf(operations), histogram: histogramOf(operations) }
}

function countsOf(operations: Map<string, Times>) {
  return [...operations].flatMap(([operation, { codes }]) =>
    [...codes].map(([code, count]) => ({ operation, code, count })),
  )
}

/** A metric object for the registry. */
function histogramOf(operations: Map<string, Times>) {
  const help = 'Time from the request to its answer, by operation'
  const type = 'histogram'
  const values = () =>
    [...operations].flatMap(([operation, { seconds, within }]) => {
      let count = 0
      const buckets = within.map((more, index) => {
        count += more
        return {
          labels: { le: bounds[index] ?? '+Inf', operation },
          value: count,
          metricName: `${name}_bucket`,
        }
      })
      const labels = { operation }
      return [
        ...buckets,
        { labels, value: seconds, metricName: `${name}_sum` },
        { labels, value: count, metricName: `${name}_count` },
      ]
    })
  const get = async () => ({ name, help, type, aggregator: 'sum', values: values() })
  return { name, help, type, aggregator: 'sum', get, reset: () => operations.clear() }
}
