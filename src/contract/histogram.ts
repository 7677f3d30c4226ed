/** Counts of values per bound, for a Prometheus histogram. Noting a value allocates nothing. */
export interface Histogram {
  bounds: readonly number[]
  sum: number
  /** Counts per bound; the last has no bound. */
  within: number[]
}

const secondsBounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10] as const

export function createHistogram(bounds: readonly number[] = secondsBounds): Histogram {
  return { bounds, sum: 0, within: Array.from({ length: bounds.length + 1 }, () => 0) }
}

export function noteValue(histogram: Histogram, value: number): void {
  const { bounds, within } = histogram
  histogram.sum += value
  let bound = 0
  while (bound < bounds.length && value > bounds[bound]!) bound++
  within[bound]!++
}
