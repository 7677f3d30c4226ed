import type { MetricObject } from 'prom-client'

/** Sums the metrics of several processes. */
export interface MetricsSum {
  /** The sum over these processes and over those that have ended. */
  of(workers: Map<number, () => Promise<MetricObject[]>>): Promise<string>
  /** Keeps the counts of a process that has ended: sums must not decrease. */
  retire(worker: number): void
}

const growing = new Set(['counter', 'histogram'])

export function createMetricsSum(): MetricsSum {
  const last = new Map<number, MetricObject[]>()
  /** Counts of ended processes. */
  let retired: MetricObject[][] = []
  return {
    async of(workers) {
      // Loaded on first use, not at start-up.
      const { AggregatorRegistry } = await import('prom-client')
      const asked = [...workers].map(async ([id, read]) => {
        const metrics = await read().catch(() => undefined)
        if (metrics) last.set(id, metrics)
      })
      await Promise.all(asked)
      const living = [...last].filter(([id]) => workers.has(id)).map(([, metrics]) => metrics)
      const sumOfRetired = AggregatorRegistry.aggregate(retired).getMetricsAsArray()
      // The types lack that an aggregate holds metrics in the form in which processes send them.
      retired = [sumOfRetired as MetricObject[]]
      return AggregatorRegistry.aggregate([...living, ...retired]).metrics()
    },
    retire(worker) {
      const metrics = last.get(worker) ?? []
      last.delete(worker)
      // The types say that `type` is an enum of numbers; it is a text.
      retired.push(metrics.filter(({ type }) => growing.has(type as unknown as string)))
    },
  }
}
