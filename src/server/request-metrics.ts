import { createHistogram, type Histogram, noteValue } from '../contract/histogram.ts'
import { histogramMetric } from './histogram-metric.ts'
import type { RequestLogEntry } from './request-log.ts'

interface Times {
  seconds: Histogram
  codes: Map<number, number>
}

export interface RequestMetrics {
  note(entry: RequestLogEntry): void
  counts(): { operation: string; code: number; count: number }[]
  /** The metric object for the registry. */
  histogram: object
}

/** Counts requests by operation and code, and their times. */
export function createRequestMetrics(): RequestMetrics {
  const operations = new Map<string, Times>()

  const note = ({ operation = 'other', code, ms }: RequestLogEntry): void => {
    let times = operations.get(operation)
    if (!times) {
      times = { seconds: createHistogram(), codes: new Map() }
      operations.set(operation, times)
    }
    times.codes.set(code, (times.codes.get(code) ?? 0) + 1)
    noteValue(times.seconds, ms / 1000)
  }

  const histogram = histogramMetric({
    name: 'matricula_request_seconds',
    help: 'Time from the request to its answer, by operation',
    series: () =>
      [...operations].map(([operation, { seconds }]) => ({ labels: { operation }, histogram: seconds })),
    reset: () => operations.clear(),
  })
  return { note, counts: () => countsOf(operations), histogram }
}

function countsOf(operations: Map<string, Times>) {
  return [...operations].flatMap(([operation, { codes }]) =>
    [...codes].map(([code, count]) => ({ operation, code, count })),
  )
}
