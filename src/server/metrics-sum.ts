import { AggregatorRegistry, type MetricObject } from 'prom-client'

/** The metrics of several processes as one. */
export interface MetricsSum {
  /** The sum of what these processes tell now and of what ended ones have told. */
  of(workers: Map<number, () => Promise<MetricObject[]>>): Promise<string>
  /** A process has ended: what it counted stays counted, or the sums would go back. */
  retire(worker: number): void
}

const onlyGrow = new Set(['counter', 'histogram'])

export function createMetricsSum(): MetricsSum {
  const lastTold = new Map<number, MetricObject[]>()
  let retired: MetricObject[] = []
  return {
    async of(workers) {
      const asked = [...workers].map(async ([id, tell]) => {
        const told = await tell().catch(() => undefined)
        if (told) lastTold.set(id, told)
      })
      await Promise.all(asked)
      const living = [...lastTold].filter(([id]) => workers.has(id)).map(([, told]) => told)
      return AggregatorRegistry.aggregate([...living, retired]).metrics()
    },
    retire(worker) {
      const told = lastTold.get(worker) ?? []
      lastTold.delete(worker)
      retired = merge([retired, told.filter(({ type }) => onlyGrow.has(type as unknown as string))])
    },
  }
}

function merge(told: MetricObject[][]): MetricObject[] {
  const sum = AggregatorRegistry.aggregate(told)
  return sum.getMetricsAsArray() as MetricObject[]
}
