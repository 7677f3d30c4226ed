import type { Histogram } from '../contract/histogram.ts'

/** One line of a histogram: its labels and counts. */
interface Series {
  labels: Record<string, string>
  histogram: Histogram
}

interface HistogramOptions {
  name: string
  help: string
  series(): Series[]
  reset?(): void
}

/**
 * A metric object for the registry. The histogram of prom-client renders its labels for every value, which takes 2.4 µs
 * instead of 0.2 µs (15.1). Here labels are rendered when metrics are read.
 */
export function histogramMetric({ name, help, series, reset = () => {} }: HistogramOptions): object {
  const [type, aggregator] = ['histogram', 'sum']
  const get = async () => ({
    name,
    help,
    type,
    aggregator,
    values: series().flatMap((each) => valuesOf(name, each)),
  })
  return { name, help, type, aggregator, get, reset }
}

function valuesOf(name: string, { labels, histogram: { bounds, within, sum } }: Series) {
  let count = 0
  const buckets = within.map((more, index) => {
    count += more
    return { labels: { le: bounds[index] ?? '+Inf', ...labels }, value: count, metricName: `${name}_bucket` }
  })
  return [
    ...buckets,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ]
}
